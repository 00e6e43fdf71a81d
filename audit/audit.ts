import { hasUnknown } from "../framework/unknown";
import type { Token } from "../sdk";
import { expiryTime, readExpiry } from "../values/expiry";
import { type AuditedAccount, findPlaces, type Places } from "./account";
import { Calendar, type CalendarMonth } from "./calendar";
import { auditCoverage, type Coverage, cover, type Scope, type UnreadStack } from "./coverage";
import {
  auditDeclared,
  type Declared,
  describeAbsent,
  describeInterrupted,
  describeUndeleted,
  isReplaced,
  mergeStacks,
} from "./declarations";
import type { DeclaredToken, StackState } from "./declared";
import { expectedOf } from "./expected";
import { byWeight, type Finding, type Found, findingOf } from "./findings";
import { findShared } from "./owners";
import { describeEnd, type Exception, expiryOfException, type FailOn, type Policy, readPolicy } from "./policy";
import { type RuleId, rules, type Severity, severities } from "./rules";
import { auditLive, findDuplicateNames, isExpired, type Rulebook, withExpiry } from "./tokens";
import { Undeclared } from "./undeclared";

/** The input of an audit. */
export interface AuditOptions extends AuditedAccount {
  /** Every live token, as `client.tokens.list()` or `getTokens()` returns them. */
  readonly live: Iterable<Token>;
  /** The states of the stacks: one `readState` each. */
  readonly stacks: readonly StackState[];
  /** The wanted stacks; default: `stacks`. */
  readonly scope?: Scope | undefined;
  /** Existing stacks that could not be read: `stacks` must contain a state of each. */
  readonly unread?: readonly UnreadStack[] | undefined;
  readonly policy?: Policy | undefined;
  /** Name of the policy in the result, such as its file. */
  readonly policySource?: string | undefined;
  /** Default: this machine's clock, by which the provider judges too. */
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
  /** Source of the policy; "built in" without a policy. */
  readonly policy: string;
  /** The worst first. */
  readonly findings: readonly Finding[];
  readonly summary: AuditSummary;
  /** The months in which live tokens expire or become due for rotation, in order. */
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
  const declared = mergeStacks(options.stacks);
  const now = options.now ?? new Date();

  const findings: Finding[] = [];
  let accepted = 0;
  const exceptions = Map.groupBy(policy.exceptions ?? [], ({ fingerprint }) => fingerprint);
  const add = (one: Found) => {
    const severity = policy.rules?.[one.rule] ?? rules[one.rule].severity;
    if (severity === "off") return;
    const finding = findingOf(one, severity);
    // Of a value of an unknown form only its name is known, so nothing tells whether it is still the accepted one.
    const isOdd = live.get(finding.token.id ?? "")?.odd !== undefined;
    const own = isOdd ? [] : (exceptions.get(finding.fingerprint) ?? []);
    if (own.some((exception) => !isOver(exception, now))) accepted += 1;
    else findings.push({ ...finding, message: finding.message + own.slice(0, 1).map(describeEnd).join("") });
  };
  for (const one of auditCoverage(coverage)) add(one);
  const places = findPlaces(declared, [...live.values()], options);
  const cutShort = compareWithDeclared(declared, live, { ...options, now, places }, add);
  const book: Rulebook = { policy, now: now.getTime(), declared };
  const undeclared = new Undeclared(book);
  const calendar = new Calendar(book);
  const usable: Token[] = [];
  for (const listed of live.values()) {
    const token = withExpiry(listed);
    calendar.add(token);
    for (const one of undeclared.findings(token)) add(one);
    if (!cutShort.has(token.id)) for (const one of auditLive(token, book)) add(one);
    if (!isExpired(token, book.now) && !isReplaced(declared, token.id)) usable.push(listed);
  }
  for (const one of undeclared.unfinished(places)) add(one);
  for (const one of findDuplicateNames(usable)) add(one);

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
      declared: declared.tokens.length,
      ...countsOf(findings),
      accepted: accepted + undeclared.allowed,
    },
    calendar: calendar.months(),
    failOn,
    failed: findings.some(({ severity }) => fails(severity, failOn)),
  };
}

/** @throws Error for a duplicate id, because it is not known which of the entries is true */
function byId(list: Iterable<Token>, baseUrl: string): ReadonlyMap<string, Token> {
  const live = new Map<string, Token>();
  for (const token of list) {
    if (live.has(token.id))
      throw new Error(
        `${baseUrl} lists the token ${token.id} twice, and it is not known which entry is true. Nothing was audited.`,
      );
    live.set(token.id, token);
  }
  return live;
}

