import { styleText } from "node:util";
import { hiddenCharacter, secretShape } from "../sdk/foreignText";
import { stringifyExact } from "../values/exactJson";

declare const printable: unique symbol;
declare const oneLine: unique symbol;

/**
 * Text without terminal sequences and CI commands. Every function that prints takes only this type, and only this file creates
 * it, because names, messages, files and events can come from anybody.
 */
export type Printable = string & { readonly [printable]: true };

/** One line of printable text. */
export type Line = Printable & { readonly [oneLine]: true };

/** A CI system takes this for a command wherever it stands in a line, as in "##[error]" and "##vso[…]". */
const commandAnywhere = /##(?=[a-z]*\[)/gi;
/** GitHub takes a line that starts so for a command, after any spaces; across lines, many empty ones would take forever. */
const commandAtStart = /^([^\S\r\n\u2028\u2029]*):(?=:)/gm;

/** Makes one line printable: shows invisible characters, hides secrets and defuses commands. */
export const makeVisible = (text: string): Line =>
  disarm(text.replace(secretShape, "[token]").replace(hiddenCharacter, codeOf)) as Line;

/** Does the same for several lines: line ends and tabs stay. */
export const makeLinesVisible = (text: string): Printable => showSource(text.replace(secretShape, "[token]"));

/** Makes the lines of a program's source printable. Text that looks like a secret stays, because the program must be exact. */
export const showSource = (text: string): Printable => disarm(showHidden(text));

/** Makes a line from our text and foreign values: say`stack ${name} is locked`. */
export const say = (parts: TemplateStringsArray, ...values: readonly (string | number)[]): Line =>
  makeVisible(String.raw({ raw: parts }, ...values));

/** Concatenates texts. */
export const join = (texts: Iterable<Printable>): Printable => disarm([...texts].join(""));

const chunk = 64 * 1024;

/** Groups the pieces of a text into chunks of complete lines, each without its last line end. */
export function* wholeLines(pieces: Iterable<Printable>): Generator<Printable> {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < chunk || !text.endsWith("\n")) continue;
    yield text.slice(0, -1) as Printable;
    text = "";
  }
  if (text !== "") yield text.replace(/\n$/, "") as Printable;
}

/** A text in a colour or in bold, as a terminal shows it. */
export const paint = (style: Parameters<typeof styleText>[0], text: Line): Printable =>
  styleText(style, text, { validateStream: false }) as Printable;

/** JSON with the same values, in which everything that a terminal or a CI system could act on is escaped. */
export const jsonText = (value: unknown, indent?: number): Printable =>
  stringifyExact(value, indent)
    .replace(commandAnywhere, "#\\u0023")
    .replace(hiddenUnlessNewLine, escapeCharacter) as Printable;

/** JSON without secrets that is also harmless in a web page. */
export const reportJson = (value: unknown, indent?: number): Printable =>
  jsonText(value, indent).replace(secretShape, "[token]").replace(/[<>&]/g, escapeCharacter) as Printable;

/** A secret that the user asked for, unchanged, because another program reads it. */
export const exactSecret = (secret: string): Printable => secret as Printable;

/** A character as JSON and JavaScript escape it. */
const escapeCharacter = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => `\\u${hexOf(character.charCodeAt(at))}`).join("");

const disarm = (text: string): Printable =>
  text.replace(commandAnywhere, showCommand).replace(commandAtStart, showColon) as Printable;

/** All but line ends and tabs. A carriage return by itself would let a terminal write over the line. */
const showHidden = (text: string): string =>
  text.replace(hiddenUnlessLayout, (found) => (found === "\r\n" ? found : codeOf(found)));

const hiddenUnlessLayout = new RegExp(`\\r\\n|(?![\\n\\t])${hiddenCharacter.source}`, "gu");

/** In JSON only the indentation has line ends. */
const hiddenUnlessNewLine = new RegExp(`(?!\\n)${hiddenCharacter.source}`, "gu");

const codeOf = (character: string): string => `‹U+${hexOf(character.codePointAt(0) ?? 0).toUpperCase()}›`;
const showCommand = "#‹U+0023›";
const showColon = "$1‹U+003A›";
const hexOf = (point: number): string => point.toString(16).padStart(4, "0");

/** Needs no quotes in any shell. */
const plain = /^[\w./:@%+=-]+$/;
/** Would not stay as it is when it is printed. */
const unprintable = new RegExp(`${hiddenCharacter.source}|##`, "u");

/**
 * One word of a POSIX shell. Characters that must not be printed are written as bytes between $'…', which bash, zsh and ksh
 * decode, so the command stays exact.
 */
function shellWord(text: string): Line {
  if (plain.test(text)) return makeVisible(text);
  if (!unprintable.test(text)) return makeVisible(`'${text.replaceAll("'", `'\\''`)}'`);
  const escaped = text.replace(new RegExp(`[\\\\'#]|${hiddenCharacter.source}`, "gu"), (character) =>
    [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(""),
  );
  return makeVisible(`$'${escaped}'`);
}

/** A command line of a POSIX shell. */
export const shellCommand = (...words: readonly string[]): Line => makeVisible(words.map(shellWord).join(" "));

/** The noun for this many of something: "warning" for one, else "warnings". */
export const pluralOf = (many: number, one: string, others = `${one}s`): string => (many === 1 ? one : others);

/** A number with its noun: "1 token", "2 entries". */
export const count = (many: number, one: string, others?: string): Line => say`${many} ${pluralOf(many, one, others)}`;
