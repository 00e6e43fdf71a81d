import { capabilitiesInWords } from "../../audit/capabilities";
import { describeTokenExpiry, withExpiry } from "../../audit/tokens";
import { generatedFrom } from "../../provider/apiToken/names";
import { type EventDatasets, environmentNames, isStatus, orGone, type Token } from "../../sdk";
import { isObject } from "../../values/json";
import { type Command, type Io, textOf, textsOf, type Values } from "../command";
import { connect } from "../connection";
import { count } from "../counts";
import { type Line, say } from "../text";
import { type Claims, readClaims } from "./claims";
import { reportedIds, selectLive } from "./selection";

/**
 * Revokes undeclared tokens, after confirmation.
 * @throws Error if nothing, or not everything, was revoked
 */
export const revokeTokens: Command = {
  async run(values, io) {
    if (textsOf(values, "id").length === 0 && textOf(values, "from") === undefined)
      throw new Error("name the tokens to revoke: give --id, or --from with the report of an audit");
    await using client = connect(io);
    if (!client.can("tokens.delete"))
      throw new Error(
        `the documented interface cannot revoke a token: set ${environmentNames.profile}=extended if the service can`,
      );
    const reported = await reportedIds(client, values);
    const claims = await readClaims(values, io);
    const wanted = await selectLive(client, values, reported, io);
    refuseUsed(wanted, claims, values.force === true, io);
    if (wanted.length === 0) throw new Error("none of these tokens is live: nothing was revoked");
    for (const token of wanted) io.warn(describe(token));
    await confirm(values, wanted, client, io);
    await revokeEach(client, wanted, io);
    return 0;
  },
};

/**
 * Refuses tokens that are in use, and lists those that may be.
 * @throws Error for a token that a stack tracks, and without `--force` also for one that may be in use
 */
export function refuseUsed(wanted: readonly Token[], claims: Claims, force: boolean, io: Pick<Io, "warn">): void {
  refuseTracked(wanted, claims);
  refuseDoubtful(wanted, claims, force, io);
}

/** @throws Error for a token that a stack tracks: its program decides about it, whatever the options say */
function refuseTracked(wanted: readonly Token[], { ids }: Claims): void {
  const list = (isReplaced: boolean) =>
    wanted.flatMap(({ id }) => {
      const token = ids.get(id);
      return token && isReplaced === (token.awaits !== undefined)
        ? [`${id} (${token.declaration.urn}, in ${token.declaration.source})`]
        : [];
    });
  const [kept, replaced] = [list(false), list(true)];
  if (kept.length > 0)
    throw new Error(`nothing was revoked: a stack declares ${kept.join(", ")}; remove it from its program instead`);
  if (replaced.length > 0)
    throw new Error(
      `nothing was revoked: the replacement of ${replaced.join(", ")} did not finish; run pulumi up first`,
    );
}

/**
 * Lists the tokens that may be in use.
 * @throws Error for these tokens, without `--force`
 */
function refuseDoubtful(wanted: readonly Token[], claims: Claims, force: boolean, io: Pick<Io, "warn">): void {
  const doubtful = wanted.flatMap((token) => {
    const doubt = doubtAbout(token, claims);
    return doubt === undefined ? [] : [say`${token.id} ${doubt}`];
  });
  for (const doubt of doubtful) io.warn(say`may be in use: ${doubt}`);
  if (doubtful.length === 0 || force) return;
  throw new Error(
    `nothing was revoked: ${count(doubtful.length, "token")} may be in use. Give --force to revoke ${doubtful.length === 1 ? "it" : "them"} too`,
  );
}

/** Why a token that no stack tracks can be in use; undefined: it cannot, as far as stacks are concerned. */
function doubtAbout({ id, name }: Token, { lookups, retired, pendingNames, doubts }: Claims): Line | undefined {
  const lookup = lookups.get(id);
  if (lookup) return say`is looked up by a program: ${lookup.urn}, in ${lookup.source}`;
  const old = retired.get(id);
  if (old?.fate === "expires")
    return say`was replaced by ${old.successor.id}, and its program keeps it until it expires`;
  // A generated name proves that this create left the token behind: nobody has received its secret.
  if (pendingNames.get(name)?.some(({ isNameOwn }) => isNameOwn)) return undefined;
  if (doubts.length > 0) return say`may be declared by a stack that was not read`;
  if (old === undefined && generatedFrom(name) !== undefined)
    return say`has a name that looks generated ("${name}"), so a stack of another backend may declare it`;
  return undefined;
}

const describe = (token: Token): Line => {
  const valid = describeTokenExpiry(withExpiry(token));
  return say`${token.id}  "${token.name}" ${valid}: ${capabilitiesInWords(token).join(", ") || "no capabilities"}`;
};

/** @throws Error unless the user confirms */
async function confirm(values: Values, wanted: readonly Token[], { baseUrl }: EventDatasets, io: Io): Promise<void> {
  if (values.yes === true) return;
  if (!io.ask) throw new Error("nothing was revoked: there is no terminal to ask for confirmation; give --yes");
  const answer = await io.ask(say`Permanently revoke ${count(wanted.length, "token")} of ${baseUrl}? Type yes: `);
  if (answer.trim() !== "yes") throw new Error("nothing was revoked");
}

/** Whether a token can be the access token in use, which revokes tokens. Nothing tells which of them it is. */
function mayBeInUse({ orgCapabilities, odd }: Token): boolean {
  const actions = isObject(orgCapabilities) ? orgCapabilities.apiTokens : undefined;
  return odd !== undefined || (Array.isArray(actions) && actions.includes("delete"));
}

/** Revokes the tokens one after the other, and continues after a failure. The access token in use is among the last. */
async function revokeEach(client: EventDatasets, wanted: readonly Token[], io: Io): Promise<void> {
  const ordered = [...wanted].sort((a, b) => Number(mayBeInUse(a)) - Number(mayBeInUse(b)));
  let failures = 0;
  for (const [at, { id }] of ordered.entries()) {
    try {
      await orGone(client.tokens.delete(id));
      io.print(say`revoked ${id}`);
    } catch (e) {
      io.warn(say`${id} may not be revoked: ${(e as Error).message}`);
      // Every further request would fail, too.
      if (isStatus(e, 401))
        throw new Error(
          `stopped: the access token is not valid any more. Not revoked: ${ordered
            .slice(at)
            .map((token) => token.id)
            .join(", ")}`,
        );
      failures += 1;
    }
  }
  if (failures > 0) throw new Error(`${failures} of ${count(wanted.length, "token")} may not be revoked`);
}