const isOver = ({ until }: Exception, now: Date): boolean => now.getTime() >= (expiryOfException(until) ?? 0);

/** Whether a finding of this severity fails an audit. A note never does. */
export const fails = (severity: Severity, failOn: FailOn): boolean =>
  failOn !== "none" && severities.indexOf(severity) <= severities.indexOf(failOn);

/** @returns the ids of declared tokens whose expiry somebody moved into the past */
function compareWithDeclared(
  declared: Declared,
  live: ReadonlyMap<string, Token>,
  audited: AuditedAccount & { readonly now: Date; readonly places: Places },
  add: (one: Found) => void,
): ReadonlySet<string> {
  const replaced = [...declared.awaitingDeletion, ...declared.awaitingSuccessor];
  const [first] = declared.tokens;
  if (first && declared.tokens.every((token) => !live.has(token.id) && !audited.places.isHere(token))) {
    throw new Error(
      [
        `${audited.baseUrl} lists none of the ${declared.tokens.length} declared tokens, and nothing`,
        "proves that they belong to this account. Check the base URL and the access token. Nothing was audited.",
      ].join(" "),
    );
  }
  const cutShort = new Set<string>();
  for (const token of declared.tokens) {
    const found = live.get(token.id);
    if (found && isCutShort(token, found, audited.now)) {
      cutShort.add(token.id);
      add(describeCutShort(token, found));
    } else if (found) for (const one of auditDeclared(token, found)) add(one);
    else add(explainAbsence(token, describeAbsent(token, audited.places, audited.baseUrl), audited.now));
  }
  for (const one of findShared(declared, (id) => live.get(id)?.name)) add(one);
  for (const token of declared.awaitingSuccessor) add(describeInterrupted(token));
  for (const token of replaced) {
    const found = live.get(token.id);
    // If another resource tracks it now, it is compared with that resource.
    if (!found || declared.ids.get(token.id)?.awaits === undefined) continue;
    for (const one of auditDeclared(token, found)) add(one);
    if (token.awaits === "deletion" && !isExpired(withExpiry(found), audited.now.getTime()))
      add(describeUndeleted(token, found, audited.now));
  }
  for (const { declaration } of declared.pendingAdoptions) {
    const message = "The adoption of an API token did not finish; an adoption creates no token";
    add({ rule: "pending", message, token: {}, declared: declaration });
  }
  return cutShort;
}

const expiriesOf = (token: DeclaredToken): readonly unknown[] => {
  const { declared, given = {} } = expectedOf(token);
  return [declared.expiresAt, given.expiresAt].filter((expiry) => expiry !== undefined);
};

/** Whether an expiry has certainly passed. */
const isPast = (expiry: unknown, now: Date): boolean =>
  isExpired({ expiryTime: expiryTime(readExpiry(expiry)) }, now.getTime());

/** Whether a live token has expired, although no declared expiry has. Nothing is known about an encrypted one. */
function isCutShort(token: DeclaredToken, live: Token, now: Date): boolean {
  const expiries = expiriesOf(token);
  return isExpired(withExpiry(live), now.getTime()) && !expiries.some((one) => hasUnknown(one) || isPast(one, now));
}

function describeCutShort({ id, declaration: declared }: DeclaredToken, { name, expiresAt }: Token): Found {
  const message = `API token "${name}" is declared, but somebody moved its expiry into the past: it expired on ${expiresAt}`;
  return { rule: "missing", message, token: { id, name }, declared, detail: expiresAt };
}

/** A service may stop listing an expired token, so its absence does not mean that somebody revoked it. */
function explainAbsence(token: DeclaredToken, found: Found, now: Date): Found {
  const expiries = expiriesOf(token);
  const isOver = expiries.length > 0 && expiries.every((expiry) => isPast(expiry, now));
  if (found.rule !== "missing" || !isOver) return found;
  const words = found.token.name === undefined ? "An API token" : `API token "${found.token.name}"`;
  const message = `${words} is declared, expired on ${expiries.at(-1)}, and the service no longer lists it`;
  return { ...found, rule: "expiry", message };
}

function countsOf(findings: readonly Finding[]): Pick<AuditSummary, "findings" | "rules"> {
  const bySeverity = { error: 0, warning: 0, note: 0 };
  const byRule: { [rule in RuleId]?: number } = {};
  for (const { severity, rule } of findings) {
    bySeverity[severity] += 1;
    byRule[rule] = (byRule[rule] ?? 0) + 1;
  }
  return { findings: bySeverity, rules: byRule };
}
