import type { Session } from "./connection";
import { isYoung } from "./evidence";
import type { ObjectList } from "./objectList";

/** An object of the state that an update is about to go by. */
interface Expected {
  readonly id: string;
  readonly evidence: string | undefined;
  /** Its words in a message. */
  readonly object: string;
  /** The list of its kind. */
  readonly list: Pick<ObjectList<{ readonly id: string }>, "find" | "isMissing" | "problem">;
  readonly isReplaced: boolean;
}

/**
 * Looks an object of the state up before an update relies on it.
 * @returns a warning about an object that is not there, or whose account is not known
 * @throws Error for a replacement whose successor would be created in another account
 */
export async function findDoubt(
  session: Session,
  { id, evidence, object, list, isReplaced }: Expected,
): Promise<string | undefined> {
  const { account } = session;
  const listed = await list.find(session);
  if (listed?.has(id)) return undefined;
  const isOurs = await account.isOurs(session, id, evidence).catch(() => undefined);
  const unproven = `${object}: nothing shows whether the access token belongs to the same account, and it cannot list the tokens.`;
  if (isOurs === undefined) return list.problem || unproven;
  if (isReplaced && !isOurs) await account.requireOurs(session, id, evidence, object);
  if (!listed) return list.problem;
  if (isReplaced) return undefined;
  if (!isOurs) return `${object} was not found with this access token, which may belong to another account.`;
  // A list can be late: only a second answer counts, and none about an object that the service may not show yet.
  if (isYoung(evidence, session.now()) || !(await list.isMissing(id))) return undefined;
  return `${object} is in the state but no longer exists. To create it again, run "pulumi refresh" and then "pulumi up".`;
}
