import type { Manual } from "../manual";

export const recover = {
  summary: "find the tokens that an interrupted update left behind",
  usage: "[options]",
  text: "Finds what an interrupted update left behind in a stack: creates that never finished and their tokens, resources that were recorded without an id, deletions that were refused, recorded tokens that no longer exist. It prints each problem, and then the commands that fix all of them. Paste them in one piece. First make sure that no update of the stack is running.",
  flags: {
    stack: { value: "name", help: "the stack (default: the selected one)" },
    state: { value: "file", help: "read this state instead of exporting the stack" },
  },
  examples: [{ what: "after a killed update", line: "recover --stack prod" }],
  exitCodes: "Exit codes: 0 no problems found, 1 problems found, 2 could not check.",
} as const satisfies Manual;
