import type { PendingCreate, StackState } from "../../audit";
import { type AuditedAccount, findPlaces, type Place as Proof } from "../../audit/account";
import { type EventDatasets, environmentNames, isStatus, type Token } from "../../sdk";
import { count } from "../counts";
import { type Line, makeVisible, say } from "../text";

type DeclaredToken = StackState["tokens"][number];

/** The diagnosed stack, as the user named it. */
export interface Place {
  readonly stack: string | undefined;
  /** A file with its state. */
  readonly state: string | undefined;
}

export interface Problem {
  readonly found: Line;
  /** Something that a person must know or check first. */
  readonly note?: Line;
}

/** The problems with a stack's tokens. */
export interface TokenProblems {
  readonly problems: readonly Problem[];
  /** The tokens that nobody has the secret of, proven by their generated names. */
  readonly revocable: readonly string[];
  /**
   * Whether the account is that of the state. `elsewhere`: it tells nothing about the recorded tokens. `unproven`: none is
   * recorded, so a create that left no token here may have left it elsewhere.
   */
  readonly place: Proof;
}

/**
 * Finds creates whose response was not received, deletions that did not succeed, replacements without a successor, and recorded tokens
 * that no longer exist.
 *
 * @throws ApiError if a request fails
 */
export async function inspectTokens(
  client: EventDatasets,
  present: AuditedAccount,
  state: StackState,
): Promise<TokenProblems> {
  const listed = await client.tokens.list();
  const live = new Set(listed.map(({ id }) => id));
  const isLive = (id: string) => live.has(id);
  const unlisted = state.tokens.filter(({ id }) => !isLive(id));
  const placeOf = findPlaces(state.tokens, isLive, present);
  // A stack whose programs use two accounts has tokens here and elsewhere.
  const isRightPlace = unlisted.length < state.tokens.length || unlisted.every((token) => placeOf(token) === "here");
  const others = unlisted.filter((token) => placeOf(token) !== "here");
  const elsewhere = describeElsewhere(others, client, isRightPlace);
  // A list of another account proves nothing about creates, and clearing them would remove the only trace of their tokens.
  if (!isRightPlace) return { problems: elsewhere, revocable: [], place: "elsewhere" };
  const absent = unlisted.filter((token) => placeOf(token) === "here");
  const gone = await findGone(
    client,
    absent.filter(({ awaits }) => awaits !== "successor"),
  );
  const waiting = state.tokens.filter(({ id, awaits }) => awaits === "deletion" && isLive(id)).map(describeUndeleted);
  const interrupted = state.tokens
    .filter((token) => token.awaits === "successor" && (isLive(token.id) || absent.includes(token)))
    .map(describeInterrupted);
  const tracked = new Set(state.tokens.map(({ id }) => id));
  const lost = state.pending.map((create) => ({
    create,
    left: create.isAdoption ? [] : listed.filter(({ id, name }) => name === create.inputs.name && !tracked.has(id)),
  }));
  const own = lost.flatMap(({ create, left }) => (create.isNameOwn ? left.map(({ id }) => id) : []));
  const isProven = state.tokens.length + own.length > 0 || state.pending.every(({ isAdoption }) => isAdoption);
  const pending = lost.map(({ create, left }) => describePending(create, left, client));
  const problems = [...pending, ...describeOthers(state), ...waiting, ...interrupted, ...elsewhere, ...gone];
  return { problems, revocable: client.can("tokens.delete") ? own : [], place: isProven ? "here" : "unproven" };
}

/** Describes recorded tokens that cannot be proven to belong to the present account. */
function describeElsewhere(
  tokens: readonly DeclaredToken[],
  { baseUrl }: EventDatasets,
  isRightPlace: boolean,
): Problem[] {
  if (tokens.length === 0) return [];
  const found = say`${count(tokens.length, "recorded token")}: nothing proves that ${baseUrl} with the present access token is their account`;
  const setting = say`set ${environmentNames.baseUrl} and ${environmentNames.accessToken} to those of that account`;
  const note = isRightPlace
    ? say`to diagnose them, ${setting}, and run this again`
    : say`${setting}; do not refresh before`;
  return [{ found, note }];
}

async function findGone(client: EventDatasets, unlisted: readonly DeclaredToken[]): Promise<Problem[]> {
  const gone: Problem[] = [];
  for (const { id, declaration } of unlisted) {
    const isGone = await client.tokens.get(id).then(
      () => false,
      (failure) => {
        if (!isStatus(failure, 404)) throw failure;
        return true;
      },
    );
    if (!isGone) continue;
    gone.push({
      found: say`${declaration.urn} is recorded with id ${id}, which does not exist at the service`,
      note: say`run the refresh with an access token of the account in which the token was created`,
    });
  }
  return gone;
}

const describeUndeleted = ({ id, declaration }: DeclaredToken): Problem => ({
  found: say`${declaration.urn} with id ${id} was replaced, and its deletion did not succeed: it is still valid`,
});

/** A refresh skips such a token: the engine knows that it has to create the successor. */
const describeInterrupted = ({ id, declaration }: DeclaredToken): Problem => ({
  found: say`${declaration.urn} with id ${id} gave way to a replacement that did not finish`,
});

/** The engine does so after the last of 100 attempts. */
const withoutId = say`failed, its onError hook never returned false, and the engine recorded it without an id, so no update of the stack can run`;

/** Describes resources of other types: nothing lists what their creates left behind. */
const describeOthers = ({ withoutId: all, pending }: StackState): Problem[] =>
  all
    .filter((one) => !pending.some(({ recorded }) => recorded === one))
    .map(({ declaration }) => ({
      found: say`the create of ${declaration.urn} ${withoutId}`,
      note: say`it may have left an object: look for it before you run the commands below, which remove the resource from the state`,
    }));

function describePending(create: PendingCreate, left: readonly Token[], client: EventDatasets): Problem {
  const end = create.recorded ? withoutId : say`never finished`;
  const found = say`the create of ${create.declaration.urn} ${end}${describeLeft(create, left, client)}`;
  if (left.length === 0) return { found };
  if (!create.isNameOwn)
    return { found, note: say`another stack may have created it: revoke it only if nobody uses it` };
  if (client.can("tokens.delete")) return { found };
  return {
    found,
    note: say`this profile cannot revoke it: revoke it at the service before you run the commands below`,
  };
}

function describeLeft(
  { inputs: { name }, isNameOwn, isAdoption }: PendingCreate,
  left: readonly Token[],
  { baseUrl }: EventDatasets,
): Line {
  if (isAdoption) return say`; it adopts a token, so it left none behind`;
  if (typeof name !== "string") return say``;
  if (left.length === 0) return say`; ${baseUrl} lists no token named "${name}"`;
  const ids = makeVisible(left.map(({ id }) => id).join(", "));
  if (isNameOwn) return say`; its token is live, and nobody has the secret: ${ids}`;
  return say`; a live token has its name and is not in this stack, so it may have created it: ${ids}`;
}
