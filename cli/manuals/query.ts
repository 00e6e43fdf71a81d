import { type Manual, rowFormatFlag } from "../manual";

export const query = {
  summary: "run a query and print its rows",
  usage: "<apl> [options]",
  text: "Runs a query and prints its rows: events, or the groups of a query that aggregates. Warnings of the service go to standard error.",
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
    { what: "every event of a day, all pages", line: "query \"['web']\" --start now-1d --end now --all --output json" },
  ],
  exitCodes: "Exit codes: 0 success, even without matches; 2 failure.",
} as const satisfies Manual;
