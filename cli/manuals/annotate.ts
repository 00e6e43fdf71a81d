import { connectionNote, type Manual } from "../manual";

export const annotate = {
  summary: "record a deployment",
  usage: ["--dataset <name>… [options] [-- <command> [arguments]]"],
  text: [
    'Runs a command, such as "pulumi up --yes", and records an annotation over the time that it took: of type <type> if it succeeded, else of type <type>-failed. The command\'s output, signals and exit code are passed through as they are; all that this adds goes to standard error. Without a command it records one annotation and prints its id.',
    "Options that you leave out are filled in from the CI system, or from git: commit, branch, actor, run and pull request.",
  ],
  takesCommand: true,
  groups: [
    {
      title: "Options",
      flags: {
        dataset: { value: "name", multiple: true, help: "a dataset to annotate; may be repeated" },
        title: { value: "text", help: "default: repository and commit" },
        description: {
          value: "text",
          help: "default: commit, branch, actor, run, pull request, and how the command failed",
        },
        type: { value: "name", preset: "deploy", help: "the annotation's type" },
        url: { value: "address", help: "default: the CI run, or the commit's page" },
        time: {
          value: "instant",
          help: "without a command: when it applies, such as 2027-01-31T12:00:00Z (default: now)",
        },
        "end-time": { value: "instant", help: "without a command: the end of a range" },
        required: {
          help: "exit code 2 if the command succeeded but was not recorded. Otherwise that is a warning",
        },
      },
    },
  ],
  examples: [
    { what: "a deployment, over the time that it takes", line: "annotate --dataset web -- pulumi up --yes" },
    { what: "a moment", line: 'annotate --dataset web --title "cache flushed" --type operations' },
  ],
  notes: [
    connectionNote,
    "Exit codes: the command's; 127 if it was not found; without a command 0, or 2 if nothing was recorded.",
  ],
} as const satisfies Manual;
