const units = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Milliseconds of a duration such as `12h`, `14d` or `4w`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * units[unit as keyof typeof units];
}
