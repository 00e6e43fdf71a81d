#!/usr/bin/env node
// Older versions fail while the service is being loaded, with a message about something else. So this comes first.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`event-datasets-emulator needs Node.js 22.19 or newer, but this is ${process.version}\n`);
  process.exitCode = 2;
} else {
  const { runCommandLine } = require("./commandLine") as typeof import("./commandLine");
  void runCommandLine(process.argv.slice(2));
}
