import type { Tell } from "../../framework/lifecycle";
import type { QueryStatus } from "../../sdk";
import { warningsOf } from "../../sdk/queries/warnings";
import { type Plain, plainJson } from "./plainJson";

/**
 * The result of a query as the engine can keep it. Its doubts are shown as warnings of the program.
 * @throws Error for events that are nested too deeply for that
 */
export async function finishQuery<Result extends { readonly status: QueryStatus }>(
  result: Result,
  warn: Tell["warn"],
): Promise<Plain<Result>> {
  for (const warning of warningsOf(result)) await warn(warning);
  try {
    return plainJson(result);
  } catch (failure) {
    if (!(failure instanceof RangeError)) throw failure;
    throw new Error(`the result is ${failure.message}: query fewer fields`, { cause: failure });
  }
}

/**
 * Shows as a warning of the program that tokens of a response could not be read completely.
 * @param odd an entry for each of them
 */
export async function warnOfOdd(odd: readonly unknown[], warn: Tell["warn"]): Promise<void> {
  if (odd.length === 0) return;
  const tokens = odd.length === 1 ? "one token" : `${odd.length} tokens`;
  await warn(`the service returned ${tokens} in an unexpected form; some of the fields may be missing`);
}
