#!/usr/bin/env node
try {
  require("./checkNode");
  const { runCommandLine } = require("./commandLine") as typeof import("./commandLine");
  void runCommandLine(process.argv.slice(2));
} catch (failure) {
  process.stderr.write(`${(failure as Error).message}\n`);
  process.exitCode = 2;
}
