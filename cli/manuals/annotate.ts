import type { Manual } from "../manual";

export const annotate = {
  summary: "record a deployment",
  usage: "--dataset <name>… [options] [-- <command> [arguments]]",
  text: 'Runs a command, such as "pulumi up --yes", and records an annotation from its start to its end. Its type is <type> if the command succeeded, and <type>-failed if it failed. The output, the signals and the exit code are those of the command. Without a command, it records one annotation and prints its id. Missing options are filled in from the CI system or from git: commit, branch, actor, run and pull request.',
  takesCommand: true,
  flags: {
    dataset: { value: "name", multiple: true, help: "datasets to annotate, separated by commas; repeatable" },
    title: { value: "text", help: "default: repository and commit" },
    description: {
      value: "text",
      help: "default: commit, branch, actor, run, pull request, and how the command failed",
    },
    type: { value: "name", preset: "deploy", help: "the annotation's type" },
    commit: { value: "hash", help: "the deployed commit, for example in a rollback (default: that of CI or git)" },
    url: {
      value: "address",
      help: "without its user name and password (default: the CI run, or the commit's page)",
    },
    time: { value: "timestamp", help: "without a command: the time, such as 2027-01-31T12:00:00Z (default: now)" },
    "end-time": { value: "timestamp", help: "without a command: the end of a time range" },
    required: { help: "exit with 2 if the command succeeded but could not be recorded (default: a warning)" },
  },
  examples: [
    { what: "a deployment, with its duration", line: "annotate --dataset web -- pulumi up --yes" },
    { what: "a single event", line: 'annotate --dataset web --title "cache flushed" --type operations' },
  ],
  exitCodes:
    "Exit code: that of the command; 127 if it was not found, 126 if it could not be started; 2 for wrong options or, with --required, if the command succeeded but was not recorded. Without a command: 0, or 2 if nothing was recorded.",
} as const satisfies Manual;
