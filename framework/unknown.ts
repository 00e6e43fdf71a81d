/** Whether a value or any part of it, at any depth, fulfils a condition. A resource that a program passes by mistake contains itself. */
export function hasPart(value: unknown, holds: (part: unknown) => boolean): boolean {
  if (typeof value !== "object") return holds(value);
  const parts = new Set<unknown>([value]);
  for (const part of parts) {
    if (holds(part)) return true;
    if (typeof part === "object" && part !== null) for (const member of Object.values(part)) parts.add(member);
  }
  return false;
}

/** A value that is not known before the update runs. Only `check` and `diff` get it. */
export const notKnown: unique symbol = Symbol("not known");

/** Whether any part of a value is not known. */
export const hasUnknown = (value: unknown): boolean => hasPart(value, (part) => part === notKnown);
