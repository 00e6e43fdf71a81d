/** JSON that keeps large integers exact. */

/** The compiler's library lacks this and the third argument of a reviver. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): object };

/** Makes `JSON.stringify` write this integer exactly instead of rounding it. */
export const exactInteger = (value: bigint): unknown =>
  value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER ? rawJSON(String(value)) : Number(value);

/** With more digits a number stays rounded: reading millions of them would take seconds, and no column holds them. */
const exactDigits = /^-?\d{16,40}$/;

/** Parses events. Integers that a number would round stay exact, except for times. */
export function parseEvents(text: string): { readonly value: unknown } | undefined {
  const keep = (key: string, value: unknown, { source = "" }: { readonly source?: string }) =>
    key !== "_time" && typeof value === "number" && exactDigits.test(source) ? exactInteger(BigInt(source)) : value;
  try {
    // Most texts have no such number, and a reviver visits every value.
    return { value: /\d{16}/.test(text) ? JSON.parse(text, keep as (key: string) => unknown) : JSON.parse(text) };
  } catch {
    return undefined;
  }
}
