import type { Row } from "../../sdk";

/** All names that rows have, in the order in which they first appear. */
export function namesOf(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return [...names];
}
