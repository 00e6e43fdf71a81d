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
        dataset: { value: "name", multiple: true, help: "annotations of this dataset; repeatable" },
        type: { value: "name", help: "annotations of this type" },
        start: {
          value: "time",
          help: "annotations that end at this time or later: an RFC 3339 instant, now, now-1h, now-7d",
        },
        end: { value: "time", help: "annotations that begin before this time" },
        output: { value: "format", preset: "table", values: rowFormats, help: rowFormats.join(", ") },
      },
    },
  ],
  examples: [
    { what: "deployments of the last week", line: "annotations list --type deploy --start now-7d" },
    { what: "for another program", line: "annotations list --dataset web --output json" },
  ],
  notes: [connectionNote, "Exit codes: 0 success, even without matches; 2 failure."],
} as const satisfies Manual;
