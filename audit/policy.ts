import * as v from "valibot";
import { type JsonObject, orgCapabilityKeys } from "../sdk";
import { parseDuration } from "../values/duration";
import { canonicalInstant } from "../values/instant";
import { isObject } from "../values/json";
import { type RuleId, ruleIds, severities } from "./rules";

/** Severities, limits and exceptions of an audit: the content of `event-datasets.audit.json`. */
export interface Policy {
  /** The schema, for editors. */
  readonly $schema?: string | undefined;
  readonly version: 1;
  /** The lowest severity that fails the audit; default: `error`. */
  readonly failOn?: FailOn | undefined;
  /** How long before its expiry a token is reported; default: `14d`. */
  readonly expiringWithin?: string | undefined;
  /** The longest time until the expiry, such as `90d`; default: no limit. */
  readonly maxLifetime?: string | undefined;
  /** Patterns for names, with `*` for any characters: each name must match one. A generated name is the resource's name, `-` and 7 hexadecimal digits. */
  readonly names?: readonly string[] | undefined;
  /** A different severity for a rule, or `off`. */
  readonly rules?: { readonly [rule in RuleId]?: (typeof settings)[number] | undefined } | undefined;
  /** Capabilities that only named holders may have; default: `defaultRestricted`. */
  readonly restricted?: readonly Restriction[] | undefined;
  /** The backends and files that `tokens revoke` must have read before it revokes anything; default: none. */
  readonly mustRead?: MustRead | undefined;
  /** Findings that are accepted until a given day. */
  readonly exceptions?: readonly Exception[] | undefined;
}

/** States that can declare tokens of the account. */
export interface MustRead {
  /** Addresses of backends, as `pulumi whoami --verbose` prints them. */
  readonly backends?: readonly string[] | undefined;
  /** Files, as `--state` and `--terraform-state` name them. */
  readonly states?: readonly string[] | undefined;
}

/** A capability and the tokens that may have it. */
export interface Restriction {
  /** `<key>:<action>` of `orgCapabilities`, with `*` for any action: `apiTokens:create`, `rbac:*`. */
  readonly capability: string;
  readonly holders?: readonly Holder[] | undefined;
}

/**
 * The tokens that may have a capability: every given member must match; `*` stands for any characters. An undeclared token can
 * be named only by its id, because anybody who may create tokens can choose their names.
 */
export interface Holder {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** `<project>/<stack>`. */
  readonly stack?: string | undefined;
}

/** One finding, or a token that may be live although no stack declares it. */
export interface Exception {
  /** The fingerprint of a finding of any rule. It accepts the finding as it is: if the token changes again, it is reported. */
  readonly fingerprint?: string | undefined;
  /** The id of an undeclared token. */
  readonly id?: string | undefined;
  /** Names of undeclared tokens, with `*` for any characters. A name proves nothing: whoever creates a token chooses it. */
  readonly name?: string | undefined;
  readonly owner: string;
  readonly reason: string;
  /** The last day, such as `2027-01-31` (UTC), or an RFC 3339 timestamp. Afterwards, the finding is reported again. */
  readonly until: string;
  /** The latest accepted expiry, or `never`; default: the end of the exception. */
  readonly expiresAt?: string | undefined;
  /** The accepted capabilities, in the same form as those of the token; default: none. */
  readonly orgCapabilities?: JsonObject | undefined;
  readonly datasetCapabilities?: JsonObject | undefined;
  readonly viewCapabilities?: JsonObject | undefined;
}

/** The lowest severity that fails an audit. */
export const failOns = ["error", "warning", "none"] as const;

export type FailOn = (typeof failOns)[number];

const settings = [...severities, "off"] as const;

/** The default restrictions: with these capabilities, a token can obtain every other one. */
export const defaultRestricted: readonly Restriction[] = [
  { capability: "apiTokens:create" },
  { capability: "apiTokens:update" },
  { capability: "rbac:*" },
];

const text = v.pipe(v.string(), v.nonEmpty());
const duration = v.pipe(
  v.string(),
  v.check((value) => parseDuration(value) !== undefined, "a duration such as 12h, 14d or P90D"),
);

const capabilities = v.custom<JsonObject>(isObject, "an object");

