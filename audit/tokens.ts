import type { Token } from "../sdk";
import { defined } from "../values/defined";
import { endOfToken } from "../values/expiry";
import type { Declared } from "./declarations";
import { listed } from "./differences";
import type { Found } from "./findings";
import type { Policy } from "./policy";
import { overdueFrom } from "./rotations";
import { type Breach, breaches, longestEnd, momentAfter } from "./standards";

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
export const isExpired = ({ end }: Pick<LiveToken, "end">, now: number): boolean =>
  end !== undefined && end + tolerance < now;

/** What is wrong with a live token in itself, whoever declares it. */
export function* auditLive(live: LiveToken, { policy, now, declared }: Rulebook): Generator<Found> {
  const retired = declared.retired.get(live.id);
  const own = declared.ids.get(live.id);
  const declaration = (own ?? retired?.successor)?.declaration;
  const about = { token: { id: live.id, name: live.name }, ...defined({ declared: declaration }) };
  const words = `API token "${live.name}"`;
  const { expiresAt, end } = live;
  if (isExpired(live, now)) {
    yield { rule: "expired", message: `${words} expired on ${expiresAt}`, ...about, detail: end };
    return;
  }
  const detail = Number.isFinite(end) ? end : expiresAt;
  const soon = momentAfter(now, policy.expiringWithin ?? defaultExpiringWithin);
  if (end === undefined) {
    yield { rule: "unknown", message: `${words}: its expiry is not a valid instant`, ...about, detail };
  } else if (soon !== undefined && end <= soon && !retired && !own?.awaitsDeletion) {
    // What the next scheduled update rotates stops nothing.
    const overdue = overdueFrom(own, end);
    const why = overdue === undefined ? "" : ", and its rotation is overdue";
    if (overdue === undefined || now > overdue)
      yield { rule: "expiring", message: `${words} expires on ${expiresAt}${why}`, ...about, detail };
  }
  for (const breach of breaches(
    { ...live, end, stack: declaration?.stack, orgCapabilities: live.orgCapabilities },
    policy,
    now,
  )) {
    const found = describeBreach(breach, live, policy);
    // The name of a replaced token is past mending.
    if (found && !(retired && breach.rule === "misnamed"))
      yield { ...about, ...found, message: `${words} ${found.message}` };
  }
}

/** What to say of a breach, and what tells it from another one of the same token. */
function describeBreach(
  breach: Breach,
  live: LiveToken,
  policy: Policy,
): Pick<Found, "rule" | "message" | "detail"> | undefined {
  switch (breach.rule) {
    case "never-expires":
      return { rule: breach.rule, message: "never expires" };
    case "long-lived": {
      const detail = Number.isFinite(live.end) ? live.end : live.expiresAt;
      return { rule: breach.rule, message: `${describeEnd(live)}: more than ${policy.maxLifetime} from now`, detail };
    }
    case "over-privileged":
      return { rule: breach.rule, message: `holds ${listed(breach.held)}`, detail: breach.held };
    case "misnamed":
      return { rule: breach.rule, message: `is named as the policy allows none: ${listed(policy.names ?? [])}` };
    case "unjudged":
      return undefined; // of a live token all is known
  }
}

/** Up to when an expiry is reported as near, and after when it is too far away; in milliseconds since the epoch. */
export const momentsOf = ({ policy, now }: Rulebook) => ({
  expiring: momentAfter(now, policy.expiringWithin ?? defaultExpiringWithin),
  longest: longestEnd(policy, now),
});

/**
 * The names that several live tokens have. A replaced one with the name of its successor is no news, whether or not the next
 * update deletes it.
 */
export function* duplicateNames(live: Iterable<Token>, { retired, ids }: Declared): Generator<Found> {
  const first = new Map<string, string>();
  const shared = new Map<string, string[]>();
  for (const { id, name } of live) {
    if (retired.has(id) || ids.get(id)?.awaitsDeletion) continue;
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, id);
      continue;
    }
    const sharing = shared.get(name);
    if (sharing) sharing.push(id);
    else shared.set(name, [other, id]);
  }
  for (const [name, sharing] of shared) {
    sharing.sort();
    const message = `${sharing.length} live API tokens have the name "${name}": ${listed(sharing)}`;
    yield { rule: "duplicate-name", message, token: { name }, ids: sharing, detail: sharing };
  }
}
