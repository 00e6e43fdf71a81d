/** Far more levels than real events have, and far fewer than JSON.stringify supports. */
const maxDepth = 100;

/** A longer text would not fit into a response. */
const maxTextLength = 16_777_216;

/** Why a value cannot be stored; undefined if it can. Never quotes the value. */
export function problemOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") {
    if (value.length > maxTextLength) return `a text is longer than ${maxTextLength} characters`;
    return value.isWellFormed() ? undefined : "a text has half of a surrogate pair";
  }
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "a number is too large";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth >= maxDepth) return `it has more than ${maxDepth} levels`;
  for (const [key, inner] of Object.entries(value)) {
    if (!key.isWellFormed()) return "a field's name has half of a surrogate pair";
    const problem = problemOf(inner, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
