import { randomBytes } from "node:crypto";

/** Text that `JSON.stringify` takes over as it is; the compiler's library does not have it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): object };

type Container = unknown[] | Record<string, unknown>;

/** Integers of fewer digits are never rounded. Longer ones stay rounded: the time for a `bigint` grows with the square. */
const longInteger = /(?<![-+.\deE])-?[1-9]\d{15,39}(?![\d.eE]|\s*:)/;

/**
 * Parses JSON without rounding: an integer of at most 40 digits that a `number` cannot hold becomes a `bigint`. No object of
 * the result has a prototype.
 *
 * A reviver that reads `context.source` would be shorter, but it is called for every value, and overflows the stack on deep
 * nesting. Therefore long integers are first replaced with marked texts, whose mark no text of a response can contain, and then
 * restored.
 * @throws SyntaxError that quotes the text
 */
export function parseExact(text: string): unknown {
  const mark = randomBytes(9).toString("base64");
  const marked = markIntegers(text, mark);
  const holder = [JSON.parse(marked)];
  finish(holder, marked === text ? undefined : mark);
  return holder[0];
}

/** Turns each long integer into a text that begins with the mark. Leaves the texts as they are. */
function markIntegers(json: string, mark: string): string {
  const integers = new RegExp(longInteger, "g");
  let [marked, copied, opening] = ["", 0, json.indexOf('"')];
  for (let match = integers.exec(json); match; match = integers.exec(json)) {
    let endOfLastText = 0;
    while (opening >= 0 && opening < match.index) {
      endOfLastText = endOfText(json, opening);
      opening = json.indexOf('"', endOfLastText);
    }
    if (endOfLastText > match.index) {
      integers.lastIndex = endOfLastText;
      continue;
    }
    marked += `${json.slice(copied, match.index)}"${mark}${match[0]}"`;
    copied = integers.lastIndex;
  }
  return marked + json.slice(copied);
}

/** The position behind the text that begins with the quotation mark at `opening`. */
function endOfText(json: string, opening: number): number {
  for (let at = opening; ; ) {
    at = json.indexOf('"', at + 1);
    if (at < 0) return json.length;
    let escapes = 0;
    while (json[at - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
}

/** Removes every prototype and puts the marked integers back. Without recursion: nesting has no bound. */
function finish(holder: unknown[], mark: string | undefined): void {
  const left: Container[] = [holder];
  for (let container = left.pop(); container !== undefined; container = left.pop()) {
    if (!Array.isArray(container)) Object.setPrototypeOf(container, null);
    for (const key of Array.isArray(container) ? container.keys() : Object.keys(container)) {
      const member = (container as Record<string | number, unknown>)[key];
      if (typeof member === "object" && member !== null) left.push(member as Container);
      else if (mark !== undefined && typeof member === "string" && member.startsWith(mark))
        (container as Record<string | number, unknown>)[key] = readInteger(member.slice(mark.length));
    }
  }
}

const readInteger = (digits: string): number | bigint =>
  Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);

/** Like `JSON.stringify`, but writes a `bigint` as an integer. */
export const stringifyExact = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, member) => (typeof member === "bigint" ? rawJSON(String(member)) : member), indent);
