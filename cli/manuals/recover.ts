import { connectionNote, type Manual } from "../manual";

export const recover = {
  summary: "diagnose an interrupted update and show how to fix it",
  usage: ["[options]"],
  text: [
    "Looks at a stack after an update was interrupted, and prints each problem with the command that fixes it, in the order in which to run them: provider hosts whose engine is gone (on Linux), files that make every command fail, a lock, creates that never finished and their tokens, recorded tokens that no longer exist. The commands name the same stack, folder, state and backend; run them in this folder. On a backend that several projects share, the name means a stack of this project, unless --stack has the full name.",
  ],
  groups: [
    {
      title: "Options",
      flags: {
        stack: {
          value: "name",
          help: "the stack (default: the files of every stack of this project, and the state of the selected one)",
        },
        cwd: { value: "folder", names: "folder", help: "the folder of the Pulumi project" },
        state: { value: "file", names: "file", help: "read this state instead of exporting the stack" },
        backend: {
          value: "url",
          help: "address of the backend, such as file:///… (default: the one that the Pulumi CLI uses here)",
        },
        apply: {
          help: "run the non-destructive fixes: stop leftover hosts, remove empty files and locks of updates that have certainly ended, restore the backup of a checkpoint",
        },
      },
    },
  ],
  examples: [
    { what: "after a killed update", line: "recover --stack prod" },
    { what: "run the non-destructive fixes, too", line: "recover --stack prod --apply" },
  ],
  notes: [connectionNote, "Exit codes: 0 no problems left, 1 problems found, 2 could not tell."],
} as const satisfies Manual;
