import { mayExpireLater, readExpiry } from "../values/expiry";
import { describeSettings, isElsewhere, type Places } from "./account";
import { describeUpdate, type PendingCreate } from "./declared";
import { compareWithLive, describeDifference, grantFields } from "./differences";
import { type Cure, type Difference, type Found, grantsOf, subjectOf } from "./findings";
import type { RetiredToken, UnfinishedCreate } from "./holders";
import { describeTokenExpiry, isExpired, type LiveToken } from "./liveToken";
import { describeEnd, type Exception, expiryOfException, matchesPattern } from "./policy";
import type { Rulebook } from "./tokens";

/** Finds live tokens that no stack declares, and creates that left none. Expired tokens are reported by the rule `expiry`. */
export class Undeclared {
  /** The number of tokens that the policy allows. */
  allowed = 0;
  readonly #book: Rulebook;
  readonly #byId: ReadonlyMap<string | undefined, readonly Exception[]>;
  /** Creates that a live token of their name was attributed to. */
  readonly #attributed = new Set<PendingCreate>();
  readonly #byName: readonly (Exception & { readonly name: string })[];

  constructor(book: Rulebook) {
    this.#book = book;
    const exceptions = book.policy.exceptions ?? [];
    this.#byId = Map.groupBy(exceptions, ({ id }) => id);
    this.#byName = exceptions.filter((one): one is Exception & { name: string } => one.name !== undefined);
  }

  *findings(live: LiveToken): Generator<Found> {
    const { recorded, now } = this.#book;
    if (recorded.ids.has(live.id) || isExpired(live, now)) return;
    const retired = recorded.retired.get(live.id);
    const found = retired ? describeRetired(live, retired) : this.#describe(live);
    if (found.rule === "retired") return yield found;
    // Another tool manages it: the rule `foreign` names the resource.
    if (found.rule !== "escalated" && recorded.others.has(live.id)) return;
    if (!retired) yield* this.#updates(live);
    // An exception by name does not cover a token that a program left behind: the program chose the name.
    const { accepts, excess, differences } = this.#judge(live, found.rule === "undeclared");
    if (accepts) {
      this.allowed += 1;
      return;
    }
    yield { ...found, message: found.message + excess, ...(differences.length > 0 ? { differences } : {}) };
  }

