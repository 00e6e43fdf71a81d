import { createHash } from "node:crypto";
import { asCapabilities } from "../framework/compare";
import { type TokenField, tokenComparisons } from "../provider/apiToken/fields";
import type { Token } from "../sdk";
import { type RuleId, ruleIds, type Severity, severities } from "./rules";

/** A value that differs between the declared and the live token. */
export interface Difference {
  readonly field: TokenField;
  /** Absent where none is declared. */
  readonly declared?: unknown;
  /** Absent where the live token has none. */
  readonly live?: unknown;
  /** Capabilities that only the live token has, such as `rbac:create`. */
  readonly gained?: readonly string[];
  /** Capabilities that only the declared token has. */
  readonly lost?: readonly string[];
  /** Whether the live token may do more, or for longer. */
  readonly escalates: boolean;
}

/** Where a token is declared. */
export interface Declaration {
  /** Project and stack, from the URN: `web/prod`. */
  readonly stack: string;
  readonly urn: string;
  /** What the audit was given: a stack's name or a file. */
  readonly source: string;
}

/** One thing that is not as it should be. Names and values in it come from the service: untrusted text. */
export interface Finding {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** One sentence. */
  readonly message: string;
  /** The token, as far as it is known: a create that did not finish has no id. */
  readonly token: { readonly id?: string; readonly name?: string };
  readonly declared?: Declaration;
  readonly differences?: readonly Difference[];
  /** The ids of all tokens that it is about, if they are several. */
  readonly ids?: readonly string[];
  /** The single findings that this one stands for, if they have one cause: what a baseline keeps. */
  readonly members?: readonly { readonly id: string; readonly fingerprint: string }[];
  /** The same for the same finding in every audit, another one as soon as more changes. */
  readonly fingerprint: string;
}

/** A finding before its severity is known. `detail` tells apart what one rule can find on one token. */
export type Found = Omit<Finding, "severity" | "fingerprint" | "members"> & { readonly detail?: unknown };

/** Gives a finding its severity and its fingerprint. */
export function findingOf({ detail, ...found }: Found, severity: Severity): Finding {
  const { rule, token, declared, differences } = found;
  const identity = [rule, token.id ?? token.name, declared?.urn, differences?.map(meaningOf)];
  return { severity, ...found, fingerprint: fingerprintOf([...identity, detail]) };
}

export const fingerprintOf = (identity: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 32);

/** Without the order of lists and the spelling of instants: these may change from one answer to the next. */
const meaningOf = ({ field, live }: Difference): unknown => [field, canonicalOf(field, live)];

/** Capabilities as the object that they are: fingerprints stay what they were when comparisons had no texts. */
function canonicalOf(field: TokenField, value: unknown): unknown {
  const canonical = tokenComparisons[field](value);
  return tokenComparisons[field] === asCapabilities && typeof canonical === "string"
    ? JSON.parse(canonical)
    : canonical;
}

/** What a token may do and until when, by meaning. It belongs to what somebody accepts: if it changes, that is news. */
export const grantsOf = ({
  expiresAt,
  datasetCapabilities,
  orgCapabilities,
  viewCapabilities,
  odd,
}: Token): unknown => [
  ...Object.entries({ expiresAt, datasetCapabilities, orgCapabilities, viewCapabilities }).map(([field, value]) => [
    field,
    canonicalOf(field as TokenField, value),
  ]),
  ...(odd ? [odd] : []),
];

/** Orders findings: the worst first, then by rule and name. The same findings always come in the same order. */
export const byWeight = (a: Finding, b: Finding): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  ruleIds.indexOf(a.rule) - ruleIds.indexOf(b.rule) ||
  order(a.token.name, b.token.name) ||
  order(a.token.id, b.token.id) ||
  order(a.fingerprint, b.fingerprint);

const order = (a = "", b = ""): number => (a < b ? -1 : a > b ? 1 : 0);
