"use strict";

// Runs the built command line again and again, as main.js runs it once: with an environment, a folder and an input of each run's own.
// Node.js and the client's libraries are loaded once, which takes longer than all the rest of a command.

const { runCommandLine } = require("../../dist/cli/commandLine.js");
const { processIo } = require("../../dist/cli/processIo.js");
const { makeVisible } = require("../../dist/cli/text.js");

/** How often to look whether a command has left anything, in milliseconds, and how many times at most. */
const pause = 5;
const mostLooks = 24_000;

process.on("disconnect", () => process.exit()); // the suite has ended, however it did
process.on("message", async (/** @type {import("../support/cli").HostRequest} */ { args, cwd, env, stdin, mark }) => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  const answer = await run(args, stdin);
  for (const stream of [process.stdout, process.stderr]) stream.write(mark);
  process.send?.(answer);
});

void [process.stdin, process.stdout, process.stderr]; // opened by being asked for
/** The resources that keep this process alive while no command runs. */
const idle = process.getActiveResourcesInfo();

/**
 * @param {readonly string[]} args
 * @param {string} stdin
 * @returns {Promise<import("../support/cli").HostAnswer>}
 */
async function run(args, stdin) {
  const io = { ...processIo, readInput: async () => stdin };
  const ending = await runCommandLine(args, io).catch((failure) => {
    processIo.warn(makeVisible(failure.message));
    return 2;
  });
  // Who asks for the signal asks for a process of its own.
  if (typeof ending !== "number") return { failure: `the command was ended by ${ending}` };
  const left = await leftovers();
  return left.length === 0 ? { code: ending } : { failure: `the process would stay for ${left.join(", ")}` };
}

/** The resources that would keep the command's own process alive, after a wait for them to end. */
async function leftovers() {
  for (let looks = 1; ; looks++) {
    const left = process.getActiveResourcesInfo();
    for (const name of idle) {
      const at = left.indexOf(name);
      if (at >= 0) left.splice(at, 1);
    }
    if (left.length === 0 || looks === mostLooks) return left;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
