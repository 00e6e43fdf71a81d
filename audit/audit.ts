import type { Token } from "../sdk";
import { type Baseline, readBaseline } from "./baseline";
import { auditDeclared, type Declared, mergeStacks } from "./declarations";
import { byWeight, type Finding, type Found, findingOf } from "./findings";
import { type FailOn, type Policy, readPolicy } from "./policy";
import { type RuleId, rules, type Severity, severities } from "./rules";
import type { StackState } from "./state";
import { auditLive, duplicateNames, type Rulebook, Undeclared, withExpiry } from "./tokens";

/** What to audit, and by which measure. */
export interface AuditOptions {
  /** The address of the service that the live tokens are from. */
  readonly baseUrl: string;
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
  readonly failOn: FailOn;
  /** Whether a finding is at least as severe as `failOn`. */
  readonly failed: boolean;
}

/**
 * Compares the live tokens with those that stacks declare. Calls nothing and prints nothing.
 * @throws Error for an unusable policy or baseline, and if every declared token is on another service: that is a wrong
 * base URL, and nothing that could be said would be true
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
  compareWithDeclared(declared, live, options.baseUrl, add);
  const book: Rulebook = { policy, now: now.getTime(), declared };
  const undeclared = new Undeclared(book);
  for (const listed of live.values()) {
    const token = withExpiry(listed);
    const one = undeclared.finding(token);
    if (one) add(one);
    for (const other of auditLive(token, book)) add(other);
  }
  for (const one of duplicateNames(live.values())) add(one);

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
      awaitingDeletion: declared.awaitingDeletion,
    },
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
  baseUrl: string,
  add: (one: Found) => void,
): void {
  let elsewhere = 0;
  for (const token of declared.tokens) {
    for (const one of auditDeclared(token, live.get(token.id), baseUrl)) {
      if (one.rule === "elsewhere") elsewhere += 1;
      add(one);
    }
  }
  const [first] = declared.tokens;
  if (first && elsewhere === declared.tokens.length) {
    throw new Error(
      `every declared token is on another service (the first on ${first.outputs.baseUrl}), and ${baseUrl} lists none of them: check the base URL. Nothing was audited.`,
    );
  }
  for (const [name, declaration] of declared.pendingNames) {
    const made = [...live.values()].some((token) => token.name === name && !declared.ids.has(token.id));
    if (made) continue; // reported as orphaned
    const message = `The creation of API token "${name}" did not finish; no token of that name was left behind`;
    add({ rule: "pending", message, token: { name }, declared: declaration });
  }
  for (const declaration of declared.pendingUnnamed) {
    const message = "The creation of an API token did not finish; its name is encrypted, so it cannot be looked for";
    add({ rule: "pending", message, token: {}, declared: declaration });
  }
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
