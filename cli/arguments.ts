import { parseArgs } from "node:util";
import { parseDuration } from "../values/duration";
import type { ValuesOf } from "./command";
import { type commonFlags, type Flag, flagsOf, type Manual, parserOptionsOf, program, suggestAndPoint } from "./manual";

/** The arguments of a command as far as they can be read, and what is wrong with them. */
export interface ReadArguments<M extends Manual> {
  readonly values: ValuesOf<M["flags"] & typeof commonFlags>;
  readonly argument: string | undefined;
  /** The command that follows "--". */
  readonly command: readonly string[];
  /** A message about the first mistake. It quotes no value, which may be a secret behind a mistyped option. */
  readonly problem: string | undefined;
}

/** Reads the arguments of a command. Never throws: a command removes old results even if an option is invalid. */
export function readArguments<M extends Manual>(name: string, manual: M, args: readonly string[]): ReadArguments<M> {
  const end = manual.takesCommand ? args.indexOf("--") : -1;
  const own = (end < 0 ? args : args.slice(0, end)).map((arg) => withBareValue(arg, manual));
  const command = end < 0 ? [] : args.slice(end + 1);
  const options = parserOptionsOf(manual);
  const lenient = { strict: false, allowPositionals: true, tokens: true } as const;
  const { values, positionals, tokens } = parseArgs({ args: own, options, ...lenient });
  const see = `${program} ${name} --help`;
  const mistake = findMistake(tokens, manual, see) ?? countMistake(positionals, name, manual);
  const lost = end >= 0 && command.length === 0 ? 'a command is missing after "--"' : undefined;
  const problem = mistake ?? lost ?? findUnknownArgument(positionals[0], manual, see);
  return {
    values: completeValues(values, manual) as ReadArguments<M>["values"],
    argument: positionals[0],
    command,
    problem: problem?.includes(see) === false ? `${problem}: see "${see}"` : problem,
  };
}

/** A value for each option: those that are not given, and empty ones, have none. */
const completeValues = (values: ReturnType<typeof parseArgs>["values"], manual: Manual) =>
  Object.fromEntries(
    Object.entries(flagsOf(manual)).map(([name, { value, multiple }]) => {
      const texts = [values[name] ?? []].flat().filter((one) => typeof one === "string" && one !== "");
      return [name, value === undefined ? values[name] === true : multiple ? texts : texts[0]];
    }),
  );

/** Node.js knows only options with a value and options without one. */
function withBareValue(arg: string, { flags }: Manual): string {
  const bare = arg.startsWith("--") ? flags[arg.slice(2)]?.bare : undefined;
  return bare === undefined ? arg : `${arg}=${bare}`;
}

type Tokens = NonNullable<ReturnType<typeof parseArgs>["tokens"]>;

/** The first mistake in the options. Ignoring an empty value, or all values but the last, would select the wrong objects. */
function findMistake(tokens: Tokens, manual: Manual, see: string): string | undefined {
  const flags = new Map(Object.entries(flagsOf(manual)));
  const seen = new Set<string>();
  for (const { name, rawName, value, inlineValue } of tokens.filter((token) => token.kind === "option")) {
    const flag = flags.get(name);
    const known = [...flags.keys()].map((one) => `--${one}`);
    if (!flag) return `Unknown option '${rawName}'${suggestAndPoint(rawName, known, see)}`;
    if (flag.value === undefined) {
      if (value !== undefined) return `--${name}: takes no value`;
      continue;
    }
    if (value === undefined) return `--${name}: its value is missing`;
    if (value === "")
      return `--${name}: is empty, perhaps because a variable is not set: give a value or omit the option`;
    if (!inlineValue && /^-./.test(value))
      return `--${name}: its value is missing; a value that begins with "-" needs "="`;
    if (seen.has(name) && !flag.multiple) return `--${name}: is given more than once`;
    seen.add(name);
    const form = describeForm(value, flag);
    if (form !== undefined) return `--${name}: must be ${form}`;
  }
  return undefined;
}

/** Describes the values that an option can have, if this one is none of them. */
function describeForm(text: string, { value, values, isDuration }: Flag): string | undefined {
  if (isDuration && parseDuration(text) === undefined) return "a duration such as 12h, 14d or P90D";
  const word = value?.includes("=") ? text.split("=", 1)[0] : text;
  return !values || values.some((one) => one === word) ? undefined : `one of ${values.join(", ")}`;
}

function countMistake({ length }: readonly string[], name: string, { argument }: Manual): string | undefined {
  if (length > 0 && argument === undefined) return `${name} takes options only`;
  return length > 1 ? `${name} takes one ${argument?.name}` : undefined;
}

function findUnknownArgument(given = "", { argument }: Manual, see: string): string | undefined {
  if (!argument?.values || argument.values.includes(given)) return undefined;
  const { name, values } = argument;
  return `the ${name} must be one of ${values.join(", ")}${suggestAndPoint(given, values, see)}`;
}
