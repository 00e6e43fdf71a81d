/** Text that `JSON.stringify` takes over as it is; the compiler's library does not have it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): object };

/**
 * What may be an integer beyond 2^53: sixteen digits or more, none of them a zero to begin with, which is not JSON. Also matches
 * inside a text.
 */
const perhapsBig = /(?<=^|[:,[\s])-?[1-9]\d{15,}(?=[\s,\]}]|$)/g;

/**
 * Parses JSON without rounding: an integer that a `number` cannot hold becomes a `bigint`. No object of the result has a
 * prototype. Such integers are parsed as marked texts and then made what they are: a reviver would be called for every
 * value, and takes six times as long as `JSON.parse` alone.
 * @throws SyntaxError that quotes the text
 */
export function parseExact(text: string): unknown {
  const found = findBigIntegers(text);
  if (found.length === 0) return restore(JSON.parse(text), undefined);
  // Random, so that no text of an answer can begin with it; of ASCII, or the whole text would take twice the memory.
  const mark = `${Math.random().toString(36).slice(2)}:`;
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of found) {
    parts.push(text.slice(from, start), `"${mark}${text.slice(start, end)}"`);
    from = end;
  }
  return restore(JSON.parse(parts.join("") + text.slice(from)), mark);
}

type Range = readonly [start: number, end: number];

/** Where such integers stand, less what stands inside texts. */
function findBigIntegers(text: string): Range[] {
  const found: Range[] = [];
  let at = 0; // outside of texts
  // Looked for once each: behind many integers the next text may be far.
  let opening = text.indexOf('"');
  for (const { index, 0: digits } of text.matchAll(perhapsBig)) {
    while (opening !== -1 && opening < index) {
      at = endOfText(text, opening);
      opening = text.indexOf('"', at);
    }
    if (at <= index) found.push([index, index + digits.length]);
  }
  return found;
}

/** The position behind the text that begins with the quotation mark at `opening`. */
function endOfText(text: string, opening: number): number {
  for (let closing = text.indexOf('"', opening + 1); closing !== -1; closing = text.indexOf('"', closing + 1)) {
    let backslashes = 0;
    while (text[closing - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return closing + 1;
  }
  return text.length;
}

/**
 * Without prototypes and with the integers that were marked. In place: a copy of a large answer would take several times as
 * long. Without recursion: nesting has no bound.
 */
function restore(root: unknown, mark: string | undefined): unknown {
  const holder = [root];
  const left: (unknown[] | Record<string, unknown>)[] = [holder];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        const member = value[at];
        if (isContainer(member)) left.push(member);
        else if (isMarked(member, mark)) value[at] = readInteger(member.slice(mark?.length));
      }
    } else {
      Object.setPrototypeOf(value, null);
      for (const key in value) {
        const member = value[key];
        if (isContainer(member)) left.push(member);
        else if (isMarked(member, mark)) value[key] = readInteger(member.slice(mark?.length));
      }
    }
  }
  return holder[0];
}

const isContainer = (value: unknown): value is unknown[] | Record<string, unknown> =>
  typeof value === "object" && value !== null;

const isMarked = (value: unknown, mark: string | undefined): value is string =>
  mark !== undefined && typeof value === "string" && value.startsWith(mark);

function readInteger(digits: string): number | bigint {
  const rounded = Number(digits);
  return Number.isSafeInteger(rounded) ? rounded : BigInt(digits);
}

/** `JSON.stringify` that writes a `bigint` as the integer it is. */
export const stringifyExact = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, member) => (typeof member === "bigint" ? rawJSON(String(member)) : member), indent);
