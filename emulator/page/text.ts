/** Invisible characters, and those that reverse the order of letters. Line ends and tabs are kept. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Replaces invisible characters with their code points. */
export const showHidden = (text: string): string =>
  text.replace(
    hidden,
    (character) => `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`,
  );

/** Converts a value of any type to text. */
export const showValue = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

/** `1 row`, `2 rows` */
export const formatCount = (many: number, one: string): string =>
  `${many.toLocaleString("en")} ${one}${many === 1 ? "" : "s"}`;

const dayLength = 86_400_000;

/** An instant in milliseconds; undefined for anything else, and for the zero time, which means "not set". */
export function instantOf(value: unknown): number | undefined {
  const at = typeof value === "string" && !value.startsWith("0001-") ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** `2026-11-21 12:00 UTC` */
export const formatTime = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** `in 3 days`, `2 hours ago` */
export function formatRelative(at: number, now: number): string {
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const away = at - now;
  if (Math.abs(away) >= 2 * dayLength) return format.format(Math.round(away / dayLength), "day");
  if (Math.abs(away) >= 2 * 3_600_000) return format.format(Math.round(away / 3_600_000), "hour");
  return format.format(Math.round(away / 60_000), "minute");
}
