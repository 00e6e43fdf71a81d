import { connectionNote, type Manual } from "../manual";
import { rowFormats } from "./shared";

export const annotations = {
  summary: "list annotations",
  usage: ["list [options]"],
  text: ["Prints annotations, the newest first. Needs the profile extended (EVENT_DATASETS_PROFILE)."],
  argument: { name: "subcommand", values: ["list"] },
  groups: [
    {
      title: "Options",
      flags: {
        dataset: { value: "name", multiple: true, help: "those of this dataset; repeatable: of any of them" },
        type: { value: "name", help: "those of this type" },
        start: {
          value: "time",
          help: "those that end at this time or later: an RFC 3339 instant, now, now-1h, now-7d",
        },
        end: { value: "time", help: "those that begin before this time" },
        output: { value: "format", preset: "table", values: rowFormats, help: rowFormats.join(", ") },
      },
    },
  ],
  examples: [
    { what: "what was deployed in the last week", line: "annotations list --type deploy --start now-7d" },
    { what: "for another program", line: "annotations list --dataset web --output json" },
  ],
  notes: [connectionNote, "Exit codes: 0 answered, also where nothing fits; 2 not answered."],
} as const satisfies Manual;
