import { connectionNote, type Manual } from "../manual";
import { rowFormats } from "./shared";

export const query = {
  summary: "run a query and print its rows",
  usage: ["<apl> [options]", "--request <file> --dataset <id> [options]"],
  text: ["Runs a query and prints its rows: events, or the groups of a query that aggregates."],
  argument: { name: "query" },
  groups: [
    {
      title: "Options",
      flags: {
        start: {
          value: "time",
          help: "start of the time range: an RFC 3339 instant, now, now-1h, now-7d (s, m, h, d, w)",
        },
        end: { value: "time", help: "end of the time range, exclusive" },
        request: { value: "file", names: "file", help: "a structured query as a JSON object, instead of <apl>" },
        dataset: { value: "id", help: "the dataset of the structured query" },
        totals: { help: "print the totals of an aggregating query instead of its rows" },
        output: {
          value: "format",
          preset: "table",
          values: rowFormats,
          help: "table; json: the complete response; ndjson: one object per row; csv: for spreadsheets: text that looks like a formula gets a leading ' and control characters are shown as codes. json and ndjson keep every value exact",
        },
        all: {
          help: "fetch all pages of a list of events. An APL query needs the profile extended; with json, the result is a list of responses",
        },
        nocache: { help: "bypass the service's cache. Needs the profile extended" },
        "save-as-kind": {
          value: "kind",
          help: "save the query at the service as this kind. Needs the profile extended; the request is never retried",
        },
        "save-as-dataset": { value: "name", help: "the dataset for --save-as-kind of an APL query" },
        timeout: {
          value: "s",
          help: "time limit in seconds, at most 3600 (default: EVENT_DATASETS_QUERY_DEADLINE, or 120)",
        },
      },
    },
  ],
  examples: [
    { what: "the last hour", line: "query \"['web'] | summarize count() by status\" --start now-1h" },
    {
      what: "every event of a day, all pages",
      line: "query \"['web']\" --start now-1d --end now --all --output ndjson",
    },
    { what: "for another program", line: "query \"['web'] | take 100\" --output ndjson" },
  ],
  notes: [
    connectionNote,
    "Warnings of the service go to standard error. Exit codes: 0 success, even without matches; 2 failure.",
  ],
} as const satisfies Manual;
