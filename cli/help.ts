import { type Example, type Flag, flagsOf, type Manual, program } from "./manual";
import type { overview } from "./manuals";

/** The width of every help: that of the narrowest usual terminal. */
const width = 80;

/** The text of `pulumi-event-datasets --help`. */
export function generalHelp(
  manuals: Readonly<Record<string, Manual>>,
  { variables, examples, notes }: typeof overview,
): string {
  const options = {
    "-h, --help": `print this help; "${program} help <command>" explains one command`,
    "-V, --version": "print the version",
  };
  return [
    usage("<command> [options]"),
    commandsOf(manuals),
    section("Options", Object.entries(options)),
    section("Environment", Object.entries(variables)),
    list(examples),
    notes.map((note) => fold(note)).join("\n"),
  ].join("\n\n");
}

/** The text of `pulumi-event-datasets <group> --help`. */
export function groupHelp(group: string, manuals: Readonly<Record<string, Manual>>): string {
  const own = Object.entries(manuals).filter(([name]) => name.startsWith(`${group} `));
  const see = `"${program} help ${group} <command>" explains one command.`;
  return [usage(`${group} <command> [options]`), commandsOf(Object.fromEntries(own)), see].join("\n\n");
}

const commandsOf = (manuals: Readonly<Record<string, Manual>>): string =>
  section(
    "Commands",
    Object.entries(manuals).map(([name, { summary }]) => [name, summary] as const),
  );

/** The text of `pulumi-event-datasets <command> --help`. */
export function commandHelp(name: string, manual: Manual): string {
  const options = Object.entries(flagsOf(manual)).map(describe);
  return [
    usage(`${name} ${manual.usage}`.trimEnd()),
    fold(manual.text),
    section("Options", options),
    list(manual.examples),
    fold(manual.exitCodes),
  ].join("\n\n");
}

function describe([name, { short, value, preset, bare, help }]: [string, Flag]): readonly [string, string] {
  const form = bare === undefined ? ` <${value}>` : `[=<${value}>]`;
  const long = value === undefined ? `--${name}` : `--${name}${form}`;
  const term = short === undefined ? long : `-${short}, ${long}`;
  return [term, preset === undefined ? help : `${help} (default: ${preset})`];
}

const usage = (form: string): string => `Usage: ${fold(`${program} ${form}`, 11, 7)}`;

/** Terms with their meanings beside them. */
function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const column = Math.max(...rows.map(([term]) => term.length));
  const lines = rows.map(([term, meaning]) => `  ${term.padEnd(column)}  ${fold(meaning, column + 4)}`);
  return `${title}:\n${lines.join("\n")}`;
}

/** Commands with the purpose of each, on a line each, so that they can be copied. */
const list = (examples: readonly Example[]): string =>
  `Examples:\n${examples.map(({ what, line, before = "" }) => `  # ${what}\n  ${before}${program} ${line}`).join("\n")}`;

/** Breaks a text at spaces, and indents every line but the first. A word that is longer than a line stays whole. */
function fold(text: string, indent = 0, before = indent): string {
  const line = new RegExp(`\\S(?:.{0,${width - Math.max(indent, before) - 1}}(?= |$)|\\S*)`, "g");
  return (text.match(line) ?? []).join(`\n${" ".repeat(indent)}`);
}
