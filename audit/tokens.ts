import type { Token } from "../sdk";
import { defined } from "../values/defined";
import { joinShortened } from "../values/shorten";
import { isCutShort } from "./differences";
import { type Found, subjectOf } from "./findings";
import { isReplaced, type Recorded } from "./holders";
import { describeTokenExpiry, isExpired, type LiveToken } from "./liveToken";
import type { Policy } from "./policy";
import { overdueFrom } from "./rotations";
import { type Breach, findBreaches, momentAfter } from "./standards";

/** The default of `expiringWithin`. */
const defaultExpiringWithin = "14d";

/** The input of the checks of live tokens. */
export interface Rulebook {
  readonly policy: Policy;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly recorded: Recorded;
}

/** A moment, however it is spelled, or the text that is none. */
const distinguishExpiry = ({ expiresAt, expiryTime }: LiveToken): unknown =>
  Number.isFinite(expiryTime) ? expiryTime : expiresAt;

/** Findings about a live token by itself, whether or not it is declared. */
export function* auditLive(live: LiveToken, { policy, now, recorded }: Rulebook): Generator<Found> {
  const own = recorded.ids.get(live.id)?.[0];
  // One finding says so: its declaration is missing a token.
  if (own && own.awaits === undefined && isCutShort(own, live, now)) return;
  const declaration = (own ?? recorded.retired.get(live.id)?.successor)?.declaration;
  const { words, token } = subjectOf(live);
  const about = { token, ...defined({ declared: declaration }) };
  const { expiresAt, expiryTime } = live;
  if (isExpired(live, now)) {
    yield { rule: "expiry", message: `${words} expired on ${expiresAt}`, ...about, detail: expiryTime };
    return;
  }
  const detail = distinguishExpiry(live);
  const soon = momentAfter(now, policy.expiringWithin ?? defaultExpiringWithin);
  if (expiryTime === undefined) {
    // The comparison of a declared token reports an unknown form.
    if (own === undefined || live.odd?.expiresAt === undefined)
      yield { rule: "hidden-expiry", message: `${words}: its expiry is not a valid timestamp`, ...about, detail };
  } else if (soon !== undefined && expiryTime <= soon && !isReplaced(recorded, live.id)) {
    // A token that the next scheduled update rotates needs no attention.
    const overdue = overdueFrom(own, expiryTime);
    const why = overdue === undefined ? "" : ", and its rotation is overdue";
    if (overdue === undefined || now > overdue)
      yield { rule: "expiry", message: `${words} expires on ${expiresAt}${why}`, ...about, detail };
  }
  const subject = { ...live, stack: declaration?.stack, orgCapabilities: live.orgCapabilities };
  for (const breach of findBreaches(subject, policy, now)) {
    const found = describeBreach(breach, live, policy);
    // The name of a replaced token cannot be fixed.
    if (found && !(breach.rule === "misnamed" && isReplaced(recorded, live.id)))
      yield { ...about, ...found, message: `${words} ${found.message}` };
  }
}

/** The message of a violation, and a detail that distinguishes it from others of the same token. */
function describeBreach(
  breach: Breach,
  live: LiveToken,
  policy: Policy,
): Pick<Found, "rule" | "message" | "detail"> | undefined {
  switch (breach.rule) {
    case "never-expires":
      return { rule: breach.rule, message: "never expires" };
    case "long-lived": {
      const message = `${describeTokenExpiry(live)}: more than ${policy.maxLifetime} from now`;
      return { rule: breach.rule, message, detail: distinguishExpiry(live) };
    }
    case "over-privileged":
      return { rule: breach.rule, message: `holds ${joinShortened(breach.held)}`, detail: breach.held };
    case "misnamed": {
      const message = `has a name that matches none of the policy's names: ${joinShortened(policy.names ?? [])}`;
      return { rule: breach.rule, message };
    }
    case "unchecked":
      return undefined; // every value of a live token is known
  }
}

/** Findings for names that several of these tokens have. */
export function* findDuplicateNames(tokens: readonly Token[]): Generator<Found> {
  for (const [name, group] of Map.groupBy(tokens, (token) => token.name)) {
    if (group.length === 1) continue;
    const ids = group.map(({ id }) => id).sort();
    const message = `${ids.length} live API tokens have the name "${name}": ${joinShortened(ids)}`;
    yield { rule: "duplicate-name", message, token: { name }, ids, detail: ids };
  }
}
