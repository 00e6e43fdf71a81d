import type { Tell } from "../../framework/lifecycle";
import type { Listing, QueryStatus, Token } from "../../sdk";
import { warningsOf } from "../../sdk/queries/warnings";

/** Shows as warnings of the program what must be known before relying on an answer. */
export async function warnOfAnswer(
  name: string,
  result: { readonly status: QueryStatus },
  warn: Tell["warn"],
): Promise<void> {
  for (const warning of warningsOf(result)) await warn(`${name}: ${warning}`);
}

/** Shows as a warning of the program that a list of tokens holds what could not be read. */
export async function warnOfOddTokens(name: string, { odd }: Listing<Token>, warn: Tell["warn"]): Promise<void> {
  if (odd.length === 0) return;
  const entries = odd.length === 1 ? "one token" : `${odd.length} tokens`;
  await warn(
    `${name}: the service answered ${entries} in an unexpected form, of which some fields may be missing here`,
  );
}
