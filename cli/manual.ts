import type { ParseArgsOptionsConfig } from "node:util";
import { defined } from "../values/defined";
import { suggestName } from "../values/nearestName";

/** One option of a command. */
export interface Flag {
  /** What it does: no capital, no full stop. */
  readonly help: string;
  /** What its value is called; absent: it takes none. */
  readonly value?: string;
  /** Whether it can be given several times. */
  readonly multiple?: true;
  /** The value where it is not given. */
  readonly preset?: string;
  /** The values that it can have, for completion. */
  readonly values?: readonly string[];
  /** What its value is the name of, for completion. */
  readonly names?: "file" | "folder";
}

/** A command line, and what it is for. */
export interface Example {
  readonly what: string;
  /** What follows the command's name. */
  readonly line: string;
  /** What stands before the command's name. */
  readonly before?: string;
}

export interface FlagGroup {
  readonly title: string;
  readonly flags: Readonly<Record<string, Flag>>;
}

/**
 * All that is said of a command: its options are read by it, and `--help`, the completions and `docs/commandLine.md` are made
 * from it.
 */
export interface Manual {
  /** A few words for the list of commands. */
  readonly summary: string;
  /** The forms that it is called in, after the command's name. */
  readonly usage: readonly string[];
  /** Paragraphs. */
  readonly text: readonly string[];
  readonly argument?: {
    readonly name: string;
    readonly values?: readonly string[];
    readonly names?: "file";
  };
  /** Whether another command can follow after "--". */
  readonly takesCommand?: true;
  readonly groups: readonly FlagGroup[];
  readonly examples: readonly Example[];
  /** Paragraphs about the environment and the exit codes. */
  readonly notes: readonly string[];
}

/** What every command is connected by. */
export const connectionNote =
  "The service is EVENT_DATASETS_BASE_URL, the credential EVENT_DATASETS_ACCESS_TOKEN (event-datasets doctor tests them).";

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

/** The end of a message about a name that is not known: the nearest one that is, and where to look. */
export function suggestAndPoint(name: string, known: readonly string[], see: string): string {
  const suggestion = suggestName(name, known);
  return `${suggestion}${suggestion === "" ? ": see" : " See"} "${see}"`;
}

/** @throws Error unless the argument is one of those that the command takes */
export function checkArgument(name: string, { argument }: Manual, given = ""): void {
  if (!argument?.values || argument.values.includes(given)) return;
  const { values } = argument;
  const allowed = `${values.length > 1 ? "one of " : ""}${values.join(", ")}`;
  throw new Error(
    `the ${argument.name} must be ${allowed}${suggestAndPoint(given, values, `event-datasets ${name} --help`)}`,
  );
}
