import { type Manual, rowFormatFlag } from "../manual";

export const query = {
  summary: "run a query and print its rows",
  usage: "<apl> [options]",
  text: "Runs a query and prints its rows: events, or the groups of a query that aggregates. Warnings from the service go to standard error.",
  argument: { name: "query" },
  flags: {
    start: {
      value: "time",
      help: "start of the time range: an RFC 3339 timestamp, now, now-1h, now-7d (s, m, h, d, w)",
    },
    end: { value: "time", help: "end of the time range, exclusive" },
    output: rowFormatFlag,
    all: {
      help: "fetch all pages of a list of events that is sorted by time. Needs the profile extended; with json, the result is a list of responses",
    },
  },
  examples: [
    { what: "the last hour", line: "query \"['web'] | summarize count() by status\" --start now-1h" },
    {
      what: "every event of the last 24 hours, page by page",
      line: "query \"['web']\" --start now-1d --end now --all --output json",
    },
  ],
  exitCodes: "Exit codes: 0 success, even without matches; 2 failure.",
} as const satisfies Manual;

export const gate = {
  summary: "wait until the value of a query is within bounds",
  usage: "<apl> --max <number> [options]",
  text: "Repeats a query until its value is within the bounds, as the resource QueryGate does, for pipelines that deploy without Pulumi. Every attempt covers the last 5 minutes. For a shorter period, filter by _time in the query; for a longer one, use --settle: the value must then pass at every attempt. Missing data, an unknown field, a failed query and a result with a serious warning from the service do not pass.",
  argument: { name: "query" },
  flags: {
    max: { value: "number", help: "the largest value that passes" },
    min: { value: "number", help: "the smallest value that passes" },
    equals: { value: "value", help: "the only value that passes: a number, true, false or a string" },
    column: { value: "name", help: "the column whose value must pass in every row (default: a single value)" },
    every: { value: "duration", help: "pause between two attempts (default: 15s)" },
    for: { value: "duration", help: "overall time limit (default: 5m)" },
    settle: { value: "duration", help: "how long the value must keep passing (default: one attempt is enough)" },
  },
  examples: [
    {
      what: "no more than 5 errors, for 3 minutes",
      line: "gate \"['web'] | where status >= 500 | summarize count()\" --max 5 --for 10m --settle 3m",
    },
    {
      what: "only the last minute counts",
      line: "gate \"['web'] | where _time > ago(1m) | summarize count()\" --min 100",
    },
  ],
  exitCodes:
    "Exit codes: 0 the gate passed; 1 the value did not pass in time; 2 could not check: no value arrived, the query was refused, or an option is wrong.",
} as const satisfies Manual;

export const annotate = {
  summary: "record a deployment",
  usage: "--dataset <name>… [options] [-- <command> [arguments]]",
  text: 'Runs a command, such as "pulumi up --yes", and records an annotation from its start to its end. Its type is <type> if the command succeeded, and <type>-failed if it failed. The output, the signals and the exit code are those of the command. Without a command, it records one annotation and prints its id. The texts that you do not give name the commit, the branch, the actor, the run and the pull request, as far as the CI system or git reports them.',
  takesCommand: true,
  flags: {
    dataset: { value: "name", multiple: true, help: "datasets to annotate, separated by commas; repeatable" },
    title: { value: "text", help: "default: repository and commit" },
    description: {
      value: "text",
      help: "default: commit, branch, actor, run, pull request, and how the command failed",
    },
    type: { value: "name", preset: "deploy", help: "the annotation's type" },
    commit: {
      value: "hash",
      help: "the deployed commit, for example in a rollback (default: the commit that CI or git reports)",
    },
    url: {
      value: "address",
      help: "link of the annotation, without a user name or password (default: the page of the CI run or of the commit)",
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
