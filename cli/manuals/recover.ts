import { connectionNote, type Manual } from "../manual";

export const recover = {
  summary: "say what an interrupted update left, and what mends it",
  usage: ["[options]"],
  text: [
    "Looks at a stack after an update was interrupted, and prints, in order, what is wrong and the command that mends it: provider hosts whose engine is gone (on Linux), files that hinder every command, a lock, creates that never ended and their tokens, recorded tokens that are gone.",
  ],
  groups: [
    {
      title: "Options",
      flags: {
        stack: { value: "name", help: "the stack (default: the selected one of this folder)" },
        cwd: { value: "folder", names: "folder", help: "the folder of the Pulumi project" },
        state: { value: "file", names: "file", help: "reads this state in place of the engine's" },
        backend: {
          value: "url",
          help: "address of a backend on disk, file:///… (default: PULUMI_BACKEND_URL)",
        },
        apply: {
          help: "does what destroys nothing: hosts and locks of updates that ended, empty files, a checkpoint's backup",
        },
      },
    },
  ],
  examples: [
    { what: "after a killed update", line: "recover --stack prod" },
    { what: "and do what destroys nothing", line: "recover --stack prod --apply" },
  ],
  notes: [connectionNote, "Exit codes: 0 nothing is left to mend, 1 something is, 2 could not tell."],
} as const satisfies Manual;
