/** A value that is not known before the update runs. Only `check` and `diff` get it. */
export const notKnown: unique symbol = Symbol("not known");

/** Whether any part of a value is not known. A resource that a program passes by mistake contains itself. */
export function hasUnknown(value: unknown): boolean {
  const parts = new Set([value]);
  for (const part of parts) {
    if (part === notKnown) return true;
    if (typeof part === "object" && part !== null) for (const member of Object.values(part)) parts.add(member);
  }
  return false;
}
