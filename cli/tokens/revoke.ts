import type { Declaration } from "../../audit";
import { rightsInWords } from "../../audit/rights";
import { describeTokenExpiry, withExpiry } from "../../audit/tokens";
import { type EventDatasets, environmentNames, orGone, type Token } from "../../sdk";
import { type Io, textOf, textsOf, type Values } from "../command";
import { connect } from "../connection";
import { count } from "../counts";
import { type Line, say } from "../text";
import { type Claims, readClaims } from "./declared";
import { reportOf, selectLive } from "./selection";

/**
 * Revokes undeclared tokens, after confirmation.
 * @throws Error if nothing, or not everything, was revoked
 */
export async function revokeTokens(values: Values, io: Io): Promise<void> {
  if (textsOf(values, "id").length === 0 && textOf(values, "from") === undefined) {
    throw new Error("name the tokens to revoke: give --id, or --from with the report of an audit");
  }
  await using client = connect(io);
  if (!client.can("tokens.delete")) {
    throw new Error(
      `the documented interface cannot revoke a token: set ${environmentNames.profile}=extended if the service can`,
    );
  }
  const report = await reportOf(client, values);
  const claims = await readClaims(values, report, io);
  const wanted = await selectLive(client, values, report, io);
  refuseClaimed(wanted, claims, values.force === true);
  if (wanted.length === 0) throw new Error("none of these tokens is live: nothing was revoked");
  for (const token of wanted) io.warn(describe(token));
  await confirm(values, wanted, client, io);
  await revokeEach(client, wanted, io);
}

/** @throws Error for a declared token, and without --force also for a token that a program looks up */
function refuseClaimed(wanted: readonly Token[], { ids, lookups }: Claims, force: boolean): void {
  const listClaimed = (find: (id: string) => Declaration | undefined) =>
    wanted.flatMap(({ id }) => {
      const declaration = find(id);
      return declaration ? [`${id} (${declaration.urn}, in ${declaration.source})`] : [];
    });
  const listTracked = (isReplaced: boolean) =>
    listClaimed((id) => {
      const token = ids.get(id);
      return token && isReplaced === (token.awaits !== undefined) ? token.declaration : undefined;
    });
  const [kept, replaced, used] = [listTracked(false), listTracked(true), listClaimed((id) => lookups.get(id))];
  if (kept.length > 0) {
    throw new Error(`nothing was revoked: a stack declares ${kept.join(", ")}; remove it from its program instead`);
  }
  if (replaced.length > 0) {
    throw new Error(
      `nothing was revoked: the replacement of ${replaced.join(", ")} did not finish; run pulumi up first`,
    );
  }
  if (used.length > 0 && !force) {
    throw new Error(
      `nothing was revoked: a program looks up ${used.join(", ")}; remove the lookup first, or give --force`,
    );
  }
}

const describe = (token: Token): Line => {
  const valid = describeTokenExpiry(withExpiry(token));
  return say`${token.id}  "${token.name}" ${valid}: ${rightsInWords(token).join(", ") || "no rights"}`;
};

/** @throws Error unless the user confirms */
async function confirm(values: Values, wanted: readonly Token[], { baseUrl }: EventDatasets, io: Io): Promise<void> {
  if (values.yes === true) return;
  if (!io.ask) throw new Error("nothing was revoked: there is no terminal to ask for confirmation; give --yes");
  const answer = await io.ask(say`Permanently revoke ${count(wanted.length, "token")} of ${baseUrl}? Type yes: `);
  if (answer.trim() !== "yes") throw new Error("nothing was revoked");
}

/** Revokes the tokens one after the other, and continues after a failure. */
async function revokeEach(client: EventDatasets, wanted: readonly Token[], io: Io): Promise<void> {
  let failures = 0;
  for (const { id } of wanted) {
    try {
      await orGone(client.tokens.delete(id));
      io.print(say`revoked ${id}`);
    } catch (e) {
      failures += 1;
      io.warn(say`${id} may not be revoked: ${(e as Error).message}`);
    }
  }
  if (failures > 0) throw new Error(`${failures} of ${count(wanted.length, "token")} may not be revoked`);
}
