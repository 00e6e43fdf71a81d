import { asNestedSets } from "../framework/compare";
import type { Token } from "../sdk";
import { tokenExpiryTime } from "../sdk/tokenFilter";
import { clockTolerance } from "../values/instant";

/**
 * A live token with its expiry in milliseconds since the epoch: infinite if it never expires, undefined if the expiry cannot be
 * read.
 */
export interface LiveToken extends Token {
  readonly expiryTime: number | undefined;
}

/** Reads the expiry once: reading it again would take most of an audit's time. */
export const withExpiry = (token: Token): LiveToken => ({ ...token, expiryTime: tokenExpiryTime(token) });

/** The expiry of a token in words. */
export const describeTokenExpiry = ({ expiresAt, expiryTime }: LiveToken): string =>
  expiryTime === Number.POSITIVE_INFINITY ? "never expires" : `stays valid until ${expiresAt ?? "an unknown time"}`;

/** Whether the token has certainly expired. */
export const isExpired = ({ expiryTime }: Pick<LiveToken, "expiryTime">, now: number): boolean =>
  expiryTime !== undefined && expiryTime + clockTolerance < now;

/** A single capability. */
export interface Capability {
  readonly path: readonly string[];
  /** Absent for a value without a documented meaning. */
  readonly action?: string;
  /** The text for people: `apiTokens:create`, or `web.query:read` for a dataset. */
  readonly words: string;
}

/** Capabilities as a set of single capabilities, by a key that identifies each. */
export type Capabilities = ReadonlyMap<string, Capability>;

/**
 * The single capabilities that a value of `orgCapabilities`, `datasetCapabilities` or `viewCapabilities` contains. A value that
 * is not a list of strings has no documented meaning: it becomes one capability with its value, so that a change of it counts
 * as a gain. An unknown value has none.
 */
export function capabilitiesOf(capabilities: unknown): Capabilities {
  const found = new Map<string, Capability>();
  const add = (path: readonly string[], kind: string, value: unknown, words: string) => {
    const action = kind === "action" ? { action: String(value) } : {};
    found.set(JSON.stringify([path, kind, value]), { path, ...action, words: path.map(wordOf).join(".") + words });
  };
  const visit = (value: unknown, path: readonly string[]): void => {
    if (isNone(value)) return;
    if (Array.isArray(value)) {
      for (const member of value) {
        if (typeof member === "string") add(path, "action", member, `:${wordOf(member)}`);
        // As one capability: members of different objects could be confused.
        else if (!isNone(member)) add(path, "member", asNestedSets(member), `[${JSON.stringify(member)}]`);
      }
    } else if (typeof value === "object") {
      for (const [key, member] of Object.entries(value as object)) visit(member, [...path, key]);
    } else add(path, "value", value, `=${JSON.stringify(value)}`);
  };
  visit(capabilities, []);
  return found;
}

/** A symbol stands for a value that is encrypted. */
const isNone = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || typeof value === "symbol";

/** Quoted if it contains a separator. */
const wordOf = (part: string): string => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part));

/** The capabilities of one set that are missing from the other, in words and sorted. */
export const subtract = (a: Capabilities, b: Capabilities): string[] =>
  [...a]
    .filter(([key]) => !b.has(key))
    .map(([, { words }]) => words)
    .sort();

const capabilityFields = ["orgCapabilities", "datasetCapabilities", "viewCapabilities"] as const;

/**
 * All capabilities of a token in words, those of the organization first. A field of an unknown form can contain any capability.
 */
export const capabilitiesInWords = (token: Token): string[] =>
  capabilityFields.flatMap((field) =>
    token.odd?.[field] === undefined ? subtract(capabilitiesOf(token[field]), new Map()) : [`unreadable ${field}`],
  );
