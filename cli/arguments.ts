import { parseArgs } from "node:util";
import type { Values } from "./command";
import { flagsOf, type Manual, parserOptionsOf, suggestAndPoint } from "./manual";

/** The arguments of a command as far as they can be read, and what is wrong with them. */
export interface ReadArguments {
  readonly values: Values;
  readonly positionals: readonly string[];
  /** The command that follows "--". */
  readonly command: readonly string[];
  /** A message about the first mistake. It quotes no value, which may be a secret behind a mistyped option. */
  readonly problem: string | undefined;
}

type Parsed = ReturnType<typeof parse>;
type OptionToken = Extract<NonNullable<Parsed["tokens"]>[number], { readonly kind: "option" }>;

const parse = (manual: Manual, args: readonly string[]) =>
  parseArgs({ args: [...args], options: parserOptionsOf(manual), strict: false, allowPositionals: true, tokens: true });

/** Reads the arguments of a command. Never throws: a command that gives up needs those that could be read. */
export function readArguments(name: string, manual: Manual, args: readonly string[]): ReadArguments {
  const end = manual.takesCommand ? args.indexOf("--") : -1;
  const { values, positionals, tokens } = parse(manual, end < 0 ? args : args.slice(0, end));
  const options = tokens.filter((token) => token.kind === "option");
  const command = end < 0 ? [] : args.slice(end + 1);
  const problem =
    options.map((option) => problemOf(option, name, manual)).find((found) => found !== undefined) ??
    countProblem(positionals.length, name, manual) ??
    (end >= 0 && command.length === 0 ? 'a command is missing after "--"' : undefined);
  return { values, positionals, command, problem };
}

function countProblem(many: number, name: string, { argument }: Manual): string | undefined {
  if (many > 0 && argument === undefined) return `${name} takes options only: ${seeHelp(name)}`;
  return many > 1 ? `${name} takes one ${argument?.name}: ${seeHelp(name)}` : undefined;
}

function problemOf({ name, rawName, value, inlineValue }: OptionToken, command: string, manual: Manual) {
  if (name === "help") return value === undefined ? undefined : `${rawName}: takes no value: ${seeHelp(command)}`;
  const flags = flagsOf(manual);
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (!flag) {
    const known = [...Object.keys(flags), "help"].map((one) => `--${one}`);
    return `there is no option ${rawName}${suggestAndPoint(rawName, known, `pulumi-event-datasets ${command} --help`)}`;
  }
  if (flag.value === undefined)
    return value === undefined ? undefined : `${rawName}: takes no value: ${seeHelp(command)}`;
  if (value === undefined) return `${rawName}: needs a value: ${seeHelp(command)}`;
  // To ignore it would select more than was meant, such as every token instead of those of a name.
  if (value === "") return `${rawName}: is empty, as with an unset variable of a script: set it or omit the option`;
  // The next option is taken for the value: it was forgotten.
  if (!inlineValue && /^-./.test(value))
    return `${rawName}: needs a value; one that begins with "-" is written as ${rawName}=<${flag.value}>`;
  return undefined;
}

const seeHelp = (command: string): string => `see "pulumi-event-datasets ${command} --help"`;
