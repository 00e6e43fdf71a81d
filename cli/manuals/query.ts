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
          help: "table; json: the whole answer; ndjson: an object a row; csv: text that a spreadsheet would take for a formula gets a ' before it",
        },
        timeout: { value: "s", preset: "120", help: "give up after so many seconds" },
      },
    },
  ],
  examples: [
    { what: "the last hour", line: "query \"['web'] | summarize count() by status\" --start now-1h" },
    { what: "for another program", line: "query \"['web'] | take 100\" --output ndjson" },
  ],
  notes: [
    connectionNote,
    "Warnings of the service go to standard error. Exit codes: 0 answered, also where nothing matches; 2 not answered.",
  ],
} as const satisfies Manual;
