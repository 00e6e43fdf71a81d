import type { Token } from "../sdk";
import { parseDuration, shift } from "../sdk/values/duration";
import { endOfToken } from "../sdk/values/expiry";
import type { Declared } from "./declarations";
import { listed } from "./differences";
import type { Declaration, Found } from "./findings";
import { defaultRestricted, fits, type Holder, type Policy } from "./policy";
import { rightsOf } from "./rights";

/** Clocks differ a little: a token counts as expired only when it has been for this long. */
const tolerance = 5 * 60_000;

/** How soon an expiry must be to be reported, unless the policy says otherwise. */
const defaultExpiringWithin = "14d";

/** What the checks of live tokens go by. */
export interface Rulebook {
  readonly policy: Policy;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly declared: Declared;
}

/** A live token with its end in milliseconds since the epoch: infinite for never, undefined for what cannot be read. */
export interface LiveToken extends Token {
  readonly end: number | undefined;
}

/** Reads the expiry once: most of an audit's time would go into reading it again. */
export const withEnd = (token: Token): LiveToken => ({ ...token, end: endOfToken(token) });

/** Until when a token works, in words. */
export const describeEnd = ({ expiresAt, end }: LiveToken): string =>
  end === Number.POSITIVE_INFINITY ? "never expires" : `stays valid until ${expiresAt ?? "nobody knows when"}`;

/** Whether the token has stopped working, for all that is known. */
export const isExpired = ({ end }: LiveToken, now: number): boolean => end !== undefined && end + tolerance < now;

/** What is wrong with a live token in itself, whoever declares it. */
export function* auditLive(live: LiveToken, { policy, now, declared }: Rulebook): Generator<Found> {
  const retired = declared.retired.get(live.id);
  const declaration = (declared.ids.get(live.id) ?? retired?.successor)?.declaration;
  const about = { token: { id: live.id, name: live.name }, ...(declaration ? { declared: declaration } : {}) };
  const words = `API token "${live.name}"`;
  const { expiresAt, end } = live;
  if (isExpired(live, now)) {
    yield { rule: "expired", message: `${words} expired on ${expiresAt}`, ...about, detail: end };
    return;
  }
  yield* auditExpiry(live, words, about, { policy, now, endIsAwaited: retired !== undefined });

  const held = restrictedOf(live, declaration, policy);
  if (held.length > 0) {
    yield { rule: "over-privileged", message: `${words} holds ${listed(held)}`, ...about, detail: held };
  }
}

function* auditExpiry(
  live: LiveToken,
  words: string,
  about: Pick<Found, "token" | "declared">,
  { policy, now, endIsAwaited }: Pick<Rulebook, "policy" | "now"> & { readonly endIsAwaited: boolean },
): Generator<Found> {
  const { expiresAt, end } = live;
  const detail = Number.isFinite(end) ? end : expiresAt;
  if (end === Number.POSITIVE_INFINITY) {
    yield { rule: "never-expires", message: `${words} never expires`, ...about };
  } else if (end === undefined) {
    yield { rule: "unknown", message: `${words}: its expiry is not a valid instant`, ...about, detail };
  } else {
    const soon = momentAfter(now, policy.expiringWithin ?? defaultExpiringWithin);
    if (soon !== undefined && end <= soon && !endIsAwaited) {
      yield { rule: "expiring", message: `${words} expires on ${expiresAt}`, ...about, detail };
    }
  }
  const limit = momentAfter(now, policy.maxLifetime ?? "");
  // An end that cannot be read may be any time, so it is beyond every limit.
  if (limit !== undefined && (end === undefined || end > limit)) {
    const message = `${words} ${describeEnd(live)}: more than ${policy.maxLifetime} from now`;
    yield { rule: "long-lived", message, ...about, detail };
  }
}

/** Up to when an expiry is reported as near, and after when it is too far away; in milliseconds since the epoch. */
export const momentsOf = ({ policy, now }: Rulebook) => ({
  expiring: momentAfter(now, policy.expiringWithin ?? defaultExpiringWithin),
  longest: momentAfter(now, policy.maxLifetime ?? ""),
});

/** The moment that lies a duration after another, both in milliseconds since the epoch. */
function momentAfter(now: number, text: string): number | undefined {
  const duration = parseDuration(text);
  return duration && shift(new Date(now), duration, 1).getTime();
}

/** The restricted capabilities of a token that it may not hold. */
function restrictedOf(live: Token, declaration: Declaration | undefined, policy: Policy): string[] {
  const held = [...rightsOf(live.orgCapabilities).values()];
  const forbidden = (policy.restricted ?? defaultRestricted)
    .filter(({ holders = [] }) => !holders.some((holder) => isHolder(holder, live, declaration)))
    .flatMap(({ capability }) => held.filter((one) => fits(capability, one)));
  return [...new Set(forbidden)].sort();
}

function isHolder({ id, name, stack }: Holder, live: Token, declaration: Declaration | undefined): boolean {
  if (id !== undefined && id !== live.id) return false;
  if (id === undefined && declaration === undefined) return false;
  if (name !== undefined && !fits(name, live.name)) return false;
  return stack === undefined || (declaration !== undefined && fits(stack, declaration.stack));
}

/** The names that several live tokens have. A replaced one with the name of its successor is no news. */
export function* duplicateNames(live: Iterable<Token>, { retired }: Declared): Generator<Found> {
  const first = new Map<string, string>();
  const shared = new Map<string, string[]>();
  for (const { id, name } of live) {
    if (retired.has(id)) continue;
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, id);
      continue;
    }
    const ids = shared.get(name);
    if (ids) ids.push(id);
    else shared.set(name, [other, id]);
  }
  for (const [name, ids] of shared) {
    ids.sort();
    const message = `${ids.length} live API tokens have the name "${name}": ${listed(ids)}`;
    yield { rule: "duplicate-name", message, token: { name }, ids, detail: ids };
  }
}
