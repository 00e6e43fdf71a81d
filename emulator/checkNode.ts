/** Older versions fail while other modules are loaded, with a message about something else. So this is imported first. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19))
  throw new Error(`event-datasets-emulator needs Node.js 22.19 or newer, but this is ${process.version}`);
