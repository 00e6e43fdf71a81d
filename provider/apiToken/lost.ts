import { PartialCreate, UncertainCreate } from "../../framework/lifecycle";
import type { Update } from "../../framework/update";
import { type ApiError, isApiError, type MintedToken, orGone, type Token, type TokenSpec } from "../../sdk";
import { deadlineKinds } from "../../sdk/operations";
import type { Session } from "../account/connection";
import { confirmGone } from "../account/gone";
import type { ApiTokenInputs, ApiTokenState } from "./model";
import { describeName, isProof } from "./names";
import { type Overlap, sendCreate } from "./overlap";
import { recordPredecessors } from "./predecessors";
import { newState } from "./state";

/** The waits before each new list, in milliseconds: a token can appear late, and a restart can take a minute. */
const pauses = [2_000, 4_000, 8_000, 16_000, 30_000] as const;

/**
 * Handles a create whose response was lost: the token may exist, and nobody has its secret. It is looked for by the id in the
 * response, or by its name. Only a generated name proves that it is this create's own. Such a token is revoked, and once that is
 * confirmed the create is sent again. A token that cannot be revoked is tracked as lost, and one whose id alone is known as
 * alleged; the next update replaces it. Tokens of a name that the user chose are only listed.
 * @throws PartialCreate for a token that was found and not replaced, UncertainCreate for one that may exist
 */
export async function replaceLostToken(
  session: Session,
  inputs: ApiTokenInputs,
  spec: TokenSpec,
  failure: ApiError,
  overlap?: Overlap,
): Promise<MintedToken> {
  const began = session.elapsed();
  const others = new Others(session, inputs);
  const track = (lost: Lost, reason: string) => trackLost(session, lost, inputs, spec, reason, overlap);
  session.remakes.countCall();
  for (let attempt = 1, lastFailure = failure; ; attempt++) {
    const lost = await findLostToken(session, inputs, lastFailure, others, overlap);
    const remaining = deadlineKinds.call.limit - (session.elapsed() - began);
    if (!lost.live || !session.client.can("tokens.delete") || !mayMakeAgain(session, attempt, remaining))
      throw track(lost, lastFailure.message);
    try {
      await undo(session, inputs, lost.id, others);
    } catch (e) {
      const reason = e instanceof Error ? e.message : String(e);
      throw track(lost, `${lastFailure.message}. It could not be revoked (${reason})`);
    }
    await session.inform(
      `${describeName(inputs)}: the answer to its creation was lost (${lastFailure.message}). The token (id ${lost.id}) is revoked, and is created again.`,
    );
    try {
      return await sendCreate(session.client, spec, overlap);
    } catch (e) {
      if (!isApiError(e) || e.outcome !== "unknown") throw e;
      lastFailure = e;
    }
  }
}

/** The first time always, then within the budget for retries. */
const mayMakeAgain = ({ remakes }: Session, attempt: number, remaining: number): boolean =>
  attempt === 1 || remakes.delayAfter(attempt, { retryable: true }, remaining) !== undefined;

/** A token whose secret never arrived; `live` if its generated name proves it. */
type Lost = Pick<Token, "id"> & { readonly live?: Token };

/** The tokens that this create cannot have made: those that this update knows, and those that it has revoked. */
class Others {
  readonly #update: Update;
  readonly #ids: Set<string>;

  constructor({ update }: Session, { key }: ApiTokenInputs) {
    const predecessor = update.findPredecessor<ApiTokenState>(key);
    const replaced = predecessor?.state.record.predecessors ?? [];
    this.#update = update;
    this.#ids = new Set(predecessor && [predecessor, ...replaced].map(({ id }) => id));
  }

  add = (id: string) => void this.#ids.add(id);

  // Notes of other processes do not count: only a token with the name of this create is revoked.
  has = (id: string): boolean => this.#ids.has(id) || this.#update.isHeld(id) || this.#update.isReplaced(id);

  /** The tokens of a name that could be it. */
  bearersAmong = (tokens: readonly Token[], name: string): Token[] =>
    tokens.filter((token) => token.name === name && !this.has(token.id));
}

/**
 * @throws Error that says what may exist if the token is not found for certain
 */
