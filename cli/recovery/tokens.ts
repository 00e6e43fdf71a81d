import type { PendingCreate, StackState } from "../../audit";
import { type AuditedAccount, describeAccount, findPlaces } from "../../audit/account";
import { type EventDatasets, environmentNames, isStatus, type Listing, type Token } from "../../sdk";
import { canonicalAddress } from "../../values/address";
import { count } from "../counts";
import { type Line, makeVisible, say } from "../text";
import { type Commands, chainCommands } from "./commands";
import type { Problem } from "./problem";

type DeclaredToken = StackState["tokens"][number];

/** What a diagnosis of a stack's tokens found. */
export interface TokenProblems {
  readonly problems: readonly Problem[];
  /** Whether the service was the state's own. If not, it can tell nothing about the state's tokens. */
  readonly isRightPlace: boolean;
}

/**
 * The problems that an interruption leaves with tokens: creates whose response nobody received, and tokens that are recorded but
 * gone.
 *
 * @throws ApiError if the service cannot tell
 */
export async function inspectTokens(
  client: EventDatasets,
  present: AuditedAccount,
  state: StackState,
  commands: Commands,
): Promise<TokenProblems> {
  const listed = await client.tokens.list();
  const isLive = (id: string) => listed.some((token) => token.id === id);
  const unlisted = state.tokens.filter(({ id }) => !isLive(id));
  const placeOf = findPlaces(state.tokens, isLive, present);
  // A stack whose programs use two accounts has tokens here and elsewhere.
  const isRightPlace = unlisted.length < state.tokens.length || unlisted.every((token) => placeOf(token) === "here");
  const elsewhere = describeElsewhere(
    unlisted.filter((token) => placeOf(token) !== "here"),
    client,
    isRightPlace,
  );
  // A list of another account proves nothing about creates, and clearing them would remove the only trace of their tokens.
  if (!isRightPlace) return { problems: elsewhere, isRightPlace };
  const gone = await findGone(
    client,
    unlisted.filter((token) => placeOf(token) === "here"),
    commands,
  );
  const pending = state.pending.map((create) => describePending(create, state, listed, client, commands));
  return { problems: [...pending, ...elsewhere, ...gone], isRightPlace };
}

/** Recorded tokens that nothing shows to be of the account that was asked, by their own account. */
function describeElsewhere(
  tokens: readonly DeclaredToken[],
  { baseUrl }: EventDatasets,
  isRightPlace: boolean,
): Problem[] {
  return [...Map.groupBy(tokens, describeAccount)].map(([place, group]) => {
    const recorded = group[0]?.record.sighting.baseUrl;
    const hasOtherAddress = recorded !== undefined && canonicalAddress(recorded) !== canonicalAddress(baseUrl);
    const found = say`${count(group.length, "recorded token")} of ${place}: nothing shows that ${baseUrl} with the present credential is the same account`;
    const setting = hasOtherAddress
      ? say`set ${environmentNames.baseUrl} to ${recorded}, with a credential of that account`
      : say`set ${environmentNames.accessToken} to a credential of that account`;
    const note = isRightPlace
      ? say`to diagnose them, ${setting}, and run this again`
      : say`${setting}; do not refresh before`;
    return { found, note };
  });
}

async function findGone(
  client: EventDatasets,
  unlisted: readonly DeclaredToken[],
  commands: Commands,
): Promise<Problem[]> {
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
      found: say`${declaration.urn} is recorded with id ${id}, which the service does not have`,
      note: say`with the credential of the account that it was made in`,
      remedy: commands.pulumi("refresh", "--yes"),
    });
  }
  return gone;
}

function describePending(
  create: PendingCreate,
  state: StackState,
  listed: Listing<Token>,
  client: EventDatasets,
  commands: Commands,
): Problem {
  const { inputs, declaration, isNameOwn, isAdoption } = create;
  const tracked = new Set(state.tokens.map(({ id }) => id));
  const left = isAdoption ? [] : listed.filter(({ id, name }) => name === inputs.name && !tracked.has(id));
  const note = say`another stack may have made it: revoke it only once you know that nobody uses it`;
  // Where it cannot be revoked, the audit is left to name it.
  const revocable = client.can("tokens.delete") && isNameOwn ? left : [];
  return {
    found: say`the create of ${declaration.urn} never finished${describeLeft(create, left)}`,
    ...(left.length > 0 && !isNameOwn ? { note } : {}),
    remedy: chainCommands(
      ...revocable.map(({ id }) => commands.own("tokens", "revoke", "--id", id)),
      commands.pulumi("refresh", "--yes", "--clear-pending-creates"),
    ),
  };
}

function describeLeft({ inputs: { name }, isNameOwn, isAdoption }: PendingCreate, left: readonly Token[]): Line {
  if (isAdoption) return say`; it was to adopt a token, and made none`;
  if (typeof name !== "string") return say``;
  if (left.length === 0) return say`; no token that this stack does not have is named "${name}"`;
  const ids = makeVisible(left.map(({ id }) => id).join(", "));
  if (isNameOwn) return say`; its token is alive, and nobody has its secret: ${ids}`;
  return say`; it may have made a live token of its name, which this stack does not have: ${ids}`;
}
