import { RE2JS } from "re2js";

/** Splits a text into characters, never into halves of surrogate pairs. */
export const charactersOf = (text: string): string[] => [...text];

/** The position of the n-th occurrence, counted in characters. Occurrences may overlap. */
export function indexOf(text: string, sought: string, start = 0, length = -1, occurrence = 1): number {
  const characters = charactersOf(text);
  const from = start < 0 ? Math.max(0, characters.length + start) : start;
  const until = length < 0 ? characters.length : Math.min(characters.length, from + length);
  if (sought === "") return occurrence >= 1 && from + occurrence - 1 <= until ? from + occurrence - 1 : -1;
  const part = characters.slice(from, until).join("");
  let at = -1;
  for (let left = occurrence; left > 0; left -= 1) {
    at = part.indexOf(sought, at + 1);
    if (at < 0) return -1;
  }
  return at < 0 ? -1 : from + charactersOf(part.slice(0, at)).length;
}

/** Compiles a pattern in which `*` stands for any text. */
export function compileWildcard(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern.split("*").map(RE2JS.quote).join(".*"), RE2JS.DOTALL);
  return (text) => compiled.matches(text);
}
