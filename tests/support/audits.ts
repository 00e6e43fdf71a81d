import {
  type AuditOptions,
  type AuditResult,
  auditTokens,
  type Exception,
  type Finding,
  type RuleId,
  ruleIds,
} from "../../audit";
import type { AuditEntry, JsonObject } from "../../emulator";
import type { Token } from "../../sdk";
import { hostile } from "./hostile";
import { baseUrl, credential, type RecordedStack, type RecordedToken, stackOf } from "./states";

/** When the audits of the tests take place. */
export const now = new Date("2026-11-21T12:00:00Z");

/** An expiry that is neither near nor far. */
export const expiresAt = "2027-06-01T00:00:00Z";

type Audit = (live: readonly Token[], recorded?: RecordedStack, more?: Partial<AuditOptions>) => AuditResult;

/**
 * Audits of live tokens against one stack that look for some rules only: what a rule finds that is added later is no
 * matter to the tests of the others.
 */
export const auditsAbout =
  (...about: readonly RuleId[]): Audit =>
  (live, recorded = {}, { policy, ...more } = {}) =>
    auditTokens({
      baseUrl,
      credential,
      live,
      stacks: [stackOf(recorded)],
      now,
      policy: { version: 1, ...policy, rules: { ...rulesOff(about), ...policy?.rules } },
      ...more,
    });

/** The settings of a policy that leave only these rules on. */
export const rulesOff = (about: readonly RuleId[]) =>
  Object.fromEntries(ruleIds.filter((rule) => !about.includes(rule)).map((rule) => [rule, "off"]));

/** Exceptions that accept findings as they are. */
export const accepting = (findings: readonly Finding[]): Exception[] =>
  findings.map(({ fingerprint }) => ({ fingerprint, owner: "ops", reason: "known", until: "2999-12-31" }));

/** The findings, as "missing t1". */
export const rulesOf = (findings: readonly Finding[]): string[] =>
  findings.map(({ rule, token }) => `${rule} ${token.id ?? token.name}`);

const day = 86_400_000;
const inDays = (days: number): string => new Date(now.getTime() + days * day).toISOString().replace(".000Z", "Z");

const services = [
  "checkout",
  "search",
  "billing-export",
  "mobile-gateway",
  "inventory",
  "recommendations",
  "support-desk",
];

/** Tokens of a stack as they should be, some of which rotate. */
const sound = (stack: string, offset: number) =>
  services.map((service, n): { token: Token; recorded: RecordedToken } => {
    const expiresAt = inDays(20 + offset + n * 23);
    const name = `${service}-${stack}`;
    const orgCapabilities = { annotations: ["create"] };
    const end = n % 2 === 0 ? { expiresIn: "180d", rotation: { rotateBefore: "14d" } } : { expiresAt };
    const inputs = { ...end, orgCapabilities };
    const outputs = { expiresAt };
    const id = `${stack}-${n}`;
    return { token: { id, name, expiresAt, orgCapabilities }, recorded: { name, id, inputs, outputs } };
  });

/** An audit as a company has it: three stacks, most of it in order, some of it not. */
export function sampleAudit(): AuditResult {
  const stacks = {
    production: sound("production", 0),
    staging: sound("staging", 11),
    development: sound("development", 17),
  };
  const production = stacks.production.map(({ token }, n) =>
    n === 1 ? { ...token, orgCapabilities: { annotations: ["create"], users: ["create"] } } : token,
  );
  const staging = stacks.staging.map(({ token }) => token).filter((_, n) => n !== 3);
  const others: Token[] = [
    { id: "5f0c6f1f3a7e", name: "laptop of somebody", expiresAt: inDays(41) },
    { id: "d0a1b2c3d4e5", name: "old-ci", expiresAt: "0001-01-01T00:00:00Z" },
    { id: "77aa01b2c3d4", name: "grafana", expiresAt: inDays(9), orgCapabilities: { dashboards: ["read"] } },
    { id: "90ab01b2c3d4", name: "migration-2025", expiresAt: inDays(-60) },
  ];
  return auditTokens({
    baseUrl,
    live: [...production, ...staging, ...stacks.development.map(({ token }) => token), ...others],
    stacks: Object.entries(stacks).map(([stack, tokens]) => stackOf({ stack, tokens: tokens.map((t) => t.recorded) })),
    policy: { version: 1, maxLifetime: "150d" },
    now,
  });
}

/** Every place of a report in which a stranger's text can stand, with each hostile text. */
export function hostileAudit(): AuditResult {
  const result = sampleAudit();
  const attacks = [...hostile, ...breakouts];
  const first = result.findings[0];
  if (!first) throw new Error("the sample has no finding");
  const findings = attacks.map((text, n) => ({
    ...first,
    fingerprint: `f${n}`,
    message: `token ${text} is declared nowhere`,
    token: { ...first.token, id: text, name: text },
    declared: { urn: `urn:pulumi:${text}`, stack: text, source: text },
  }));
  return { ...result, baseUrl: `https://api.example.com/${attacks.join("")}`, findings, sources: attacks };
}

/** Texts that would break out of an element, an attribute, a script or a template if they were not escaped. */
export const breakouts: readonly string[] = [
  `"><script>document.title="broken"</script>`,
  `' onmouseover='document.title="broken"' x='`,
  `</script><script>document.title="broken"</script>`,
  `</title></style><img src="https://evil.example/x.png" onerror="document.title='broken'">`,
  `<iframe srcdoc="<script>parent.document.title='broken'</script>"></iframe>`,
  `<svg onload="document.title='broken'">`,
  `javascript:document.title="broken"`,
  "$\u007Bdocument.title='broken'} {{constructor.constructor('document.title=1')()}} #{7*7} <%= 7*7 %>",
  "&lt;b&gt; &amp;lt; &#x3c;script&#x3e;",
  `<a href="https://evil.example" target=_blank ping=https://evil.example/ping>click</a><base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/"><link rel=stylesheet href=https://evil.example/x.css>`,
  `<style>body{display:none}</style>`,
  "x".repeat(3_000),
  "\u202E\u2066drowssap\u2069\u202C\u200B\uFEFF",
];

/**
 * The shapes of an event. Only the field `action` is documented, so there are two shapes: a reader that works with both does
 * not rely on guessed names of the other fields.
 */
export const auditShapes = {
  flat: ({ action, id, name, actor }: AuditEntry): JsonObject => ({
    action,
    "actor.name": actor,
    "resource.id": id,
    "resource.name": name,
  }),
  nested: ({ action, id, name, actor }: AuditEntry): JsonObject => ({
    action,
    actor: { email: `${actor}@example.com` },
    changes: [{ path: `/v2/tokens/${String(id)}`, token: { label: name } }],
  }),
} as const;
