import type { Token } from "../sdk";
import { defined } from "../values/defined";
import { mayExpireLater, readExpiry } from "../values/expiry";
import { describeSettings, isElsewhere, type Places } from "./account";
import type { Declared, RetiredToken } from "./declarations";
import type { PendingCreate } from "./declared";
import { compareWithLive, describeDifference, grantFields } from "./differences";
import { type Difference, type Found, grantsOf } from "./findings";
import { describeEnd, type Exception, expiryOfException, matchesPattern } from "./policy";
import { describeTokenExpiry, isExpired, type LiveToken, type Rulebook } from "./tokens";
import { describeUpdate } from "./updates";
import { describeRepair } from "./withoutId";

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
    const { declared, now } = this.#book;
    if (declared.ids.has(live.id) || isExpired(live, now)) return;
    const retired = declared.retired.get(live.id);
    const found = retired ? describeRetired(live, retired) : this.#describe(live);
    if (found.rule === "retired") return yield found;
    // Another tool manages it: `findShared` names the resource.
    if (found.rule !== "escalated" && declared.others.has(live.id)) return;
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
    for (const { update, declaration: declared } of this.#book.declared.pendingNames.get(name) ?? []) {
      if (typeof update !== "object") continue;
      const message = `API token "${name}" may be in use soon: the stack of its create ${describeUpdate(update, this.#book.now)}`;
      yield { rule: "updating", message, token: { id, name }, declared, detail: update.since };
    }
  }

  /** Findings for creates that did not finish, and that no live token was attributed to. Call it after the last token. */
  *unfinished(places: Places): Generator<Found> {
    for (const [name, creates] of this.#book.declared.pendingNames) {
      const words = `The create of ${name === undefined ? "an API token" : `API token "${name}"`} did not finish`;
      const found = creates.some((create) => this.#attributed.has(create))
        ? "neither did another create of that name: one of them may have created the orphaned token"
        : "it left no valid token of that name";
      const left = name === undefined ? "its name is encrypted, so the audit cannot look for the token" : found;
      for (const create of creates.filter((one) => !this.#attributed.has(one))) {
        const about = { token: defined({ name }), declared: create.declaration };
        const elsewhere = `, and nothing proves that it belongs to the audited account: ${describeSettings(create)}`;
        yield isElsewhere(create, places)
          ? { rule: "elsewhere", message: words + elsewhere, ...about }
          : { rule: "pending", message: `${words}; ${left}${describeRepair(create)}`, ...about };
      }
    }
  }

  /** The verdict of the exception that accepts the token, or else of the first one. */
  #judge(live: LiveToken, byName: boolean): Verdict {
    const named = byName ? this.#byName.filter(({ name }) => matchesPattern(name, live.name)) : [];
    const exceptions = [...(this.#byId.get(live.id) ?? []), ...named];
    const verdicts = exceptions.map((one) => judgeException(live, one, this.#book.now));
    return verdicts.find(({ accepts }) => accepts) ?? verdicts[0] ?? nothing;
  }

  /** The finding about a token of which no state has the id. */
  #describe(live: LiveToken): Found {
    const { declared } = this.#book;
    const about = { token: { id: live.id, name: live.name }, detail: grantsOf(live) };
    const words = `API token "${live.name}"`;
    const create = declared.pendingNames.get(live.name)?.at(-1);
    if (create && !declared.others.has(live.id)) {
      this.#attributed.add(create);
      const message = create.isNameOwn
        ? `${words} was created by an update that did not finish, and no stack tracks it`
        : `${words} has the name of a create that did not finish, which may have created it; no audited stack tracks it`;
      // The resource without an id is the proof that nobody has the secret.
      const first = create.isNameOwn && create.recorded ? "; revoke it before you repair the stack" : "";
      return {
        rule: "orphaned",
        message: message + first + describeRepair(create),
        ...about,
        declared: create.declaration,
      };
    }
    const message = `${words} is declared by no audited stack${lookupHint(live, declared)}`;
    return { rule: "undeclared", message, ...about };
  }
}

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
  const excess = `; the exception for ${owner} (${reason}) does not accept what it holds: ${words}`;
  return { accepts: false, differences, excess };
}

/** The finding about a replaced token that is what it was: a note if it was meant to stay valid. */
function describeRetired(live: LiveToken, { fate, until, successor }: RetiredToken): Found {
  const words = `API token "${live.name}" was`;
  const valid = describeTokenExpiry(live);
  const isProlonged = until !== undefined && mayExpireLater(readExpiry(live.expiresAt), readExpiry(until));
  const messages = {
    unfinished: `${words} replaced by ${successor.id}, but the update that should have revoked it did not finish: it ${valid}`,
    expires: `${words} replaced by ${successor.id} and ${valid}`,
  } satisfies Record<RetiredToken["fate"], string>;
  return {
    rule: fate === "unfinished" ? "orphaned" : isProlonged ? "escalated" : "retired",
    message: messages[fate],
    token: { id: live.id, name: live.name },
    declared: successor.declaration,
    detail: grantsOf(live),
  };
}

/** A program that looks a token up uses it, and fails if the token is revoked. */
function lookupHint({ id }: Token, { lookups }: Declared): string {
  const lookup = lookups.get(id);
  return lookup === undefined ? "" : `; ${lookup.stack} looks it up (ApiToken.get)`;
}
