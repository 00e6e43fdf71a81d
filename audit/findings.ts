import { createHash } from "node:crypto";
import { liveToken, type TokenField } from "../provider/nouns/apiToken/definition";
import type { Token } from "../sdk";
import { defined } from "../values/defined";
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
  /** Whether the live token has more capabilities than declared, or a later expiry. */
  readonly escalates: boolean;
}

/** Where a token is declared. */
export interface Declaration {
  /** Project and stack, from the URN: `web/prod`. */
  readonly stack: string;
  readonly urn: string;
  /** The source of the state: a stack or a file. */
  readonly source: string;
}

/**
 * A step that resolves a finding about a stack. `revoke`: nobody has the secret. `look`: a person has to find out who uses the
 * token. `refresh`: a refresh, and then an update. `up`: an update. `clear`: a refresh that clears the pending create. `keep`:
 * the create may have left a token that was not seen, and the record of the create is the only proof. `remove`: a resource
 * without an id is removed from the state.
 */
export const cures = ["revoke", "look", "refresh", "up", "clear", "keep", "remove"] as const;

export type Cure = (typeof cures)[number];

/** One problem. Names and values come from the service, so they are untrusted text. */
export interface Finding {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** One sentence. */
  readonly message: string;
  /** The known parts of the token: a create that did not finish has no id. */
  readonly token: { readonly id?: string; readonly name?: string };
  readonly declared?: Declaration;
  readonly differences?: readonly Difference[];
  /** The ids of all tokens, if the finding is about several. */
  readonly ids?: readonly string[];
  /** The steps that resolve the finding, in order. Absent if no such step is known. */
  readonly cures?: readonly Cure[];
  /** Identifies the finding in every audit. It changes when the token changes further. */
  readonly fingerprint: string;
}

/** A finding before its severity is known. `detail` distinguishes findings of one rule about one token. */
export type Found = Omit<Finding, "severity" | "fingerprint"> & { readonly detail?: unknown };

/** A token as words for a message, and as the members of a finding. */
export const subjectOf = (token: { readonly id?: string; readonly name: string | undefined }) => ({
  words: token.name === undefined ? "An API token" : `API token "${token.name}"`,
  token: defined({ id: token.id, name: token.name }),
});

/** Gives a finding its severity and its fingerprint. */
export function findingOf({ detail, ...found }: Found, severity: Severity): Finding {
  const { rule, token, declared, differences } = found;
  const identity = [rule, token.id ?? token.name, declared?.urn, differences?.map(meaningOf)];
  return { severity, ...found, fingerprint: fingerprintOf([...identity, detail]) };
}

export const fingerprintOf = (identity: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 32);

/** Ignores the order of lists and the spelling of instants, which can change from one response to the next. */
const meaningOf = ({ field, live }: Difference): unknown => [field, liveToken.comparisons[field](live)];

const grants = ["expiresAt", "datasetCapabilities", "orgCapabilities", "viewCapabilities"] as const;

/**
 * The capabilities and the expiry of a token, normalised. They are part of an accepted finding, so a change makes a new
 * finding.
 */
export const grantsOf = (token: Token): unknown => [
  ...grants.map((field) => [field, liveToken.comparisons[field](token[field])]),
  ...(token.odd ? [token.odd] : []),
];

/** Orders findings: the worst first, then by rule and name. The same findings always come in the same order. */
export const byWeight = (a: Finding, b: Finding): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  ruleIds.indexOf(a.rule) - ruleIds.indexOf(b.rule) ||
  order(a.token.name, b.token.name) ||
  order(a.token.id, b.token.id) ||
  order(a.fingerprint, b.fingerprint);

const order = (a = "", b = ""): number => (a < b ? -1 : a > b ? 1 : 0);
