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
          help: "only events from this time on: an RFC 3339 instant, now, now-1h, now-7d (s, m, h, d, w)",
        },
        end: { value: "time", help: "only events before this time" },
        request: { value: "file", names: "file", help: "a structured query, as a JSON object, in place of <apl>" },
        dataset: { value: "id", help: "the dataset that the structured query is over" },
        totals: { help: "the totals of a query that aggregates, in place of its rows" },
        output: {
          value: "format",
          preset: "table",
          values: rowFormats,
          help: "table; json: the whole answer; ndjson: an object a row; csv: for spreadsheets, where a text that looks like a formula gets a ' before it and a control character is shown by its code. json and ndjson keep every value exact",
        },
        all: {
          help: "all pages of a list of events, one after another. A query in text needs the profile extended for it; json: a list of answers",
        },
        nocache: { help: "not from the service's cache. Needs the profile extended" },
        "save-as-kind": {
          value: "kind",
          help: "has the service save the query as this kind. Needs the profile extended; such a query is sent once only",
        },
        "save-as-dataset": { value: "name", help: "the dataset that goes with --save-as-kind of a query in text" },
        timeout: { value: "s", preset: "120", help: "give up after so many seconds" },
      },
    },
  ],
  examples: [
    { what: "the last hour", line: "query \"['web'] | summarize count() by status\" --start now-1h" },
    {
      what: "every event of a day, as the service pages them",
      line: "query \"['web']\" --start now-1d --end now --all --output ndjson",
    },
    { what: "for another program", line: "query \"['web'] | take 100\" --output ndjson" },
  ],
  notes: [
    connectionNote,
    "Warnings of the service go to standard error. Exit codes: 0 answered, also where nothing matches; 2 not answered.",
  ],
} as const satisfies Manual;
