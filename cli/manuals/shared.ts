import type { Flag } from "../manual";

/** Every format in which a command prints rows. */
export const rowFormats = ["table", "json", "ndjson", "csv"] as const;

/** The options for the stacks that declare tokens. */
export const stackFlags = {
  stack: { value: "name", multiple: true, help: 'a stack, read with "pulumi stack export"; repeatable' },
  "all-stacks": { help: "every stack that the Pulumi CLI lists, and those of --state" },
  project: { value: "name", help: "with --all-stacks: only stacks of this project" },
  organization: { value: "name", help: "with --all-stacks: only stacks of this organization" },
  state: {
    value: "file",
    multiple: true,
    names: "file",
    help: "an exported state, or a checkpoint file of a backend; repeatable",
  },
  cwd: { value: "folder", names: "folder", help: "the folder of the Pulumi project" },
} as const satisfies Readonly<Record<string, Flag>>;
