import { type Json, listOf, textOf } from "./define";
import { hash } from "./hash";
import { LinearPattern, PatternError } from "./regex";
import { charactersOf } from "./search";

/** A cache of compiled patterns: a query uses the same ones for every row. */
const known = new Map<string, LinearPattern>();
const maxKnown = 100;

/** @throws PatternError */
function patternOf(text: string): LinearPattern {
  const found = known.get(text);
  if (found) return found;
  const pattern = new LinearPattern(text);
  if (known.size >= maxKnown) known.clear();
  known.set(text, pattern);
  return pattern;
}

/** Why a text is not a regular expression; undefined if it is one. */
export function patternProblem(text: string): string | undefined {
  try {
    patternOf(text);
    return undefined;
  } catch (failure) {
    if (failure instanceof PatternError) return failure.message;
    throw failure;
  }
}

/** Replaces matches, or only their groups, by a token; a token of one character replaces each character. */
export function redact(text: string, patterns: Json, token: string, asHash: boolean, groupsOnly: boolean): string {
  const replace = (match: string) =>
    asHash
      ? hash(match).toString(36).replace("-", "")
      : charactersOf(token).length === 1
        ? token.repeat(charactersOf(match).length)
        : token;
  return listOf(patterns).reduce<string>((result, pattern) => {
    const redacted: string[] = [];
    let at = 0;
    for (const places of patternOf(textOf(pattern)).matches(result)) {
      const spans = groupsOnly ? places.slice(2) : places.slice(0, 2);
      for (let i = 0; i < spans.length; i += 2) {
        const [start = -1, end = -1] = spans.slice(i, i + 2);
        if (start < at || start === end) continue;
        redacted.push(result.slice(at, start), replace(result.slice(start, end)));
        at = end;
      }
    }
    return redacted.join("") + result.slice(at);
  }, text);
}
