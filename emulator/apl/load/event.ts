import { reservedFields } from "../catalog";
import { QueryError } from "../errors";

/** Public reference, "Limits": a megabyte, and 200 bytes. */
const maxEventBytes = 1_048_576;
const maxNameBytes = 200;

/**
 * The name under which a field is stored: a name that the service itself uses gets a prefix, as in `_user_sysTime`.
 * @throws QueryError "data" if it is too long
 */
export function fieldName(name: string): string {
  if (Buffer.byteLength(name) > maxNameBytes)
    throw new QueryError("data", `the name of a field has more than ${maxNameBytes} bytes`);
  return reservedFields.has(name) ? `_user${name}` : name;
}

export const isTooLarge = (event: string): boolean => Buffer.byteLength(event) > maxEventBytes;

/** Far more levels than real events have, and far fewer than JSON.stringify supports. */
const maxDepth = 100;

/** The reason why a value cannot be stored, or undefined. It never quotes the value. */
export function problemOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : "a text has half of a surrogate pair";
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