const holder = v.pipe(
  v.strictObject({ id: v.optional(text), name: v.optional(text), stack: v.optional(text) }),
  v.check((holder) => Object.keys(holder).length > 0, "an id, a name or a stack"),
);

/** The keys and the actions of `orgCapabilities` (documented interface, 2.1; extended interface, "Tokens"). */
const capabilityKeys = [...orgCapabilityKeys, "views"];
const capabilityActions = ["create", "read", "update", "delete"];

/** A misspelt restriction would replace the default ones, and restrict nothing. */
const restrictable = new RegExp(`^(${capabilityKeys.join("|")}):(${capabilityActions.join("|")}|\\*)$`);
const forms = `<key>:<action>, such as rbac:*; the keys are ${capabilityKeys.join(", ")}, the actions ${capabilityActions.join(", ")}`;

const restriction = v.strictObject({
  capability: v.pipe(v.string(), v.regex(restrictable, forms)),
  holders: v.optional(v.array(holder)),
});

const expiry = v.pipe(
  v.string(),
  v.check((value) => value === "never" || canonicalInstant(value) !== undefined, "an RFC 3339 timestamp, or never"),
);

const exceptionMembers = v.strictObject({
  fingerprint: v.optional(text),
  id: v.optional(text),
  name: v.optional(text),
  owner: text,
  reason: text,
  until: text,
  expiresAt: v.optional(expiry),
  orgCapabilities: v.optional(capabilities),
  datasetCapabilities: v.optional(capabilities),
  viewCapabilities: v.optional(capabilities),
});

const exception = v.pipe(
  exceptionMembers,
  v.check(
    ({ fingerprint, id, name }) => [fingerprint, id, name].filter((one) => one !== undefined).length === 1,
    "either a fingerprint, an id or a name",
  ),
  v.check(
    ({ until }) => expiryOfException(until) !== undefined,
    "until: a day such as 2027-01-31, or an RFC 3339 timestamp",
  ),
);

const schema = v.strictObject({
  $schema: v.optional(v.string()),
  version: v.literal(1),
  failOn: v.optional(v.picklist(failOns)),
  expiringWithin: v.optional(duration),
  maxLifetime: v.optional(duration),
  names: v.optional(v.pipe(v.array(text), v.nonEmpty())),
  rules: v.optional(v.record(v.picklist(ruleIds), v.picklist(settings))),
  restricted: v.optional(v.array(restriction)),
  mustRead: v.optional(v.strictObject({ backends: v.optional(v.array(text)), states: v.optional(v.array(text)) })),
  exceptions: v.optional(v.array(exception)),
});

/**
 * Checks a policy.
 * @param source name of the policy in an error
 * @throws Error that names every mistake
 */
export function readPolicy(policy: unknown, source: string): Policy {
  const result = v.safeParse(schema, policy);
  if (result.success) return result.output;
  const problems = result.issues.map((issue) => `${v.getDotPath(issue) ?? "it"}: ${problemOf(issue)}`);
  throw new Error(`${source}: not a policy: ${problems.join("; ")}`);
}

function problemOf({ type, expected, message }: v.BaseIssue<unknown>): string {
  if (type === "strict_object" && expected === "never") return "is not known";
  if (type === "strict_object" && expected?.startsWith('"')) return "is missing";
  if (type === "non_empty") return "must not be empty";
  return `expected ${type === "check" || type === "regex" || type === "custom" ? message : expected}`;
}

/** The expiry of an exception in milliseconds since the epoch; undefined for an invalid day or instant. */
export function expiryOfException(until: string): number | undefined {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(until) ? canonicalInstant(`${until}T00:00:00Z`) : undefined;
  if (day !== undefined) return Date.parse(day) + 86_400_000;
  return canonicalInstant(until) === undefined ? undefined : Date.parse(until);
}

/** The end of a message about something that an exception accepted until it ended. */
export const describeEnd = ({ owner, reason, until }: Exception): string =>
  `; the exception for ${owner} (${reason}) ended on ${until}`;

/** Whether a text matches a pattern in which `*` stands for any characters. */
export function matchesPattern(pattern: string, value: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return pattern === value;
  if (!value.startsWith(first) || !value.endsWith(last) || value.length < first.length + last.length) return false;
  let at = first.length;
  const end = value.length - last.length;
  for (const part of rest) {
    const found = value.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
