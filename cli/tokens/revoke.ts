import { rightsInWords } from "../../audit/rights";
import { type EventDatasets, environmentNames, orGone, type Token } from "../../sdk";
import { readStacks } from "../auditStacks";
import { type Io, textOf, textsOf, type Values } from "../command";
import { connect } from "../connection";
import { count, visible } from "../reports/text";
import { selectLive } from "./selection";

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
  const stacks = await readStacks(values, io);
  const declared = new Map(
    stacks.flatMap(({ tokens }) => tokens.map(({ id, declaration }) => [id, declaration] as const)),
  );
  const wanted = await selectLive(client, values, io);
  const kept = wanted.filter(({ id }) => declared.has(id));
  if (kept.length > 0) {
    const places = kept.map(({ id }) => `${id} (${declared.get(id)?.urn})`).join(", ");
    throw new Error(`nothing was revoked: a stack declares ${places}; remove it from its program instead`);
  }
  if (wanted.length === 0) throw new Error("none of these tokens is live: nothing was revoked");
  for (const token of wanted) io.warn(describe(token));
  await confirm(values, wanted, client, io);
  await revokeEach(client, wanted, io);
}

const describe = (token: Token): string => {
  const end = token.expiresAt ? `valid until ${token.expiresAt}` : "never expires";
  return visible(`${token.id}  "${token.name}", ${end}: ${rightsInWords(token).join(", ") || "no rights"}`);
};

/** @throws Error unless the user wants it */
async function confirm(values: Values, wanted: readonly Token[], { baseUrl }: EventDatasets, io: Io): Promise<void> {
  if (values.yes === true) return;
  if (!io.ask) throw new Error("nothing was revoked: there is nobody to ask; give --yes");
  const answer = await io.ask(`Revoke ${count(wanted.length, "token")} of ${baseUrl} for good? Type yes: `);
  if (answer.trim() !== "yes") throw new Error("nothing was revoked");
}

/** One after the other, and all of them: what can be revoked is, whatever becomes of the others. */
async function revokeEach(client: EventDatasets, wanted: readonly Token[], io: Io): Promise<void> {
  let failures = 0;
  for (const { id } of wanted) {
    try {
      await orGone(client.tokens.delete(id));
      io.print(`revoked ${visible(id)}`);
    } catch (e) {
      failures += 1;
      io.warn(`${id} may not be revoked: ${(e as Error).message}`);
    }
  }
  if (failures > 0) throw new Error(`${failures} of ${count(wanted.length, "token")} may not be revoked`);
}
