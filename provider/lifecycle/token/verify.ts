import type { EventDatasets } from "../../../sdk";
import type { Session } from "../contract";
import { describeToken } from "./describe";
import type { ApiTokenState } from "./model";

/** How long a comparison waits for the list, in milliseconds: it is worth a warning, and no more. */
const patience = 10_000;

/** The ids that the service lists, once a process; undefined: they are not known. */
const lists = new WeakMap<EventDatasets, Promise<ReadonlySet<string> | undefined>>();

/**
 * Whether a token that an update is about to call unchanged is still there: after an interrupted `destroy` the state names
 * tokens that are revoked already. Only where tokens can be revoked, with one list for all tokens of a process.
 * @returns what to tell the user; undefined: it is there, or that is not known
 */
export async function verifyToken(session: Session, id: string, state: ApiTokenState): Promise<string | undefined> {
  const { client, account } = session;
  if (!client.can("tokens.delete") || !account.isCertain(state)) return undefined;
  const known = lists.get(client) ?? listIds(client);
  lists.set(client, known);
  const ids = await known;
  if (ids === undefined || ids.has(id)) return undefined;
  return `${describeToken(id, state)} is not there any more, although the state has it: run "pulumi refresh", then "pulumi up" makes it anew.`;
}

/** A list that fails is reported by the hook that needs it. */
async function listIds(client: EventDatasets): Promise<ReadonlySet<string> | undefined> {
  const listed = await client.tokens.list({ signal: AbortSignal.timeout(patience) }).catch(() => undefined);
  if (!listed || listed.odd.some(({ id }) => id === undefined)) return undefined;
  return new Set(listed.map(({ id }) => id));
}
