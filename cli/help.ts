import { type Example, type Flag, flagsOf, type Manual } from "./manual";
import { usualWidth } from "./width";

type Manuals = Readonly<Record<string, Manual>>;

/** The command's name. */
const program = "pulumi-event-datasets";

/** The narrowest terminal that help is laid out for. */
const narrowest = 32;
/** With less room beside its term, a meaning is printed below it. */
const leastBeside = 24;

/** The parts of the general help, in addition to the commands. */
export interface Overview {
  /** The environment variables with their meanings. */
  readonly variables: Readonly<Record<string, string>>;
  readonly examples: readonly Example[];
  readonly notes: readonly string[];
}

/** The text of `pulumi-event-datasets --help`. */
export function generalHelp(manuals: Manuals, { variables, examples, notes }: Overview, width = usualWidth): string {
  const layout = new Layout(width);
  const options = {
    "-h, --help": `print this help; "${program} help <command>" is about one command`,
    "-V, --version": "print the version",
  };
  return [
    layout.usage(["<command> [options]"]),
    layout.section("Commands", layout.align(summariesOf(manuals))),
    layout.section("Options", layout.align(options)),
    layout.section("Environment", layout.align(variables)),
    layout.section("Examples", layout.examples(examples)),
    layout.paragraphs(notes),
  ].join("\n\n");
}

const summariesOf = (manuals: Manuals): Record<string, string> =>
  Object.fromEntries(Object.entries(manuals).map(([name, { summary }]) => [name, summary]));

/** The text of `pulumi-event-datasets <group> --help`. */
export function groupHelp(group: string, manuals: Manuals, width = usualWidth): string {
  const layout = new Layout(width);
  const own = Object.fromEntries(Object.entries(manuals).filter(([name]) => name.startsWith(`${group} `)));
  const commands = layout.section("Commands", layout.align(summariesOf(own)));
  return `${layout.usage([`${group} <command> [options]`])}\n\n${commands}`;
}

/** The text of `pulumi-event-datasets <command> --help`. */
export function commandHelp(name: string, manual: Manual, width = usualWidth): string {
  const layout = new Layout(width);
  const help = { "-h, --help": "print this help" };
  const groups = manual.groups.map(({ title, flags }) => [title, rowsOf(flags)] as const);
  const [title, rows] = groups.pop() ?? ["Options", {}];
  const terms = [...Object.entries(flagsOf(manual)).map(termOf), "-h, --help"];
  const column = Math.min(28, Math.max(...terms.map((term) => term.length)));
  return [
    layout.usage(manual.usage.map((form) => `${name} ${form}`.trimEnd())),
    layout.paragraphs(manual.text),
    ...[...groups, [title, { ...rows, ...help }] as const].map(([title, rows]) =>
      layout.section(title, layout.align(rows, column)),
    ),
    layout.section("Examples", layout.examples(manual.examples)),
    ...(manual.notes.length > 0 ? [layout.paragraphs(manual.notes)] : []),
  ].join("\n\n");
}

const termOf = ([name, { value }]: [string, Flag]): string =>
  value === undefined ? `--${name}` : `--${name} <${value}>`;

const rowsOf = (flags: Readonly<Record<string, Flag>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(flags).map((flag) => {
      const { help, preset } = flag[1];
      return [termOf(flag), preset === undefined ? help : `${help} (default: ${preset})`];
    }),
  );

/** Lays out help for a terminal width. A word that is longer than a line is not broken. */
class Layout {
  readonly #width: number;

  constructor(width: number) {
    this.#width = Math.max(narrowest, width);
  }

  usage(forms: readonly string[]): string {
    return forms
      .map((form, at) => this.#wrap(`${program} ${form}`, at === 0 ? "Usage: " : "       ", " ".repeat(11)))
      .join("\n");
  }

  section(title: string, body: string): string {
    return `${this.paragraphs([`${title}:`])}\n${body}`;
  }

  paragraphs(texts: readonly string[]): string {
    return texts.map((text) => this.#wrap(text)).join("\n");
  }

  /** Terms and their meanings side by side; a meaning stands below its term where there is no room beside it. */
  align(meanings: Readonly<Record<string, string>>, least = 0): string {
    const rows = Object.entries(meanings);
    const column = least || Math.max(...rows.map(([term]) => term.length));
    const isBeside = this.#width - column - 4 >= leastBeside;
    const indent = " ".repeat(isBeside ? column + 4 : 6);
    return rows
      .map(([term, meaning]) =>
        isBeside && term.length <= column
          ? this.#wrap(meaning, `  ${term.padEnd(column)}  `, indent)
          : `  ${term}\n${this.#wrap(meaning, indent)}`,
      )
      .join("\n");
  }

  /** Commands with what each is for, on a line each, so that they can be copied. */
  examples(examples: readonly Example[]): string {
    return examples
      .map(({ what, line, before = "" }) => `${this.#wrap(what, "  # ")}\n  ${before}${program} ${line}`)
      .join("\n");
  }

  #wrap(text: string, first = "", indent = first): string {
    const lines: string[] = [];
    let line = first;
    for (const word of text.split(" ")) {
      const isStart = line === first || line === indent;
      if (isStart || line.length + 1 + word.length <= this.#width) line += isStart ? word : ` ${word}`;
      else {
        lines.push(line);
        line = indent + word;
      }
    }
    return [...lines, line].join("\n");
  }
}
