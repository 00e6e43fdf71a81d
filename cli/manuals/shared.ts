import type { Flag } from "../manual";

/** Every form in which a command prints rows. */
export const rowFormats = ["table", "json", "ndjson", "csv"] as const;

/** The options that say which stacks declare tokens, for every command that needs to know. */
export const stackFlags = {
  stack: { value: "name", multiple: true, help: 'a stack, by "pulumi stack export"; repeatable' },
  "all-stacks": { help: "every stack that the Pulumi CLI can list, and those of --state" },
  project: { value: "name", help: "with --all-stacks: of this project" },
  organization: { value: "name", help: "with --all-stacks: of this organization" },
  state: {
    value: "file",
    multiple: true,
    names: "file",
    help: "an exported state, or a checkpoint file of a backend; repeatable",
  },
  cwd: { value: "folder", names: "folder", help: "the folder of the Pulumi project" },
} as const satisfies Readonly<Record<string, Flag>>;
