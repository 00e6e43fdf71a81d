/** Whether a value or any part of it, at any depth, fulfils a condition. A resource that a program passes by mistake contains itself. */
export function hasPart(value: unknown, holds: (part: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null || holds(value)) return holds(value);
  const objects = new Set([value]);
  for (const object of objects)
    for (const part of Object.values(object)) {
      if (holds(part)) return true;
      if (typeof part === "object" && part !== null) objects.add(part);
    }
  return false;
}

/** A value that is not known before the update runs. Only `check` and `diff` get it. */
export const notKnown: unique symbol = Symbol("not known");

/** Whether any part of a value is not known. */
export const hasUnknown = (value: unknown): boolean => hasPart(value, (part) => part === notKnown);
