import { RE2JS } from "re2js";
import { hash, type Json, listOf, textOf } from "./define";

/** A cache of compiled patterns: a query uses the same ones for every row. */
const known = new Map<string, RE2JS>();
const maxKnown = 100;

function patternOf(text: string): RE2JS {
  const found = known.get(text);
  if (found) return found;
  const pattern = RE2JS.compile(text);
  if (known.size >= maxKnown) known.clear();
  known.set(text, pattern);
  return pattern;
}

/** The reason why a text is not a valid regular expression, or undefined. */
export function patternProblem(text: string): string | undefined {
  try {
    patternOf(text);
    return undefined;
  } catch (failure) {
    return (failure as Error).message;
  }
}

/** Replaces matches, or only their groups, with a hash or a token; a token of one character replaces each character. */
export function redact(text: string, patterns: Json, token: string, asHash: boolean, groupsOnly: boolean): string {
  const replace = (match: string) =>
    asHash
      ? hash(match).toString(36).replace("-", "")
      : [...token].length === 1
        ? token.repeat([...match].length)
        : token;
  return listOf(patterns).reduce<string>((result, pattern) => {
    const matcher = patternOf(textOf(pattern)).matcher(result);
    const redacted: string[] = [];
    let at = 0;
    while (matcher.find()) {
      const groups = groupsOnly ? Array.from({ length: matcher.groupCount() }, (_, i) => i + 1) : [0];
      for (const group of groups) {
        const [start, end] = [matcher.start(group), matcher.end(group)];
        if (start < at || start === end) continue;
        redacted.push(result.slice(at, start), replace(result.slice(start, end)));
        at = end;
      }
    }
    return redacted.join("") + result.slice(at);
  }, text);
}
