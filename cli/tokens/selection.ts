import { type EventDatasets, selectTokens, type Token, type TokenFilter } from "../../sdk";
import { defined } from "../../values/defined";
import { parseDuration } from "../../values/duration";
import { type Io, textOf, textsOf, type Values } from "../command";
import { warnOfOddEntries } from "../counts";

/**
 * Selects live tokens by the options. A token that is named by its id is selected even if it has expired, and tokens of an old report
 * may no longer be live.
 * @throws Error that names an invalid option, or the ids that are not live
 */
export async function selectLive(
  client: EventDatasets,
  values: Values,
  reported: ReadonlySet<string> | undefined,
  io: Pick<Io, "warn">,
): Promise<Token[]> {
  const named = textsOf(values, "id");
  const ids = reported ?? (named.length > 0 ? new Set(named) : undefined);
  const filter = filterOf(values, ids !== undefined);
  const all = await client.tokens.list();
  warnOfOddEntries(all, io);
  const selected = selectTokens(all, filter, new Date());
  if (ids === undefined) return selected;
  const gone = named.filter((id) => !all.some((token) => token.id === id));
  if (gone.length > 0) throw new Error(`${client.baseUrl} lists no token with the id ${gone.join(", ")}`);
  return selected.filter(({ id }) => ids.has(id));
}

/**
 * The ids in the report of `--from`.
 * @throws Error for `--id` beside it, and for an invalid file
 */
export async function reportedIds(
  { baseUrl }: EventDatasets,
  values: Values,
): Promise<ReadonlySet<string> | undefined> {
  const file = textOf(values, "from");
  if (file === undefined) return undefined;
  if (textsOf(values, "id").length > 0) throw new Error("--from and --id cannot be combined");
  const { readReport } = await import("./report.js"); // most lists need none
  return readReport(file, baseUrl);
}

/** @throws Error that names an invalid option */
function filterOf(values: Values, isNamed: boolean): TokenFilter {
  const [name, expiringWithin] = [textOf(values, "name"), textOf(values, "expiring-within")];
  if (expiringWithin !== undefined && parseDuration(expiringWithin) === undefined)
    throw new Error("--expiring-within: must be a duration such as 36h, 14d or P90D");
  return defined({
    ...(name?.endsWith("*") ? { namePrefix: name.slice(0, -1) } : { name }),
    expiringWithin,
    expired: isNamed ? undefined : false,
  });
}
