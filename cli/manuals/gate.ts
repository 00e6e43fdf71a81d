import type { Manual } from "../manual";

export const gate = {
  summary: "wait until the value of a query is within bounds",
  usage: "<apl> --max <number> [options]",
  text: "Repeats a query until its value is within the bounds, as the resource QueryGate does, for pipelines that deploy without Pulumi. Every attempt covers the last 5 minutes. For a shorter time, filter _time in the query; for a longer one, use --settle: the value must then pass at every attempt. Missing data, an unknown field, a failed query and a result with a serious warning of the service do not pass.",
  argument: { name: "query" },
  flags: {
    max: { value: "number", help: "largest value that passes" },
    min: { value: "number", help: "smallest value that passes" },
    equals: { value: "value", help: "only value that passes: a number, true, false or a string" },
    column: { value: "name", help: "the column whose value must pass in every row (default: a single value)" },
    every: { value: "duration", help: "pause between two attempts (default: 15s)" },
    for: { value: "duration", help: "overall time limit (default: 5m)" },
    settle: { value: "duration", help: "how long the value must pass at every attempt (default: once)" },
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