async function findLostToken(
  session: Session,
  inputs: ApiTokenInputs,
  failure: ApiError,
  others: Others,
  overlap: Overlap | undefined,
): Promise<Lost> {
  const { client } = session;
  const describePossible = (seen: string) => describePossibleToken(inputs, failure, seen, overlap);
  const id = failure.id === undefined || others.has(failure.id) ? undefined : failure.id;
  // The next update looks at a token that this one can neither prove nor create again.
  if (id !== undefined && (!isProof(inputs) || !client.can("tokens.delete"))) return { id };
  const answered = id === undefined ? undefined : await client.tokens.get(id).catch(() => undefined);
  if (answered?.name === inputs.name && !others.has(answered.id)) return { id: answered.id, live: answered };
  const found = await findByName(session, inputs.name, others);
  const bearers = found instanceof Error ? [] : found;
  const [token] = bearers;
  if (token && bearers.length === 1 && isProof(inputs)) return { id: token.id, live: token };
  // No list may show it yet. An object of another name is somebody else's.
  if (!token && id !== undefined && !answered) return { id };
  if (token) throw describePossible(`Tokens of that name: ${listIds(bearers)}`);
  const seen = found instanceof Error ? `The tokens could not be listed to look for it (${found.message})` : notListed;
  throw describePossible(failure.id === undefined ? seen : `${seen}; ${describeAnswered(failure.id)}`);
}

const notListed = "The list of tokens does not show it";

const describeAnswered = (id: string): string => `the answer named ${id}, which is another token by all that is known`;

const listIds = (tokens: readonly Token[]): string => tokens.map(({ id }) => id).join(", ");

/** Lists until the token is there, two lists lack it, the list is refused, or the time is over. */
async function findByName({ client, sleep }: Session, name: string, others: Others): Promise<Token[] | Error> {
  let failed: Error | undefined;
  let missing = 0;
  for (const pause of [...pauses, undefined]) {
    try {
      const bearers = others.bearersAmong(await client.tokens.list(), name);
      if (bearers.length > 0 || ++missing > 1) return bearers;
    } catch (e) {
      failed = e instanceof Error ? e : new Error(String(e));
      if (isApiError(e) && e.outcome === "refused") return failed;
    }
    if (pause !== undefined) await sleep(pause);
  }
  return failed ?? [];
}

/** Revokes a token and confirms that no token of its name is left: then its create had no effect. */
async function undo({ client, account }: Session, { name }: ApiTokenInputs, id: string, others: Others): Promise<void> {
  await orGone(client.tokens.delete(id));
  if (await orGone(client.tokens.get(id))) throw new Error("the service still has it");
  const listed = await client.tokens.list();
  await confirmGone(account, id, account.here, { list: async () => listed });
  others.add(id);
  const bearers = others.bearersAmong(listed, name);
  if (bearers.length > 0) throw new Error(`the service has more tokens of its name: ${listIds(bearers)}`);
}

function trackLost(
  session: Session,
  { id, live }: Lost,
  inputs: ApiTokenInputs,
  spec: TokenSpec,
  reason: string,
  overlap: Overlap | undefined,
): PartialCreate {
  const { account, update, client } = session;
  update.yieldKept(inputs.key);
  const { state } = newState(inputs, spec.expiresAt, live, {
    sighting: account.see(),
    origin: live ? "lost" : "alleged",
    predecessors: recordPredecessors(update, inputs, session.now(), client, overlap),
  });
  update.succeed(inputs.key, { id, state });
  return new PartialCreate(
    [
      `${reason}. ${describeName(inputs)} was created with id ${id}, but its secret never arrived`,
      `and cannot be read again. It is kept in the state as unusable; the next "pulumi up" replaces`,
      "it.",
    ].join(" "),
    id,
    state,
  );
}

function describePossibleToken(
  inputs: ApiTokenInputs,
  failure: ApiError,
  seen: string,
  overlap: Overlap | undefined,
): Error {
  const until = overlap?.isSecret ? "at a time that is secret" : `on ${overlap?.until}`;
  const advice = !isProof(inputs)
    ? [
        "Other stacks and people can have tokens of a name that was chosen: revoke one only if no stack declares it",
        '("event-datasets audit --all-stacks" tells) and nobody uses it. Then run "pulumi up" again.',
      ]
    : ['Revoke it if it is there, then run "pulumi up" again.'];
  const words = [
    `${failure.message}. ${describeName(inputs)} may exist all the same, with a secret that`,
    `nobody knows; it was not requested again. ${seen}.`,
    ...(overlap ? [`If it exists, the old token (id ${overlap.id}) now expires ${until}.`] : []),
    ...advice,
  ];
  return new UncertainCreate(words.join(" "), { cause: failure });
}
