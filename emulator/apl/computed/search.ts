import { RE2JS } from "re2js";

/** Splits a text into characters, never into halves of surrogate pairs. */
export const charactersOf = (text: string): string[] => [...text];

/** The position of the n-th occurrence, counted in characters. Occurrences may overlap. */
export function indexOf(text: string, sought: string, start = 0, length = -1, occurrence = 1): number {
  const characters = charactersOf(text);
  const wanted = charactersOf(sought);
  const from = start < 0 ? Math.max(0, characters.length + start) : start;
  const until = length < 0 ? characters.length : Math.min(characters.length, from + length);
  if (wanted.length === 0) return occurrence >= 1 && from + occurrence - 1 <= until ? from + occurrence - 1 : -1;
  let left = occurrence;
  for (const at of occurrencesOf(wanted, characters, from, until)) {
    left -= 1;
    if (left === 0) return at;
  }
  return -1;
}

/** Reads the text once (Knuth, Morris and Pratt). */
function* occurrencesOf(
  wanted: ArrayLike<string>,
  text: ArrayLike<string>,
  from: number,
  until: number,
): Generator<number> {
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let i = from; i < until; i += 1) {
    while (matched > 0 && wanted[matched] !== text[i]) matched = borders[matched - 1] ?? 0;
    if (wanted[matched] === text[i]) matched += 1;
    if (matched < wanted.length) continue;
    yield i - wanted.length + 1;
    matched = borders[matched - 1] ?? 0;
  }
}

/** For each prefix of a text, the length of its longest border: a shorter prefix that is also a suffix. */
function bordersOf(text: ArrayLike<string>): Uint32Array {
  const borders = new Uint32Array(text.length);
  let length = 0;
  for (let i = 1; i < text.length; i += 1) {
    while (length > 0 && text[i] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[i] === text[length]) length += 1;
    borders[i] = length;
  }
  return borders;
}

/** Compiles a pattern in which `*` stands for any text. */
export function compileWildcard(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern.split("*").map(RE2JS.quote).join(".*"), RE2JS.DOTALL);
  return (text) => compiled.matches(text);
}
