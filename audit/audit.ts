import type { Token } from "../sdk";
import { type AuditedAccount, describePlace, placing } from "./account";
import { type Baseline, readBaseline } from "./baseline";
import { type Calendar, CalendarBuilder } from "./calendar";
import { auditDeclared, type Declared, mergeStacks, notLive } from "./declarations";
import { byWeight, type Finding, type Found, findingOf } from "./findings";
import { type FailOn, type Policy, readPolicy } from "./policy";
import { type RuleId, rules, type Severity, severities } from "./rules";
import type { StackState } from "./state";
import { auditLive, duplicateNames, type Rulebook, withEnd } from "./tokens";
import { Undeclared } from "./undeclared";

/** What to audit, and by which measure. */
export interface AuditOptions extends AuditedAccount {
  /** Every live token, as `client.tokens.list()` or `getTokens()` answers them. */
  readonly live: Iterable<Token>;
  /** What the stacks declare: one `readState` each. */
  readonly stacks: readonly StackState[];
  readonly policy?: Policy | undefined;
  /** Known findings, which are counted but not reported. */
  readonly baseline?: Baseline | undefined;
  /** Default: this machine's clock. */
  readonly now?: Date | undefined;
}

/** What an audit counted. */
export interface AuditSummary {
  readonly live: number;
  readonly declared: number;
  /** Findings by severity. */
  readonly findings: { readonly [severity in Severity]: number };
  /** Findings by rule; rules without a finding are left out. */
  readonly rules: { readonly [rule in RuleId]?: number };
  /** Undeclared tokens that the policy allows. */
  readonly allowed: number;
  /** Findings that the baseline knows. */
  readonly baselined: number;
  /** Entries of the baseline that were not found any more. */
  readonly resolved: number;
  /** Replaced tokens that the next update deletes; neither compared nor undeclared. */
  readonly awaitingDeletion: number;
}

export interface AuditResult {
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly auditedAt: string;
  readonly sources: readonly string[];
  /** The worst first. */
  readonly findings: readonly Finding[];
  readonly summary: AuditSummary;
  readonly calendar: Calendar;
  readonly failOn: FailOn;
  /** Whether a finding is at least as severe as `failOn`. */
  readonly failed: boolean;
}

/**
 * Compares the live tokens with those that stacks declare. Calls nothing and prints nothing.
 * @throws Error for an unusable policy or baseline, and if every declared token is on another service or perhaps of another
 * account: that is a wrong base URL or credential, and nothing that could be said would be true
 */
export function auditTokens(options: AuditOptions): AuditResult {
  const policy = readPolicy(options.policy ?? { version: 1 }, "policy");
  const live = new Map<string, Token>();
  for (const token of options.live) live.set(token.id, token);
  const declared = mergeStacks(options.stacks);
  const now = options.now ?? new Date();

  const found: Finding[] = [];
  const add = (one: Found) => {
    const severity = policy.rules?.[one.rule] ?? rules[one.rule].severity;
    if (severity !== "off") found.push(findingOf(one, severity));
  };
  compareWithDeclared(declared, live, options, add);
  const book: Rulebook = { policy, now: now.getTime(), declared };
  const undeclared = new Undeclared(book);
  const calendar = new CalendarBuilder(book);
  for (const listed of live.values()) {
    const token = withEnd(listed);
    calendar.add(token);
    for (const one of undeclared.findings(token)) add(one);
    for (const one of auditLive(token, book)) add(one);
  }
  for (const one of duplicateNames(live.values(), declared)) add(one);

  const known = new Set(readBaseline(options.baseline ?? noBaseline, "baseline").findings.map((f) => f.fingerprint));
  const findings = found.filter(({ fingerprint }) => !known.has(fingerprint)).sort(byWeight);
  const baselined = found.length - findings.length;
  const failOn = policy.failOn ?? "error";
  return {
    baseUrl: options.baseUrl,
    auditedAt: now.toISOString(),
    sources: options.stacks.map(({ source }) => source),
    findings,
    summary: {
      live: live.size,
      declared: declared.tokens.length,
      ...countsOf(findings),
      allowed: undeclared.allowed,
      baselined,
      resolved: known.size - new Set(found.map((f) => f.fingerprint).filter((f) => known.has(f))).size,
      awaitingDeletion: declared.awaitingDeletion.length,
    },
    calendar: calendar.build(),
    failOn,
    failed: findings.some(({ severity }) => fails(severity, failOn)),
  };
}

const noBaseline: Baseline = { version: 1, findings: [] };

/** Whether a finding of this severity fails an audit. A note never does. */
export const fails = (severity: Severity, failOn: FailOn): boolean =>
  failOn !== "none" && severities.indexOf(severity) <= severities.indexOf(failOn);

function compareWithDeclared(
  declared: Declared,
  live: ReadonlyMap<string, Token>,
  audited: AuditedAccount,
  add: (one: Found) => void,
): void {
  const placeOf = placing([...declared.ids.values()], (id) => live.has(id), audited);
  const [first] = declared.tokens;
  if (first && declared.tokens.every((token) => !live.has(token.id) && placeOf(token) !== "here")) {
    throw new Error(
      [
        `${audited.baseUrl} lists none of the ${declared.tokens.length} declared tokens, and nothing`,
        "proves that they are of this account: the first is of",
        `${describePlace(first)}${presentCredential(audited)}. Check the base URL and the credential.`,
        "Nothing was audited.",
      ].join(" "),
    );
  }
  for (const token of declared.tokens) {
    const found = live.get(token.id);
    if (found) for (const one of auditDeclared(token, found)) add(one);
    else add(notLive(token, placeOf(token), audited.baseUrl));
  }
  for (const token of declared.awaitingDeletion) {
    const found = live.get(token.id);
    // One that another resource tracks by now is compared with that.
    if (found && declared.ids.get(token.id) === token) for (const one of auditDeclared(token, found)) add(one);
  }
  for (const [name, { declaration }] of declared.pendingNames) {
    const made = [...live.values()].some((token) => token.name === name && !declared.ids.has(token.id));
    if (made) continue; // reported as orphaned
    const message = `The creation of API token "${name}" did not finish; no token of that name was left behind`;
    add({ rule: "pending", message, token: { name }, declared: declaration });
  }
  for (const declaration of declared.pendingAdoptions) {
    const message = "The adoption of an API token did not finish; it makes no token";
    add({ rule: "pending", message, token: {}, declared: declaration });
  }
  for (const declaration of declared.pendingUnnamed) {
    const message = "The creation of an API token did not finish; its name is encrypted, so it cannot be looked for";
    add({ rule: "pending", message, token: {}, declared: declaration });
  }
}

const presentCredential = ({ credentialHash }: AuditedAccount): string =>
  credentialHash === undefined ? "" : `, the present credential is ${credentialHash}`;

function countsOf(findings: readonly Finding[]): Pick<AuditSummary, "findings" | "rules"> {
  const bySeverity = { error: 0, warning: 0, note: 0 };
  const byRule: { [rule in RuleId]?: number } = {};
  for (const { severity, rule } of findings) {
    bySeverity[severity] += 1;
    byRule[rule] = (byRule[rule] ?? 0) + 1;
  }
  return { findings: bySeverity, rules: byRule };
}
