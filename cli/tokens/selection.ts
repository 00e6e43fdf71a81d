import type { RuleId } from "../../audit";
import { type EventDatasets, selectTokens, type Token, type TokenFilter } from "../../sdk";
import { canonicalAddress } from "../../sdk/values/address";
import { defined } from "../../sdk/values/defined";
import { isObject } from "../../sdk/values/json";
import { type Io, textOf, textsOf, type Values } from "../command";
import { count } from "../reports/text";

/** Findings whose tokens nobody declares: what to do with them is to adopt or to revoke them. */
const unclaimed: readonly RuleId[] = ["undeclared", "orphaned"];

/**
 * The live tokens that the options select, by name. Those of a report must be live, too: it may be old.
 * @throws Error that names the option that cannot be used, and each id that is not live
 */
export async function selectLive(client: EventDatasets, values: Values, { warn }: Pick<Io, "warn">): Promise<Token[]> {
  const ids = await idsOf(client, values);
  const all = await client.tokens.list();
  if (all.odd.length > 0)
    warn(`${count(all.odd.length, "entry")} of the list could not be read as a whole`.replace("entrys", "entries"));
  const selected = selectTokens(all, filterOf(values, ids !== undefined), new Date());
  if (ids === undefined) return selected;
  const gone = textsOf(values, "id").filter((id) => !all.some((token) => token.id === id));
  if (gone.length > 0) throw new Error(`${client.baseUrl} lists no token with the id ${gone.join(", ")}`);
  return selected.filter(({ id }) => ids.has(id));
}

/** The ids that `--id` and `--from` name; undefined: no matter which. */
async function idsOf({ baseUrl }: EventDatasets, values: Values): Promise<ReadonlySet<string> | undefined> {
  const [ids, file] = [textsOf(values, "id"), textOf(values, "from")];
  if (file === undefined) return ids.length > 0 ? new Set(ids) : undefined;
  if (ids.length > 0) throw new Error("--from: takes the place of --id; give one of them");
  const { jsonFile } = require("../auditSources") as typeof import("../auditSources"); // with all of the audit
  const report = await jsonFile(file);
  if (
    !isObject(report) ||
    report.version !== 1 ||
    typeof report.baseUrl !== "string" ||
    !Array.isArray(report.findings)
  ) {
    throw new Error(`--from ${file}: is not a report of "event-datasets audit --output json"`);
  }
  if (canonicalAddress(report.baseUrl) !== canonicalAddress(baseUrl)) {
    throw new Error(`--from ${file}: is about ${report.baseUrl}, and the present settings are those of ${baseUrl}`);
  }
  return new Set(report.findings.flatMap(unclaimedId));
}

/** The id of the token of a finding, if nobody declares it. */
function unclaimedId(finding: unknown): string[] {
  if (!isObject(finding) || !isObject(finding.token) || typeof finding.token.id !== "string") return [];
  return unclaimed.some((rule) => rule === finding.rule) ? [finding.token.id] : [];
}

/** What was named by its id is wanted in any case, also if it has expired. */
const filterOf = (values: Values, isNamed: boolean): TokenFilter =>
  defined({
    name: textOf(values, "name"),
    nameRegex: textOf(values, "name-regex"),
    capability: textOf(values, "capability"),
    expiringWithin: textOf(values, "expiring-within"),
    withoutExpiry: values["without-expiry"] === true ? true : undefined,
    expired: values.expired === true || isNamed ? undefined : false,
  });
