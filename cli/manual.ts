import type { ParseArgsOptionsConfig } from "node:util";
import { defined } from "../values/defined";
import { suggestName } from "../values/nearestName";

/** One option of a command. */
export interface Flag {
  /** The help of the option: no capital, no full stop. */
  readonly help: string;
  /** Name of its value; absent: the option takes no value. */
  readonly value?: string;
  /** Whether it can be given several times. */
  readonly multiple?: true;
  /** The default value. */
  readonly preset?: string;
  /** The values that it can have, for completion. */
  readonly values?: readonly string[];
  /** Whether its value names a file, for completion. */
  readonly names?: "file";
}

/** A command line with its purpose. */
export interface Example {
  readonly what: string;
  /** The text after the command's name. */
  readonly line: string;
  /** The text before the command's name. */
  readonly before?: string;
}

export interface FlagGroup {
  readonly title: string;
  readonly flags: Readonly<Record<string, Flag>>;
}

/**
 * The options and texts of a command. The parser, `--help`, the completions and `docs/commandLine.md` all use them.
 */
export interface Manual {
  /** A few words for the list of commands. */
  readonly summary: string;
  /** Usage lines, after the command's name. */
  readonly usage: readonly string[];
  /** Paragraphs. */
  readonly text: readonly string[];
  readonly argument?: { readonly name: string; readonly values?: readonly string[]; readonly names?: "file" };
  /** Whether another command can follow after "--". */
  readonly takesCommand?: true;
  readonly groups: readonly FlagGroup[];
  readonly examples: readonly Example[];
  /** Paragraphs about the environment and the exit codes. */
  readonly notes: readonly string[];
}

/** The settings of every command that connects. */
export const connectionNote =
  "Set EVENT_DATASETS_BASE_URL to the address of the service, and EVENT_DATASETS_ACCESS_TOKEN to the credential (pulumi-event-datasets doctor tests them).";

/** Every format in which a command prints rows. */
export const rowFormats = ["table", "json", "csv"] as const;

export const rowFormatFlag = {
  value: "format",
  preset: "table",
  values: rowFormats,
  help: rowFormats.join(", "),
} as const satisfies Flag;

/** Every option of a command but `--help`. */
export const flagsOf = ({ groups }: Manual): Readonly<Record<string, Flag>> =>
  Object.assign({}, ...groups.map(({ flags }) => flags));

/** The options as Node.js parses them. */
export const parserOptionsOf = (manual: Manual): ParseArgsOptionsConfig => ({
  ...Object.fromEntries(
    Object.entries(flagsOf(manual)).map(([name, { value, multiple = false, preset }]) => [
      name,
      defined({ type: value === undefined ? "boolean" : "string", multiple, default: preset } as const),
    ]),
  ),
  help: { type: "boolean", short: "h" },
});

/** The end of a message about an unknown name: the nearest known name, and where to look. */
export function suggestAndPoint(name: string, known: readonly string[], see: string): string {
  const suggestion = suggestName(name, known);
  return `${suggestion}${suggestion === "" ? ": see" : " See"} "${see}"`;
}

/** @throws Error unless the argument is one of those that the command takes */
export function checkArgument(name: string, { argument }: Manual, given = ""): void {
  if (!argument?.values || argument.values.includes(given)) return;
  const { values } = argument;
  const hint = suggestAndPoint(given, values, `pulumi-event-datasets ${name} --help`);
  throw new Error(`the ${argument.name} must be one of ${values.join(", ")}${hint}`);
}
