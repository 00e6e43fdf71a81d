import { capabilitiesInWords } from "../../audit/liveToken";
import { type EventDatasets, type Listing, type Row, selectTokens, type Token, type TokenFilter } from "../../sdk";
import { tokenExpiryTime } from "../../sdk/tokenFilter";
import { defined } from "../../values/defined";
import type { Command, Io, Values } from "../command";
import { connect } from "../connection";
import { table } from "../table";
import { count, reportJson, say } from "../text";
import { layoutOf } from "../width";

/** Prints live tokens, ordered by expiry. Tokens that never expire, or whose expiry cannot be read, come last. */
export const listTokens: Command<"tokens list"> = {
  async run(values, io) {
    await using client = connect(io);
    const live = (await selectLive(client, values, io)).sort((a, b) => expiryOrder(a) - expiryOrder(b));
    if (values.output === "json") io.print(reportJson(live, 2));
    else for (const line of table(live.map(summarize), { ...layoutOf(io), whole: ["id", "expires"] })) io.print(line);
    return 0;
  },
};

/** Far away, but finite, so that it can be subtracted. */
const expiryOrder = (token: Token): number => Math.min(tokenExpiryTime(token) ?? farAway, farAway);
const farAway = Number.MAX_SAFE_INTEGER;

const summarize = (token: Token): Row => ({
  expires: tokenExpiryTime(token) === Number.POSITIVE_INFINITY ? "never" : (token.expiresAt ?? "unreadable"),
  name: token.name,
  id: token.id,
  capabilities: capabilitiesInWords(token).join(", "),
  description: token.description ?? "",
});

/** The options that select tokens: each command has some of them. */
type Selection = Partial<Values<"tokens list">> & Partial<Pick<Values<"tokens adopt">, "id">>;

/**
 * Selects live tokens by the options. A token that is named by its id is selected even if it has expired.
 * @throws Error that names the ids that are not live
 */
export async function selectLive(client: EventDatasets, values: Selection, io: Pick<Io, "warn">): Promise<Token[]> {
  const { id: ids = [] } = values;
  const filter = filterOf(values, ids.length > 0);
  const all = await client.tokens.list();
  warnOfOddEntries(all, io);
  const selected = selectTokens(all, filter, new Date());
  if (ids.length === 0) return selected;
  const named = new Set(pickLive(all, ids, client.baseUrl));
  return selected.filter((token) => named.has(token));
}

/** @throws Error that names the ids that are not live */
export function pickLive(live: readonly Token[], ids: readonly string[], baseUrl: string): Token[] {
  const gone = ids.filter((id) => !live.some((token) => token.id === id));
  if (gone.length > 0) throw new Error(`${baseUrl} lists no token with the id ${gone.join(", ")}`);
  return [...new Set(ids)].flatMap((id) => live.find((token) => token.id === id) ?? []);
}

function filterOf({ name, "expiring-within": expiringWithin }: Selection, isNamed: boolean): TokenFilter {
  return defined({
    ...(name?.endsWith("*") ? { namePrefix: name.slice(0, -1) } : { name }),
    expiringWithin,
    expired: isNamed ? undefined : false,
  });
}

/** Warns about list entries that could not be read completely, so that the options cannot be applied to all of their fields. */
export function warnOfOddEntries({ odd }: Pick<Listing<unknown>, "odd">, { warn }: Pick<Io, "warn">): void {
  if (odd.length > 0) warn(say`${count(odd.length, "entry", "entries")} of the list could not be read completely`);
}
