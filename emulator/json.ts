export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses without the message of `JSON.parse`, which quotes its input. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The compiler's library knows neither this nor the third argument of a reviver yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): object };

/** What `JSON.stringify` writes as this integer, which a number would round. */
export const exactInteger = (value: bigint): unknown =>
  value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER ? rawJSON(String(value)) : Number(value);

/** Parses events: integers that a number would round are kept as they are written, except for times. */
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

/** What the interface shows of an object. */
export type WireObject = JsonObject & { readonly id: string };
