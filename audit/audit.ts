import type { Token } from "../sdk";
import { type AuditedAccount, findPlaces } from "./account";
import { auditCoverage, type Coverage, cover, type Scope, type UnreadStack } from "./coverage";
import { auditRecorded, type LiveAccount } from "./declarations";
import type { StackState } from "./declared";
import { judgeBy } from "./exceptions";
import { byWeight, type Finding, type Found, findingOf } from "./findings";
import { isReplaced, mergeStacks, type Recorded } from "./holders";
import { isExpired, type LiveToken, withExpiry } from "./liveToken";
import { describeEnd, type Exception, expiryOfException, type FailOn, type Policy, readPolicy } from "./policy";
import { type CalendarMonth, calendarOf } from "./rotations";
import { type RuleId, rules, type Severity, severities } from "./rules";
import { auditLive, findDuplicateNames, type Rulebook } from "./tokens";
import { auditUndeclared, auditUnfinished } from "./undeclared";

/** The input of an audit. */
export interface AuditOptions extends AuditedAccount {
  /** Every live token, as `client.tokens.list()` or `getTokens()` returns them. */
  readonly live: Iterable<Token>;
  /** The states of the stacks: one `readState` each. */
  readonly stacks: readonly StackState[];
  /** Whether `stacks` should be all stacks of a backend; default: only named ones. */
  readonly scope?: Scope | undefined;
  /** Existing stacks that could not be read: `stacks` must contain a state of each. */
  readonly unread?: readonly UnreadStack[] | undefined;
  readonly policy?: Policy | undefined;
  /** Name of the policy in the result, such as its file. */
  readonly policySource?: string | undefined;
  /** Default: this machine's clock, which the provider uses as well. */
  readonly now?: Date | undefined;
}

/** The counts of an audit. */
export interface AuditSummary {
  readonly live: number;
  readonly declared: number;
  /** Findings by severity. */
  readonly findings: { readonly [severity in Severity]: number };
  /** Findings by rule; rules without a finding are left out. */
  readonly rules: { readonly [rule in RuleId]?: number };
  /** Findings that an exception of the policy accepts; they are not reported. */
  readonly accepted: number;
}

export interface AuditResult {
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly auditedAt: string;
  readonly sources: readonly string[];
  /** The stacks that were audited, with the sources of their states. */
  readonly coverage: Coverage;
  /** The source of the policy. If it is not known: "given", or "built in" without a policy. */
  readonly policy: string;
  /** The worst first. */
  readonly findings: readonly Finding[];
  readonly summary: AuditSummary;
  /** The months of the next two years in which live tokens expire or become due for rotation, in order. */
  readonly calendar: readonly CalendarMonth[];
  readonly failOn: FailOn;
  /** Whether a finding is at least as severe as `failOn`. */
  readonly failed: boolean;
}

/**
 * Compares live tokens with the tokens that stacks declare. It does no I/O.
 * @throws Error for an unusable policy, for states that cannot be matched to stacks, and for a list with a duplicate
 * id. Also if every declared token is on another service or may belong to another account: the base URL or the access token is
 * wrong, so every finding would be wrong
 */
