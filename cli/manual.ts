import type { ParseArgsOptionsConfig } from "node:util";
import { defined } from "../values/defined";
import { suggestName } from "../values/nearestName";

/** The command's name. */
export const program = "pulumi-event-datasets";

/** One option of a command. */
export interface Flag {
  /** The help text of the option: no capital letter at the start, no full stop at the end. */
  readonly help: string;
  /** One letter, the same as in `pulumi` or `gh` for such an option. */
  readonly short?: string;
  /** Name of its value; absent if the option takes no value. */
  readonly value?: string;
  /** Whether it can be repeated. */
  readonly multiple?: true;
  /** The default value. */
  readonly preset?: string;
  /** The value if the option is given without one. */
  readonly bare?: string;
  /** The allowed values. If `value` contains "=", they are allowed for the part before it. */
  readonly values?: readonly string[];
  /** Its value is a duration such as 14d. */
  readonly isDuration?: true;
}

/** A command line with its purpose. */
export interface Example {
  readonly what: string;
  /** The command line after the name of the program. */
  readonly line: string;
  /** The command line before the name of the program. */
  readonly before?: string;
}

/**
 * The options and texts of a command. The parser, `--help`, the completions and `docs/commandLine.md` all use them.
 */
export interface Manual {
  /** A few words for the list of commands. */
  readonly summary: string;
  /** The usage after the command's name. */
  readonly usage: string;
  readonly text: string;
  readonly argument?: { readonly name: string; readonly values?: readonly string[] };
  /** Whether another command can follow after "--". */
  readonly takesCommand?: true;
  /** Its options, without those that every command has. */
  readonly flags: Readonly<Record<string, Flag>>;
  readonly examples: readonly Example[];
  /** The last paragraph: the exit codes. */
  readonly exitCodes: string;
}

export const rowFormatFlag = {
  value: "format",
  short: "o",
  preset: "table",
  values: ["table", "json"],
  help: "table, or json: complete and exact",
} as const satisfies Flag;

/** The options of every command. */
export const commonFlags = {
  cwd: { short: "C", value: "folder", help: "run as if in this folder" },
  help: { short: "h", help: "print this help" },
} as const satisfies Manual["flags"];

export const flagsOf = ({ flags }: Pick<Manual, "flags">): Manual["flags"] => ({ ...flags, ...commonFlags });

/** The options as Node.js parses them. */
export const parserOptionsOf = (manual: Manual): ParseArgsOptionsConfig =>
  Object.fromEntries(
    Object.entries(flagsOf(manual)).map(([name, { value, multiple = false, preset, short }]) => [
      name,
      defined({ type: value === undefined ? "boolean" : "string", multiple, default: preset, short } as const),
    ]),
  );

/** The end of a message about an unknown name: the nearest known name, and the help to read. */
export function suggestAndPoint(name: string, known: readonly string[], see: string): string {
  const suggestion = suggestName(name, known);
  return `${suggestion}${suggestion === "" ? ": see" : " See"} "${see}"`;
}
