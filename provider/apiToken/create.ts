import { pick } from "../../framework/compare";
import { PartialCreate, UncertainCreate } from "../../framework/lifecycle";
import { type ApiError, isApiError, isStatus, type MintedToken, orGone, type Token, type TokenSpec } from "../../sdk";
import { deadlineKinds } from "../../sdk/operations";
import { defined } from "../../values/defined";
import type { Session } from "../account/connection";
import { confirmGone } from "../account/gone";
import { requestedExpiry } from "./expiry";
import { comparedFields } from "./fields";
import type { ApiTokenInputs, ApiTokenState, Origin } from "./model";
import { describeName, isProof } from "./names";
import { describeConflict, describeMoved, describeMovedBy, describeResponse, learnClock } from "./response";
import { revokeAbandoned } from "./retire";
import {
  findGonePredecessors,
  findOwnOverlap,
  listPredecessors,
  notePredecessors,
  type OwnOverlap,
} from "./retirement";
import { recordSecret } from "./sealing";
import { newState } from "./state";

/** The waits before each new list, in milliseconds: a token can appear late, and a restart can take a minute. */
const pauses = [2_000, 4_000, 8_000, 16_000, 30_000] as const;

export async function createToken(
  session: Session,
  inputs: ApiTokenInputs,
): Promise<{ readonly id: string; readonly state: ApiTokenState }> {
  await learnClock(session, inputs);
  const creation = new Creation(session, inputs, await findGonePredecessors(session, inputs.key));
  const minted = await creation.run();
  const { id } = minted;
  const { state, changed } = creation.record(id, "created", minted);
  const warning = describeResponse(inputs, minted, changed, session.client.clock);
  if (warning !== undefined) await session.warn(warning);
  const secret = await recordSecret(minted, state);
  // Last: if the new secret cannot be sealed, consumers go on with the old token, and the record lists it.
  await revokeAbandoned(session, inputs.key);
  return { id, state: { ...state, ...secret } };
}

/** A token whose secret never arrived; `live` if its generated name proves it. */
type Lost = Pick<Token, "id"> & { readonly live?: Token };

/** The create of one token, until its secret is here or its outcome is certain. */
class Creation {
  readonly #session: Session;
  readonly #inputs: ApiTokenInputs;
  readonly #gone: ReadonlySet<string>;
  readonly #now: Date;
  readonly #spec: TokenSpec;
  #overlap: OwnOverlap | undefined;
  /** Tokens of earlier attempts that were revoked. */
  readonly #undone = new Set<string>();

