/** Invisible characters, and those that reverse the order of letters. Line ends and tabs are kept. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text in which every character can be seen: an invisible one is replaced by its code. */
export const visible = (text: string): string =>
  text.replace(
    hidden,
    (character) => `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`,
  );

/** A value of a field that can hold anything. */
export const shown = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

/** How many of something. */
export const count = (many: number, one: string): string =>
  `${many.toLocaleString("en")} ${one}${many === 1 ? "" : "s"}`;

const dayLength = 86_400_000;

/** An instant of the service in milliseconds; undefined for what is none, and for the zero time that stands for none. */
export function instantOf(value: unknown): number | undefined {
  const at = typeof value === "string" && !value.startsWith("0001-") ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** `2026-11-21 12:00 UTC` */
export const readableTime = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** `in 3 days`, `2 hours ago` */
export function relative(at: number, now: number): string {
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const away = at - now;
  if (Math.abs(away) >= 2 * dayLength) return format.format(Math.round(away / dayLength), "day");
  if (Math.abs(away) >= 2 * 3_600_000) return format.format(Math.round(away / 3_600_000), "hour");
  return format.format(Math.round(away / 60_000), "minute");
}
