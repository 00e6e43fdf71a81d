import { compareWithLive, describeDifference, grantFields } from "./differences";
import { type Difference, type Found, findingOf } from "./findings";
import type { LiveToken } from "./liveToken";
import { describeEnd, type Exception, expiryOfException, matchesPattern, type Policy } from "./policy";
import type { RuleId } from "./rules";
import { auditLive, type Rulebook } from "./tokens";
import { auditUndeclared } from "./undeclared";

/** Rules about an undeclared token that its exception covers. */
const covered: readonly RuleId[] = ["undeclared", "orphaned", "escalated"];

/** Judges findings about undeclared tokens by the exceptions that name the token by its id or name. */
export function judgeBy(
  { exceptions = [] }: Policy,
  now: number,
): (found: Found, live: LiveToken) => Found | "accepted" {
  const byId = Map.groupBy(exceptions, ({ id }) => id);
  const byName = exceptions.filter(({ name }) => name !== undefined);
  return (found, live) => {
    if (!covered.includes(found.rule)) return found;
    // An exception by name does not cover a token that a program left behind: the program chose the name.
    const named = found.rule === "undeclared" ? byName.filter((one) => matchesPattern(one.name ?? "", live.name)) : [];
    const excesses = [...(byId.get(live.id) ?? []), ...named].map((one) => findExcess(live, one, now));
    if (excesses.includes(undefined)) return "accepted";
    const { words = "", differences = [] } = excesses[0] ?? {};
    return { ...found, message: found.message + words, ...(differences.length > 0 ? { differences } : {}) };
  };
}

/** The exceptions about a token: by its id, its name, or a finding about it. An exception that has ended counts as well. */
export function exceptionsAbout(live: LiveToken, book: Rulebook): readonly Exception[] {
  const found = [...auditUndeclared(live, book), ...auditLive(live, book)];
  const fingerprints = found.map((one) => findingOf(one, "note").fingerprint);
  return (book.policy.exceptions ?? []).filter(
    ({ fingerprint = "", id, name }) =>
      id === live.id || (name !== undefined && matchesPattern(name, live.name)) || fingerprints.includes(fingerprint),
  );
}

/** Why an exception does not accept a token, with the values beyond the accepted ones. */
interface Excess {
  readonly words: string;
  readonly differences?: readonly Difference[];
}

/** An expiry has four digits for the year. The day 9999-12-31 ends after it. */
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

/** Undefined: the exception accepts the token as it is. */
function findExcess(live: LiveToken, exception: Exception, now: number): Excess | undefined {
  const { owner, reason, until, expiresAt, orgCapabilities, datasetCapabilities, viewCapabilities } = exception;
  const end = expiryOfException(until) ?? 0;
  if (now >= end) return { words: describeEnd(exception) };
  // Without expiresAt, an exception accepts an expiry up to its own end.
  const limit = expiresAt === "never" ? undefined : (expiresAt ?? new Date(Math.min(end, lastInstant)).toISOString());
  const declared = { expiresAt: limit, orgCapabilities, datasetCapabilities, viewCapabilities };
  const compared = compareWithLive({ declared }, live, grantFields);
  const differences = compared.differences.filter(({ escalates }) => escalates);
  const unreadable = compared.uncompared.map((field) => `${field} cannot be read`);
  const list = [...differences.map(describeDifference), ...unreadable];
  if (list.length === 0) return undefined;
  return { words: `; the exception for ${owner} (${reason}) does not cover this: ${list.join("; ")}`, differences };
}
