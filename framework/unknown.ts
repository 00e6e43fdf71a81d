/** Whether a value or any part of it meets a condition. Stops at cycles, such as those of a resource passed by mistake. */
export function hasPart(value: unknown, holds: (part: unknown) => boolean): boolean {
  const wholes = new Set<unknown>([[value]]);
  for (const whole of wholes) {
    for (const part of Object.values(whole as object)) {
      if (holds(part)) return true;
      if (typeof part === "object" && part !== null) wholes.add(part);
    }
  }
  return false;
}

/** A value that is not known before the update runs. Only `check` and `diff` get such values. */
export const notKnown: unique symbol = Symbol("not known");

/** Whether any part of a value is not known. */
export const hasUnknown = (value: unknown): boolean => hasPart(value, (part) => part === notKnown);
