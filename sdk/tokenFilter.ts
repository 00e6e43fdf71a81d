import { parseDuration, shift } from "../values/duration";
import { expiryTime, readExpiry } from "../values/expiry";
import { isObject } from "../values/json";
import { withPrintableFailures } from "../values/printable";
import type { Token } from "./resources/tokenFields";

/** Filters that select tokens. A token must match every given filter. */
export interface TokenFilter {
  /** Exact name of the tokens. */
  readonly name?: string | undefined;
  /** Beginning of the name, such as `ci-` for the generated names of a token that is declared as `ci`. */
  readonly namePrefix?: string | undefined;
  /** If true, only tokens that have expired; if false, only tokens that have not. */
  readonly expired?: boolean | undefined;
  /** Only tokens that expire within this duration, such as `14d` or `P14D`, and are still valid. */
  readonly expiringWithin?: string | undefined;
  /** If true, only tokens without an expiry; if false, only tokens with one. */
  readonly withoutExpiry?: boolean | undefined;
  /**
   * Only tokens with this capability: `apiTokens:create` for the organization, `web/query:read` for the dataset `web` or for all
   * datasets. Without an action, or with `*`, any action matches: `rbac`, `web/ingest:*`.
   */
  readonly capability?: string | undefined;
}

type Test = (token: Token) => boolean;

/**
 * The matching tokens, sorted by name and id.
 * @param now by the service's clock (`client.clock`), or a fast clock here takes a valid token for expired
 * @throws Error that names the invalid filter
 */
export const selectTokens = withPrintableFailures(
  (tokens: readonly Token[], filter: TokenFilter, now: Date): Token[] => {
    const tests = buildTests(filter, now);
    return tokens
      .filter((token) => tests.every((holds) => holds(token)))
      .sort((a, b) => compareTexts(a.name, b.name) || compareTexts(a.id, b.id));
  },
);

function buildTests(filter: TokenFilter, now: Date): Test[] {
  const { name, namePrefix, expired, expiringWithin, withoutExpiry, capability } = filter;
  const tests: Test[] = [];
  if (name !== undefined) tests.push((token) => token.name === name);
  if (namePrefix !== undefined) tests.push((token) => token.name.startsWith(namePrefix));
  if (expired !== undefined) tests.push((token) => readExpiryTime(token) <= now.getTime() === expired);
  if (expiringWithin !== undefined) {
    const duration = parseDuration(expiringWithin);
    if (!duration) throw new Error("expiringWithin must be a duration such as 36h, 14d or P90D");
    const until = shift(now, duration, 1).getTime();
    tests.push((token) => readExpiryTime(token) > now.getTime() && readExpiryTime(token) <= until);
  }
  if (withoutExpiry !== undefined)
    tests.push((token) => (readExpiryTime(token) === Number.POSITIVE_INFINITY) === withoutExpiry);
  if (capability !== undefined) tests.push(testCapability(capability));
  return tests;
}

/** When a token expires, in milliseconds since the epoch; infinite if it never does, undefined if the expiry cannot be read. */
export const tokenExpiryTime = ({ expiresAt, odd }: Pick<Token, "expiresAt" | "odd">): number | undefined =>
  odd?.expiresAt === undefined ? expiryTime(readExpiry(expiresAt)) : undefined;

/** The same as a number that compares: NaN for an unreadable expiry. */
const readExpiryTime = (token: Token): number => tokenExpiryTime(token) ?? Number.NaN;

function testCapability(capability: string): Test {
  const match = /^(?:(.+)\/)?([^:/]+)(?::([^:/]+))?$/.exec(capability);
  if (!match) throw new Error('capability must look like "apiTokens:create" or "web/query:read"');
  const [, dataset, key = "", action = "*"] = match;
  return ({ orgCapabilities, datasetCapabilities }) => {
    // The dataset `*` means all datasets (extended interface, "Datasets").
    const owners =
      dataset === undefined ? [orgCapabilities] : [dataset, "*"].map((name) => readMember(datasetCapabilities, name));
    const actions = owners.map((owner) => readMember(owner, key)).flatMap((list) => (Array.isArray(list) ? list : []));
    return actions.length > 0 && (action === "*" || actions.includes(action));
  };
}

const readMember = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
