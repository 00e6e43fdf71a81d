import { orGone } from "../../../sdk";
import type { Session } from "../contract";
import { deleteForGood } from "../gone";
import { describeToken } from "./describe";
import { listerFor } from "./lists";
import type { ApiTokenState } from "./model";
import { hidesEnd } from "./secrecy";

/**
 * Ends the management of a token: revokes it, or leaves it to its expiry and says so.
 *
 * Nobody may lose a token that is still in use, so one that was adopted is left alone unless `retire` asks for its
 * revocation: another resource, of this stack or another, of this provider or another, may have taken it over since, and
 * no hook can see that. One whose own successor took its place in this update is done with, like any other.
 * @throws Error if the service cannot tell, if it may be another account, or if the program asked for a revocation that this
 * profile does not have
 */
export async function retireToken(session: Session, id: string, state: ApiTokenState): Promise<void> {
  const { client, warn, account, ledger, adoptions } = session;
  const token = describeToken(id, state);
  const holder = findDeleter(session, id, state);
  if (holder !== undefined) ledger.noteReplacement(holder, { id, state });
  if (ledger.isClaimed(id) || adoptions.has(id)) {
    return warn(`${token} is managed by another resource of this update: it is left alone.`);
  }
  requireRevocation(session, token, state);
  const reason = keptBecause(session, id, state) ?? (await whyNotProven(session, id, state));
  if (reason !== undefined) {
    const end = hidesEnd(state) ? "its expiry, which is secret" : state.expiresAt;
    const validity = state.expiresAt ? `stays valid until ${end}` : "has no expiry and stays valid";
    return warn(`${token} is no longer managed here, but it ${validity}: ${reason}.`);
  }
  const deleter = { ...listerFor(session, id), delete: (gone: string) => client.tokens.delete(gone) };
  await deleteForGood(account, id, state, deleter, token);
}

/**
 * The resource that was to keep a token, where it is itself what is deleted now: the engine can delete before it replaces, also
 * what a comparison was to change in place. Only of a token that was made here the creation shows that it is the same
 * record; one that was adopted can be recorded twice, and stays.
 */
function findDeleter({ ledger }: Session, id: string, state: ApiTokenState): string | undefined {
  const { createdAt, resourceKey, autoName } = state;
  const kept = ledger.findKept<ApiTokenState>(id);
  const isOwn = kept && [resourceKey, autoName].includes(kept.holder);
  return isOwn && createdAt !== undefined && kept.state.createdAt === createdAt ? kept.holder : undefined;
}

/** @throws Error for a token that is to be revoked where none can be: `check` looks at what a program declares, not at what it removed */
function requireRevocation({ client }: Session, token: string, { retire }: ApiTokenState): void {
  if (retire !== "revoke" || client.can("tokens.delete")) return;
  throw new Error(
    [
      `${token} is not deleted: retire is "revoke", and the documented interface has no way to revoke a token.`,
      'Set event-datasets:profile (EVENT_DATASETS_PROFILE) to "extended", or give the token up alive with',
      '"pulumi state delete" and its URN.',
    ].join(" "),
  );
}

/** Why a token is not revoked; undefined: it is. */
function keptBecause({ client, ledger }: Session, id: string, state: ApiTokenState): string | undefined {
  if (!client.can("tokens.delete")) return "the documented interface has no way to revoke a token";
  if (state.retire === "expire") return 'retire is "expire"';
  const isAdopted = state.adopted === true || state.adopt !== undefined;
  return isAdopted && state.retire !== "revoke" && !ledger.isReplaced(id)
    ? 'it was adopted, not made here, and only retire: "revoke" has an adopted token revoked'
    : undefined;
}

/** Why a token is not revoked that only an answer without its secret named; undefined: it is gone, or bears the name that was made for it. */
async function whyNotProven({ client }: Session, id: string, { provenBy }: ApiTokenState): Promise<string | undefined> {
  if (provenBy === undefined) return undefined;
  const live = provenBy === "" ? undefined : await orGone(client.tokens.get(id));
  if (provenBy !== "" && (!live || live.name === provenBy)) return undefined;
  return "its id came in an answer without a secret, and nothing proves that it was made here. Revoke it if nobody uses it";
}
