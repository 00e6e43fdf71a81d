import type { Tell } from "../../framework/lifecycle";

/**
 * Shows as a warning of the program that objects of a response could not be read completely.
 * @param odd an entry for each of them
 */
export async function warnOfOdd(kind: string, odd: readonly unknown[], warn: Tell["warn"]): Promise<void> {
  if (odd.length === 0) return;
  const objects = odd.length === 1 ? `one ${kind}` : `${odd.length} ${kind}s`;
  await warn(`the service returned ${objects} in an unexpected form; some of the fields may be missing`);
}
