import { type Example, type Flag, flagsOf, type Manual } from "./manual";
import { usualWidth } from "./width";

/** The command's name. */
const program = "pulumi-event-datasets";

/** The narrowest terminal that help is laid out for. */
const narrowest = 32;
/** The smallest width of a meaning beside its term; with less, it is printed below the term. */
const leastBeside = 24;

/** The parts of the general help, in addition to the commands. */
export interface Overview {
  /** The environment variables with their meanings. */
  readonly variables: Readonly<Record<string, string>>;
  readonly examples: readonly Example[];
  readonly notes: readonly string[];
}

/** The text of `pulumi-event-datasets --help`. */
export function generalHelp(
  manuals: Readonly<Record<string, Manual>>,
  { variables, examples, notes }: Overview,
  width = usualWidth,
): string {
  const layout = new Layout(width);
  return [
    layout.usage(["<command> [options]"]),
    layout.section("Commands", layout.align(Object.entries(manuals).map(([name, { summary }]) => [name, summary]))),
    layout.section(
      "Options",
      layout.align([
        ["-h, --help", `print this help; "${program} help <command>" is about one command`],
        ["-V, --version", "print the version"],
      ]),
    ),
    layout.section("Environment", layout.align(Object.entries(variables))),
    layout.section("Examples", layout.examples(examples)),
    layout.paragraphs(notes),
  ].join("\n\n");
}

/** The text of `pulumi-event-datasets <command> --help`. */
export function commandHelp(name: string, manual: Manual, width = usualWidth): string {
  const layout = new Layout(width);
  const terms = Object.entries(flagsOf(manual)).map(([flag, about]) => `--${termOf(flag, about)}`);
  const column = Math.min(28, Math.max(...[...terms, helpTerm].map((term) => term.length)));
  const groups = manual.groups.map(({ title, flags }) => {
    const rows = Object.entries(flags).map(([flag, about]) => [`--${termOf(flag, about)}`, describe(about)] as const);
    return layout.section(title, layout.align(rows, column));
  });
  const own = layout.align([[helpTerm, "print this help"]], column);
  return [
    layout.usage(manual.usage.map((form) => `${name} ${form}`)),
    layout.paragraphs(manual.text),
    ...(groups.length > 0 ? [`${groups.join("\n\n")}\n${own}`] : [layout.section("Options", own)]),
    layout.section("Examples", layout.examples(manual.examples)),
    ...(manual.notes.length > 0 ? [layout.paragraphs(manual.notes)] : []),
  ].join("\n\n");
}

const helpTerm = "-h, --help";

/** An option as it is written: `port <number>`. */
export const termOf = (name: string, { value }: Flag): string => (value === undefined ? name : `${name} <${value}>`);

/** The help of an option, with its default. */
export const describe = ({ help, preset }: Flag): string =>
  preset === undefined ? help : `${help} (default: ${preset})`;

/** Lays out help for a terminal width. A word that is longer than a line is not broken. */
class Layout {
  readonly #width: number;

  constructor(width: number) {
    this.#width = Math.max(narrowest, width);
  }

  usage(forms: readonly string[]): string {
    const lines = forms.map((form, at) => {
      const words = splitWords(`${program} ${form}`, /\s+(?![^<[]*[>\]])/);
      return this.#wrap(words, at === 0 ? "Usage: " : "       ", " ".repeat(11)).join("\n");
    });
    return lines.join("\n");
  }

  section(title: string, body: string): string {
    return `${this.paragraphs([`${title}:`])}\n${body}`;
  }

  paragraphs(texts: readonly string[]): string {
    return texts.map((text) => this.#wrap(text.split(" ")).join("\n")).join("\n");
  }

  /** Terms and their meanings side by side; a meaning stands below its term where there is no room beside it. */
  align(rows: readonly (readonly [term: string, meaning: string])[], least = 0): string {
    const column = least || Math.max(...rows.map(([term]) => term.length));
    const isBeside = this.#width - column - 4 >= leastBeside;
    const indent = " ".repeat(isBeside ? column + 4 : 6);
    return rows
      .map(([term, meaning]) => {
        const isOwnLine = !isBeside || term.length > column;
        const first = isOwnLine ? indent : `  ${term.padEnd(column)}  `;
        const lines = this.#wrap(meaning.split(" "), first, indent);
        return [...(isOwnLine ? [`  ${term}`] : []), ...lines].join("\n");
      })
      .join("\n");
  }

  /** Commands with what each is for. A long one goes on behind a backslash, so that it can be copied. */
  examples(examples: readonly Example[]): string {
    return examples
      .flatMap(({ what, line, before = "" }) => [
        ...this.#wrap(what.split(" "), "  # ", "  # "),
        ...this.#wrap(splitWords(`${before}${program} ${line}`, betweenShellWords), "  ", "      ", " \\"),
      ])
      .join("\n");
  }

  #wrap(words: readonly string[], first = "", indent = first, more = ""): string[] {
    const lines: string[] = [];
    let line = "";
    for (const word of words) {
      const start = lines.length === 0 ? first : indent;
      const longer = line === "" ? start + word : `${line} ${word}`;
      if (line === "" || longer.length + more.length <= this.#width) line = longer;
      else {
        lines.push(line + more);
        line = indent + word;
      }
    }
    return [...lines, line];
  }
}

const splitWords = (text: string, between: RegExp): string[] => text.split(between);

/** A space outside of quotation marks and parentheses that does not take an option apart from its value. */
const betweenShellWords = /(?:(?<! --[\w-]+) | (?=-))(?=(?:[^"]*"[^"]*")*[^"]*$)(?![^(]*\))/;
