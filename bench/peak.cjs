// @ts-check
"use strict";
// Loaded into a measured process: tells the largest resident size, in KiB, to whoever measures.
const { writeSync } = require("node:fs");

process.once("exit", () => {
  writeSync(3, String(process.resourceUsage().maxRSS));
});