  /** @param gone ids of predecessors that are gone */
  constructor(session: Session, inputs: ApiTokenInputs, gone: ReadonlySet<string>) {
    const { client, update } = session;
    this.#session = session;
    this.#inputs = inputs;
    this.#gone = gone;
    // By the service's clock, if a response has told it: a slow clock here would create a token that has expired already.
    this.#now = client.clock.offset() === undefined ? session.now() : client.clock.now();
    const expiresAt = requestedExpiry(inputs, this.#now);
    this.#spec = { ...pick(inputs, comparedFields), ...defined({ expiresAt }) };
    this.#overlap = findOwnOverlap(update, inputs, this.#now, client);
  }

  async run(): Promise<MintedToken> {
    this.#session.lists.noteCreate();
    try {
      return await this.#send();
    } catch (e) {
      if (isStatus(e, 409) && this.#inputs.chosenName) throw new Error(describeConflict(e as Error), { cause: e });
      if (!isOutcomeUnknown(e)) throw e;
      return await this.#replaceLost(e);
    }
  }

  /** Notes the new token, and what becomes of those that it replaces. */
  record(id: string, origin: Origin, shown: Token | undefined): ReturnType<typeof newState> {
    const { account, update, client } = this.#session;
    update.yieldKept(this.#inputs.key);
    const created = newState(this.#inputs, this.#spec.expiresAt, shown, this.#now, {
      ...account.see(),
      origin,
      predecessors: listPredecessors(this.#session, this.#inputs, this.#gone, this.#overlap),
    });
    update.succeed(this.#inputs.key, { id, state: created.state });
    notePredecessors(update, created.state, this.#inputs, client);
    return created;
  }

  /** With an overlap the service moves the expiry of the old token (extended interface, "Tokens"). */
  async #send(): Promise<MintedToken> {
    const { tokens } = this.#session.client;
    const [spec, overlap] = [this.#spec, this.#overlap];
    if (overlap === undefined) return await tokens.create(spec);
    const newTokenExpiresAt = spec.expiresAt;
    try {
      return await tokens.regenerate(overlap.id, {
        existingTokenExpiresAt: overlap.until,
        newToken: spec,
        ...defined({ newTokenExpiresAt }),
      });
    } catch (failure) {
      // "Not found" had no effect. Either the predecessor is gone, or the service has no such operation.
      if (!isStatus(failure, 404)) throw failure;
      const live = await orGone(tokens.get(overlap.id)).catch(() => Promise.reject(failure));
      if (live) throw failure;
      this.#overlap = undefined;
      return await tokens.create(spec);
    }
  }

  /**
   * Handles a create whose response was lost: the token may exist, and nobody has its secret. It is looked for by the id in the
   * response, or by its name. Only a generated name proves that it is this create's own. Such a token is revoked, and once that
   * is confirmed the create is sent again. A token that cannot be revoked is tracked as lost, and one whose id alone is known as
   * alleged; the next update replaces it. Tokens of a name that the user chose are only listed.
   * @throws PartialCreate for a token that was found and not replaced, UncertainCreate for one that may exist
   */
  async #replaceLost(failure: ApiError): Promise<MintedToken> {
    const { elapsed, remakes, client, inform } = this.#session;
    const began = elapsed();
    remakes.countCall();
    for (let attempt = 1, lastFailure = failure; ; attempt++) {
      const lost = await this.#find(lastFailure);
      const remaining = deadlineKinds.call.limit - (elapsed() - began);
      // The first time always, then within the budget for retries.
      const mayRepeat = attempt === 1 || remakes.delayAfter(attempt, { retryable: true }, remaining) !== undefined;
      if (!lost.live || !client.can("tokens.delete") || !mayRepeat) throw this.#track(lost, lastFailure.message);
      try {
        await this.#undo(lost.id);
      } catch (e) {
        const reason = e instanceof Error ? e.message : String(e);
        throw this.#track(lost, `${lastFailure.message}. It could not be revoked (${reason})`);
      }
      await inform(
        `${describeName(this.#inputs)}: the response to its create was lost (${lastFailure.message}). The token (id ${lost.id}) is revoked, and is created again.`,
      );
      try {
        return await this.#send();
      } catch (e) {
        if (!isOutcomeUnknown(e)) throw this.#overlap ? describeMovedBy(e as Error, this.#overlap) : e;
        lastFailure = e;
      }
    }
  }

  /** @throws UncertainCreate that says what may exist if the token is not found for certain */
  async #find(failure: ApiError): Promise<Lost> {
    const { client } = this.#session;
    const { name } = this.#inputs;
    const isOwn = isProof(this.#inputs);
    const id = failure.id === undefined || this.#isOther(failure.id) ? undefined : failure.id;
    // The next update looks at a token that this one can neither prove nor create again.
    if (id !== undefined && (!isOwn || !client.can("tokens.delete"))) return { id };
    const answered = id === undefined ? undefined : await client.tokens.get(id).catch(() => undefined);
    if (answered?.name === name && !this.#isOther(answered.id)) return { id: answered.id, live: answered };
    const found = await this.#findByName();
    const bearers = found instanceof Error ? [] : found;
    const [token] = bearers;
    if (token && bearers.length === 1 && isOwn) return { id: token.id, live: token };
    // No list may show it yet. An object of another name is somebody else's.
    if (!token && id !== undefined && !answered) return { id };
    if (token) throw this.#describePossible(failure, `Tokens of that name: ${listIds(bearers)}`);
    const isListed = !(found instanceof Error);
    const seen = isListed ? notListed : `The tokens could not be listed to look for it (${found.message})`;
    const named = failure.id && `; the response named ${failure.id}, which is probably another token`;
    throw this.#describePossible(failure, `${seen}${named ?? ""}`);
  }

  /** Lists until the token is there, two lists lack it, the list is refused, or the time is over. */
  async #findByName(): Promise<Token[] | Error> {
    const { client, sleep } = this.#session;
    let failed: Error | undefined;
    let missing = 0;
    for (const pause of [...pauses, undefined]) {
      try {
        const bearers = this.#bearersAmong(await client.tokens.list());
        if (bearers.length > 0 || ++missing > 1) return bearers;
      } catch (e) {
        failed = e instanceof Error ? e : new Error(String(e));
        if (isApiError(e) && e.outcome === "refused") return failed;
      }
      if (pause !== undefined) await sleep(pause);
    }
    return failed ?? [];
  }

  /** Whether this create cannot have made a token. Notes of other processes do not count: only a token of its name is revoked. */
  #isOther(id: string): boolean {
    const { update } = this.#session;
    return this.#undone.has(id) || update.isHeld(id) || update.isReplaced(id) || update.isDecided(id);
  }

  #bearersAmong = (tokens: readonly Token[]): Token[] =>
    tokens.filter(({ id, name }) => name === this.#inputs.name && !this.#isOther(id));

  /** Revokes a token and confirms that no token of its name is left: then its create had no effect. */
  async #undo(id: string): Promise<void> {
    const { client, account } = this.#session;
    await orGone(client.tokens.delete(id));
    if (await orGone(client.tokens.get(id))) throw new Error("the service still has it");
    const listed = await client.tokens.list();
    await confirmGone(account, id, account.here, { list: async () => listed });
    this.#undone.add(id);
    const bearers = this.#bearersAmong(listed);
    if (bearers.length > 0) throw new Error(`the service has more tokens of its name: ${listIds(bearers)}`);
  }

  #track({ id, live }: Lost, reason: string): PartialCreate {
    const { state } = this.record(id, live ? "lost" : "alleged", live);
    return new PartialCreate(
      [
        `${reason}. ${describeName(this.#inputs)} was created with id ${id}, but its secret never arrived`,
        `and cannot be read again. It is kept in the state as unusable; the next "pulumi up" replaces`,
        "it.",
      ].join(" "),
      id,
      state,
    );
  }

  #describePossible(failure: ApiError, seen: string): Error {
    const [inputs, overlap] = [this.#inputs, this.#overlap];
    const words = [
      `${failure.message}. ${describeName(inputs)} may exist all the same, with a secret that`,
      `nobody knows; it was not requested again. ${seen}.`,
      ...(overlap ? [`If it exists, the ${describeMoved(overlap)}`] : []),
      isProof(inputs)
        ? 'Revoke it if it is there, then run "pulumi up" again.'
        : 'Other stacks and people can have tokens of a name that was chosen: revoke one only if no stack declares it ("event-datasets audit --all-stacks" tells) and nobody uses it. Then run "pulumi up" again.',
    ];
    return new UncertainCreate(words.join(" "), { cause: failure });
  }
}

const isOutcomeUnknown = (failure: unknown): failure is ApiError =>
  isApiError(failure) && failure.outcome === "unknown";

const notListed = "The list of tokens does not show it";

const listIds = (tokens: readonly Token[]): string => tokens.map(({ id }) => id).join(", ");
