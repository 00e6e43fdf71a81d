import { type Flag, flagsOf, type Manual } from "./manual";

/** What the command is called. */
const program = "event-datasets";

const width = 120;

/** What `event-datasets --help` prints. */
export const generalHelp = (manuals: Readonly<Record<string, Manual>>): string =>
  [
    `Usage: ${program} <command> [options]`,
    titled("Commands", aligned(Object.entries(manuals).map(([name, { summary }]) => [name, summary]))),
    titled(
      "Options",
      aligned([
        ["-h, --help", `prints this; "${program} help <command>" is about a command`],
        ["--version", "prints the version"],
      ]),
    ),
    "Exit codes: 0 clean, 1 findings, 2 could not tell.",
  ].join("\n\n");

/** What `--help` prints of a command. */
export function commandHelp(name: string, manual: Manual): string {
  const usage = manual.usage.map((form, at) => `${at === 0 ? "Usage: " : "       "}${program} ${name} ${form}`);
  const rows = Object.entries(flagsOf(manual)).map(([flag, about]) => `--${termOf(flag, about)}`);
  const column = Math.min(28, Math.max(...[...rows, "-h, --help"].map((term) => term.length)));
  const groups = manual.groups.map(({ title, flags }) =>
    titled(
      title,
      aligned(
        Object.entries(flags).map(([flag, about]) => [`--${termOf(flag, about)}`, describe(about)]),
        column,
      ),
    ),
  );
  const own = aligned([["-h, --help", "prints this"]], column);
  const examples = manual.examples.flatMap(({ what, line }) => [`  # ${what}`, `  ${program} ${line}`]);
  return [
    usage.join("\n"),
    paragraphs(manual.text),
    ...(groups.length > 0 ? [`${groups.join("\n\n")}\n${own}`] : [titled("Options", own)]),
    titled("Examples", examples.join("\n")),
    ...(manual.notes.length > 0 ? [manual.notes.map((note) => wrap(note, width).join("\n")).join("\n")] : []),
  ].join("\n\n");
}

/** An option as it is written: `port <number>`. */
export const termOf = (name: string, { value }: Flag): string => (value === undefined ? name : `${name} <${value}>`);

/** What an option does, and its value where it is not given. */
export const describe = ({ help, preset }: Flag): string =>
  preset === undefined ? help : `${help} (default: ${preset})`;

const titled = (title: string, body: string): string => `${title}:\n${body}`;

/** A line that starts with two spaces stands as it is. */
function paragraphs(texts: readonly string[]): string {
  return texts.map((text) => (text.startsWith("  ") ? text : wrap(text, width).join("\n"))).join("\n");
}

/** Terms and what they mean, side by side; a term that is too long has a line of its own. */
function aligned(rows: readonly (readonly [term: string, meaning: string])[], least = 0): string {
  const column = least || Math.max(...rows.map(([term]) => term.length));
  const indent = " ".repeat(column + 4);
  return rows
    .map(([term, meaning]) => {
      const lines = wrap(meaning, width - indent.length).join(`\n${indent}`);
      return term.length > column ? `  ${term}\n${indent}${lines}` : `  ${term.padEnd(column)}  ${lines}`;
    })
    .join("\n");
}

/** Lines of at most so many characters, broken at spaces. */
function wrap(text: string, limit: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > limit) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}
