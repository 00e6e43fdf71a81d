import type { Token } from "../../../sdk";
import type { Session } from "./connection";
import { isYoung } from "./evidence";

/** The account's tokens by id; undefined: they could not be listed. */
export type Listed = ReadonlyMap<string, Token> | undefined;

/**
 * Looks a token of the state up before an update goes by it.
 * @param token its words in a message
 * @returns a warning about a token that is not there, or whose account is not known
 * @throws Error for a replacement whose successor would be created in another account
 */
export async function findDoubt(
  session: Session,
  id: string,
  evidence: string | undefined,
  { token, isReplaced, listed }: { readonly token: string; readonly isReplaced: boolean; readonly listed: Listed },
): Promise<string | undefined> {
  const { account } = session;
  if (listed?.has(id)) return undefined;
  const isOurs = await account.isOurs(session, id, evidence).catch(() => undefined);
  const unproven = `${token}: nothing shows whether the present access token is of its account, and it cannot list the tokens.`;
  if (isOurs === undefined) return account.list.problem || unproven;
  if (isReplaced && !isOurs) await account.requireOurs(session, id, evidence, token);
  if (!listed) return account.list.problem;
  if (isReplaced) return undefined;
  if (!isOurs) return `${token} was not found with the present access token, which may be of another account.`;
  // A list can be late: only a second answer counts, and none about a token that the service may not show yet.
  if (isYoung(evidence, session.now()) || !(await account.isMissing(id))) return undefined;
  return `${token} is in the state but no longer exists. To create it again, run "pulumi refresh" and then "pulumi up".`;
}
