import { type EventDatasets, selectTokens, type Token, type TokenFilter } from "../../sdk";
import { defined } from "../../values/defined";
import type { Io, Values } from "../command";
import { warnOfOddEntries } from "../counts";

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
