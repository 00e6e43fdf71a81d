/**
 * The name that a misspelled one was probably meant to be: the nearest one, counting letters that are added, dropped, changed
 * or swapped. Upper and lower case count as the same.
 *
 * @returns undefined if none is near: more than one letter, and more than a third of the letters, would have to change
 * @example
 * ```ts
 * nearestName("expireAt", ["expiresAt", "expiresIn"]); // "expiresAt"
 * ```
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3));
  const near = known
    .map((candidate) => ({ candidate, distance: distanceBetween(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.candidate;
}

/** Suggests the nearest name in a message: `; did you mean "expiresAt"?`, or nothing. */
export function suggestName(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "" : `; did you mean "${nearest}"?`;
}

/** The number of letters to add, drop, change or swap with their neighbour to get from one word to another. */
function distanceBetween(a: string, b: string): number {
  // A name much longer than every known name resembles none of them.
  if (Math.abs(a.length - b.length) > Math.max(a.length, b.length) / 2) return Number.POSITIVE_INFINITY;
  let [beforeLast, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (last?.[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast?.[j - 2] ?? i + j) + 1 : i + j;
      row.push(Math.min(changed, swapped, (last?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last?.[b.length] ?? 0;
}

/**
 * Reports the names that are not among the known ones, one sentence each.
 * @param describe the words for a name in the message, as in "argument baseUrl"
 */
export const findUnknownNames = (
  names: readonly string[],
  known: readonly string[],
  describe: (name: string) => string,
): string[] =>
  names
    .filter((name) => !known.includes(name))
    .map((name) => `${describe(name)} is not known${suggestName(name, known)}`);