export function auditTokens(options: AuditOptions): AuditResult {
  const policy = readPolicy(options.policy ?? { version: 1 }, "policy");
  const live = byId(options.live, options.baseUrl);
  const coverage = cover(options.stacks, options.scope ?? { wanted: "named" }, options.unread ?? []);
  const recorded = mergeStacks(options.stacks);
  const declared = recorded.all.filter(({ awaits }) => awaits === undefined);
  const now = options.now ?? new Date();
  const places = findPlaces(recorded, [...live.values()], options);
  const account = { live, places, baseUrl: options.baseUrl, now: now.getTime() };
  requireOwn(declared, account);

  const findings: Finding[] = [];
  let accepted = 0;
  const exceptions = Map.groupBy(policy.exceptions ?? [], ({ fingerprint }) => fingerprint);
  const judge = judgeBy(policy, account.now);
  const add = (found: Found, undeclared?: LiveToken) => {
    const one = undeclared ? judge(found, undeclared) : found;
    const severity = policy.rules?.[found.rule] ?? rules[found.rule].severity;
    if (one === "accepted") accepted += 1;
    if (one === "accepted" || severity === "off") return;
    const finding = findingOf(one, severity);
    // Of a value of an unknown form only its name is known, so nothing tells whether it is still the accepted one.
    const isOdd = live.get(finding.token.id ?? "")?.odd !== undefined;
    const own = isOdd ? [] : (exceptions.get(finding.fingerprint) ?? []);
    if (own.some((exception) => !isOver(exception, now))) accepted += 1;
    else findings.push({ ...finding, message: finding.message + own.slice(0, 1).map(describeEnd).join("") });
  };
  const book: Rulebook = { policy, now: account.now, recorded };
  for (const one of auditCoverage(coverage)) add(one);
  for (const one of auditRecorded(recorded, account)) add(one);
  for (const token of live.values()) {
    for (const one of auditUndeclared(token, book)) add(one, token);
    for (const one of auditLive(token, book)) add(one);
  }
  for (const one of auditUnfinished(live.values(), book, places)) add(one);
  for (const one of findDuplicateNames(usableOf(book, account))) add(one);

  findings.sort(byWeight);
  const failOn = policy.failOn ?? "error";
  return {
    baseUrl: options.baseUrl,
    auditedAt: now.toISOString(),
    sources: options.stacks.map(({ source }) => source),
    coverage,
    policy: options.policySource ?? (options.policy === undefined ? "built in" : "given"),
    findings,
    summary: {
      live: live.size,
      declared: declared.length,
      ...countsOf(findings),
      accepted,
    },
    calendar: calendarOf(live.values(), recorded, account.now),
    failOn,
    failed: findings.some(({ severity }) => fails(severity, failOn)),
  };
}

/** @throws Error for a duplicate id, because it is not known which of the entries is true */
function byId(list: Iterable<Token>, baseUrl: string): ReadonlyMap<string, LiveToken> {
  const live = new Map<string, LiveToken>();
  for (const token of list) {
    if (live.has(token.id))
      throw new Error(
        `${baseUrl} lists the token ${token.id} twice, and it is not clear which entry is right. Nothing was audited.`,
      );
    live.set(token.id, withExpiry(token));
  }
  return live;
}

/** @throws Error if no declared token is listed, and nothing proves that one belongs to the account */
function requireOwn(declared: Recorded["all"], { live, places, baseUrl }: LiveAccount): void {
  if (declared.length === 0 || declared.some((token) => live.has(token.id) || places.isHere(token))) return;
  throw new Error(
    [
      `${baseUrl} lists none of the ${declared.length} declared tokens, and nothing`,
      "proves that they belong to this account. Check the base URL and the access token. Nothing was audited.",
    ].join(" "),
  );
}

/** The tokens whose name somebody may look up. */
const usableOf = ({ recorded }: Rulebook, { live, now }: LiveAccount): LiveToken[] =>
  [...live.values()].filter((token) => !isExpired(token, now) && !isReplaced(recorded, token.id));

const isOver = ({ until }: Exception, now: Date): boolean => now.getTime() >= (expiryOfException(until) ?? 0);

/** Whether a finding of this severity fails an audit. A note never does. */
export const fails = (severity: Severity, failOn: FailOn): boolean =>
  failOn !== "none" && severities.indexOf(severity) <= severities.indexOf(failOn);

function countsOf(findings: readonly Finding[]): Pick<AuditSummary, "findings" | "rules"> {
  const bySeverity = { error: 0, warning: 0, note: 0 };
  const byRule: { [rule in RuleId]?: number } = {};
  for (const { severity, rule } of findings) {
    bySeverity[severity] += 1;
    byRule[rule] = (byRule[rule] ?? 0) + 1;
  }
  return { findings: bySeverity, rules: byRule };
}
