import { logicalNameOf } from "../provider/lifecycle/token/names";
import type { Token } from "../sdk";
import { parseDuration, shift } from "../sdk/values/duration";
import { canonicalInstant } from "../sdk/values/instant";
import { flatten } from "./capabilities";
import type { Declared } from "./declarations";
import { listed } from "./differences";
import type { Declaration, Found } from "./findings";
import { defaultRestricted, type Exception, endOf, fits, type Holder, type Policy } from "./policy";

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

/** A live token with its expiry in milliseconds since the epoch; undefined for none and for what is no instant. */
export interface LiveToken extends Token {
  readonly end: number | undefined;
}

/** Reads the expiry once: most of an audit's time would go into reading it again. */
export const withExpiry = (token: Token): LiveToken => ({ ...token, end: instantOf(token.expiresAt) });

const instantOf = (text = ""): number | undefined =>
  canonicalInstant(text) === undefined ? undefined : Date.parse(text);

/** Whether the token has stopped working, for all that is known. */
const isExpired = ({ end }: LiveToken, now: number): boolean => end !== undefined && end + tolerance < now;

/** What is wrong with a live token in itself, whoever declares it. */
export function* auditLive(live: LiveToken, { policy, now, declared }: Rulebook): Generator<Found> {
  const declaration = declared.ids.get(live.id)?.declaration;
  const about = { token: { id: live.id, name: live.name }, ...(declaration ? { declared: declaration } : {}) };
  const named = `API token "${live.name}"`;
  const { expiresAt, end } = live;
  if (isExpired(live, now)) {
    yield { rule: "expired", message: `${named} expired on ${expiresAt}`, ...about, detail: end };
    return;
  }
  if (!expiresAt) yield { rule: "never-expires", message: `${named} never expires`, ...about };
  else yield* auditExpiry(live, named, { ...about, detail: end ?? expiresAt }, { policy, now });

  const held = restrictedOf(live, declaration, policy);
  if (held.length > 0) {
    yield { rule: "over-privileged", message: `${named} holds ${listed(held)}`, ...about, detail: held };
  }
}

function* auditExpiry(
  { expiresAt, end }: LiveToken,
  named: string,
  about: Pick<Found, "token" | "declared" | "detail">,
  { policy, now }: Pick<Rulebook, "policy" | "now">,
): Generator<Found> {
  if (end === undefined) {
    yield { rule: "unknown", message: `${named}: its expiry is no instant`, ...about };
    return;
  }
  const soon = momentAfter(now, policy.expiringWithin ?? defaultExpiringWithin);
  if (soon !== undefined && end <= soon) {
    yield { rule: "expiring", message: `${named} expires on ${expiresAt}`, ...about };
  }
  const limit = momentAfter(now, policy.maxLifetime ?? "");
  if (limit !== undefined && end > limit) {
    const message = `${named} stays valid until ${expiresAt}: more than ${policy.maxLifetime} from now`;
    yield { rule: "long-lived", message, ...about };
  }
}

/** The moment that lies a duration after another, both in milliseconds since the epoch. */
function momentAfter(now: number, text: string): number | undefined {
  const duration = parseDuration(text);
  return duration && shift(new Date(now), duration, 1).getTime();
}

/** The restricted capabilities of a token that it may not hold. */
function restrictedOf(live: Token, declaration: Declaration | undefined, policy: Policy): string[] {
  const held = [...flatten(live.orgCapabilities)];
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

/** Which tokens of the service are declared nowhere. Expired ones do no harm: the rule `expired` reports them. */
export class Undeclared {
  /** Those that the policy allows. */
  allowed = 0;
  readonly #book: Rulebook;
  readonly #byId = new Map<string, Exception>();
  readonly #byName: readonly (Exception & { readonly name: string })[];

  constructor(book: Rulebook) {
    this.#book = book;
    const exceptions = book.policy.allowUndeclared ?? [];
    for (const exception of exceptions) if (exception.id !== undefined) this.#byId.set(exception.id, exception);
    this.#byName = exceptions.filter((one): one is Exception & { name: string } => one.name !== undefined);
  }

  finding(live: LiveToken): Found | undefined {
    const { declared, now } = this.#book;
    if (declared.ids.has(live.id) || isExpired(live, now)) return undefined;
    const orphan = this.#orphan(live);
    // A name says nothing about one that a program left behind: its name was made by the program.
    const exception =
      this.#byId.get(live.id) ?? (orphan ? undefined : this.#byName.find(({ name }) => fits(name, live.name)));
    if (exception && now < (endOf(exception.until) ?? 0)) {
      this.allowed += 1;
      return undefined;
    }
    const over = exception
      ? `; the exception for ${exception.owner} (${exception.reason}) ended: ${exception.until}`
      : "";
    const token = { id: live.id, name: live.name };
    if (!orphan) {
      return { rule: "undeclared", message: `API token "${live.name}" is declared by no audited stack${over}`, token };
    }
    const message = `API token "${live.name}" ${orphan.reason}, but no stack tracks it${over}`;
    return { rule: "orphaned", message, token, declared: orphan.declaration };
  }

  #orphan({ name }: Token): { readonly declaration: Declaration; readonly reason: string } | undefined {
    const { pendingNames, autoNames } = this.#book.declared;
    const pending = pendingNames.get(name);
    if (pending) return { declaration: pending, reason: "was made by a create that did not finish" };
    const logicalName = logicalNameOf(name);
    const made = logicalName === undefined ? undefined : autoNames.get(logicalName);
    return made && { declaration: made, reason: "has a name that a stack made" };
  }
}

/** The names that several live tokens have. */
export function* duplicateNames(live: Iterable<Token>): Generator<Found> {
  const first = new Map<string, string>();
  const shared = new Map<string, string[]>();
  for (const { id, name } of live) {
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
