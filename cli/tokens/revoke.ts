import { rightsInWords } from "../../audit/rights";
import { type EventDatasets, environmentNames, orGone, type Token } from "../../sdk";
import { type Io, textOf, textsOf, type Values } from "../command";
import { connect } from "../connection";
import { count } from "../counts";
import { type Line, say } from "../text";
import { type Claims, readClaims } from "./declared";
import { reportOf, selectLive } from "./selection";

/**
 * Revokes tokens that no stack declares, after it has asked.
 * @throws Error if nothing, or not everything, was revoked
 */
export async function revokeTokens(values: Values, io: Io): Promise<void> {
  if (textsOf(values, "id").length === 0 && textOf(values, "from") === undefined) {
    throw new Error("tokens to revoke are named one by one: give --id, or --from with the report of an audit");
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

/** @throws Error for a token that a stack declares, and for one that a program uses, unless that is wanted */
function refuseClaimed(wanted: readonly Token[], { declared, lookedUp }: Claims, force: boolean): void {
  const claimed = (claims: Claims["declared"]) =>
    wanted.flatMap(({ id }) => {
      const declaration = claims.get(id);
      return declaration ? [`${id} (${declaration.urn}, in ${declaration.source})`] : [];
    });
  const [kept, used] = [claimed(declared), claimed(lookedUp)];
  if (kept.length > 0) {
    throw new Error(`nothing was revoked: a stack declares ${kept.join(", ")}; remove it from its program instead`);
  }
  if (used.length > 0 && !force) {
    throw new Error(
      `nothing was revoked: a program looks up ${used.join(", ")}; remove the lookup first, or give --force`,
    );
  }
}

const describe = (token: Token): Line => {
  const end = token.expiresAt ? `valid until ${token.expiresAt}` : "never expires";
  return say`${token.id}  "${token.name}", ${end}: ${rightsInWords(token).join(", ") || "no rights"}`;
};

/** @throws Error unless the user wants it */
async function confirm(values: Values, wanted: readonly Token[], { baseUrl }: EventDatasets, io: Io): Promise<void> {
  if (values.yes === true) return;
  if (!io.ask) throw new Error("nothing was revoked: there is nobody to ask; give --yes");
  const answer = await io.ask(say`Revoke ${count(wanted.length, "token")} of ${baseUrl} for good? Type yes: `);
  if (answer.trim() !== "yes") throw new Error("nothing was revoked");
}

/** One after the other, and all of them: what can be revoked is, whatever becomes of the others. */
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
