/** JSON that keeps large integers exact. */

/** The compiler's library lacks this and the third argument of a reviver. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): object };

/** Makes `JSON.stringify` write this integer exactly; a number would be rounded. */
export const exactInteger = (value: bigint): unknown =>
  value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER ? rawJSON(String(value)) : Number(value);

/** Parses events. Integers that a number would round stay exact, except for times. */
export function parseEvents(text: string): { readonly value: unknown } | undefined {
  const keep = (key: string, value: unknown, context?: { readonly source?: string }) =>
    key !== "_time" && typeof value === "number" && /^-?\d{16,}$/.test(context?.source ?? "")
      ? exactInteger(BigInt(context?.source ?? 0))
      : value;
  try {
    return { value: JSON.parse(text, keep) };
  } catch {
    return undefined;
  }
}