  /** Updates that may be waiting for the response to the create of the token. */
  *#updates({ id, name }: LiveToken): Generator<Found> {
    for (const { update, declaration: declared } of this.#book.recorded.pendingNames.get(name) ?? []) {
      if (typeof update !== "object") continue;
      const message = `API token "${name}" may soon be in use: the stack that creates it ${describeUpdate(update, this.#book.now)}`;
      yield { rule: "updating", message, token: { id, name }, declared, detail: update.since };
    }
  }

  /** Findings for creates that did not finish, and that no live token was attributed to. Call it after the last token. */
  *unfinished(places: Places): Generator<Found> {
    for (const creates of this.#book.recorded.pendingNames.values()) {
      const isShared = creates.some((create) => this.#attributed.has(create));
      for (const create of creates.filter((one) => !this.#attributed.has(one)))
        yield describeUnfinished(create, isShared, places);
    }
  }

  /** The verdict of the exception that accepts the token, or else of the first exception. */
  #judge(live: LiveToken, byName: boolean): Verdict {
    const named = byName ? this.#byName.filter(({ name }) => matchesPattern(name, live.name)) : [];
    const exceptions = [...(this.#byId.get(live.id) ?? []), ...named];
    const verdicts = exceptions.map((one) => judgeException(live, one, this.#book.now));
    return verdicts.find(({ accepts }) => accepts) ?? verdicts[0] ?? nothing;
  }

  /** The finding about a token whose id is in no state. */
  #describe(live: LiveToken): Found {
    const { pendingNames, others, lookups } = this.#book.recorded;
    const { words, token } = subjectOf(live);
    const about = { token, detail: grantsOf(live) };
    const create = pendingNames.get(live.name)?.at(-1);
    if (create && !others.has(live.id)) {
      this.#attributed.add(create);
      return { ...describeLeft(words, create), ...about, declared: create.declaration };
    }
    // A program that looks a token up uses it, and fails if the token is revoked.
    const lookup = lookups.get(live.id);
    const hint = lookup === undefined ? "" : `; ${lookup.stack} looks it up (ApiToken.get)`;
    return { rule: "undeclared", message: `${words} is declared by no audited stack${hint}`, ...about };
  }
}

/** The finding for the token of a create. Only a name that was generated for the create proves that nobody has the secret. */
function describeLeft(words: string, create: UnfinishedCreate): Pick<Found, "rule" | "message" | "cures"> {
  const repair = describeRepair(create);
  if (!create.isNameOwn) {
    const doubt = "has the same name as an unfinished create that may have created it; no audited stack tracks it";
    return { rule: "orphaned", message: `${words} ${doubt}${repair}`, cures: ["look"] };
  }
  // The resource without an id is the proof.
  const first = create.recorded ? "; revoke it before you repair the stack" : "";
  const message = `${words} was created by an update that did not finish, and no stack tracks it${first}${repair}`;
  return { rule: "orphaned", message, cures: ["revoke", create.recorded ? "remove" : "clear"] };
}

/**
 * The finding for a create that left no token of its name here.
 * @param isShared a token was attributed to another create of that name
 */
function describeUnfinished(create: UnfinishedCreate, isShared: boolean, places: Places): Found {
  const { name, declaration: declared, recorded } = create;
  const subject = subjectOf({ name });
  const words = `The create of ${name === undefined ? "an API token" : subject.words} did not finish`;
  const about = { token: subject.token, declared };
  const doubt = `nothing proves that it belongs to the audited account: ${describeSettings(create)}`;
  if (isElsewhere(create, places)) return { rule: "elsewhere", message: `${words}, and ${doubt}`, ...about };
  const found = isShared
    ? "neither did another create of that name: one of them may have created the orphaned token"
    : "it left no valid token of that name";
  const left = name === undefined ? "its name is encrypted, so the audit cannot look for the token" : found;
  const isHere = places.isHere(create);
  const message = `${words}; ${left}${isHere ? "" : `, but ${doubt}`}${describeRepair(create)}`;
  const cures: Cure[] = !isHere ? ["keep"] : recorded ? ["remove"] : [name === undefined ? "keep" : "clear"];
  return { rule: "pending", message, ...about, cures };
}

/** The end of a finding about a create whose resource has no id. */
const describeRepair = ({ recorded }: UnfinishedCreate): string =>
  recorded === undefined
    ? ""
    : "; its onError hook never returned false, so no update of the stack can run: pulumi-event-datasets recover prints the commands that repair it";

/** The verdict of one exception about a token. */
interface Verdict {
  readonly accepts: boolean;
  /** Why the exception does not accept the token; empty if it does. */
  readonly excess: string;
  /** Values of the token beyond the accepted ones. */
  readonly differences: readonly Difference[];
}

const nothing: Verdict = { accepts: false, excess: "", differences: [] };

/** An expiry has four digits for the year. The day 9999-12-31 ends after it. */
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

function judgeException(live: LiveToken, exception: Exception, now: number): Verdict {
  const { owner, reason, until, expiresAt, orgCapabilities, datasetCapabilities, viewCapabilities } = exception;
  const end = expiryOfException(until) ?? 0;
  if (now >= end) return { ...nothing, excess: describeEnd(exception) };
  // Without expiresAt, an exception accepts an expiry up to its own end.
  const limit = expiresAt === "never" ? undefined : (expiresAt ?? new Date(Math.min(end, lastInstant)).toISOString());
  const declared = { expiresAt: limit, orgCapabilities, datasetCapabilities, viewCapabilities };
  const compared = compareWithLive({ declared }, live, grantFields);
  const differences = compared.differences.filter(({ escalates }) => escalates);
  if (differences.length + compared.uncompared.length === 0) return { ...nothing, accepts: true };
  const unreadable = compared.uncompared.map((field) => `${field} cannot be read`);
  const words = [...differences.map(describeDifference), ...unreadable].join("; ");
  const excess = `; the exception for ${owner} (${reason}) does not cover this: ${words}`;
  return { accepts: false, differences, excess };
}

/** The finding about a replaced token that is what it was: a note if it was meant to stay valid. */
function describeRetired(live: LiveToken, { fate, until, successor }: RetiredToken): Found {
  const { words, token } = subjectOf(live);
  const valid = describeTokenExpiry(live);
  const about = { token, declared: successor.declaration, detail: grantsOf(live) };
  if (fate === "unfinished") {
    const message = `${words} was replaced by ${successor.id}, but the update that should have revoked it did not finish: it ${valid}`;
    return { rule: "orphaned", message, ...about, cures: ["look"] };
  }
  const isProlonged = until !== undefined && mayExpireLater(readExpiry(live.expiresAt), readExpiry(until));
  const message = `${words} was replaced by ${successor.id} and ${valid}`;
  return { rule: isProlonged ? "escalated" : "retired", message, ...about };
}
