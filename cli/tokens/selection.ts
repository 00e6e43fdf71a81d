import { type EventDatasets, selectTokens, type Token } from "../../sdk";
import { type Io, textOf, textsOf, type Values } from "../command";
import { warnOfOddEntries } from "../counts";
import { filterOf } from "./filter";
import type { AuditReport } from "./report";

/**
 * Selects live tokens by the options. Tokens of an old report may no longer be live.
 * @throws Error that names an invalid option, or the ids that are not live
 */
export async function selectLive(
  client: EventDatasets,
  values: Values,
  report: AuditReport | undefined,
  io: Pick<Io, "warn">,
): Promise<Token[]> {
  const named = textsOf(values, "id");
  const ids = report?.ids ?? (named.length > 0 ? new Set(named) : undefined);
  const filter = filterOf(values, ids !== undefined);
  const all = await client.tokens.list();
  warnOfOddEntries(all, io);
  const selected = selectTokens(all, filter, client.clock.now());
  if (ids === undefined) return selected;
  const gone = named.filter((id) => !all.some((token) => token.id === id));
  if (gone.length > 0) throw new Error(`${client.baseUrl} lists no token with the id ${gone.join(", ")}`);
  return selected.filter(({ id }) => ids.has(id));
}

/**
 * Reads the report of `--from`.
 * @throws Error for `--id` beside it, and for an invalid file
 */
export async function reportOf({ baseUrl }: EventDatasets, values: Values): Promise<AuditReport | undefined> {
  const file = textOf(values, "from");
  if (file === undefined) return undefined;
  if (textsOf(values, "id").length > 0) throw new Error("--from and --id cannot be combined");
  const { readReport } = require("./report") as typeof import("./report"); // most lists need none
  return readReport(file, baseUrl);
}
