import { generatedFrom } from "../provider/apiToken/names";
import type { Token } from "../sdk";
import { defined } from "../values/defined";
import { type Declared, isMistaken, judge, type RetiredToken } from "./declarations";
import { compareWithLive, describeDifference, grantFields } from "./differences";
import { type Difference, type Found, grantsOf } from "./findings";
import type { Cause } from "./groups";
import { type Exception, expiryOfException, matchesPattern } from "./policy";
import { describeTokenExpiry, isExpired, type LiveToken, type Rulebook } from "./tokens";

/** Finds live tokens that no stack declares. Expired tokens are reported by the rule `expired`. */
export class Undeclared {
  /** The number of tokens that the policy allows. */
  allowed = 0;
  readonly #book: Rulebook;
  readonly #byId: ReadonlyMap<string | undefined, readonly Exception[]>;
  readonly #byName: readonly (Exception & { readonly name: string })[];

  constructor(book: Rulebook) {
    this.#book = book;
    const exceptions = book.policy.allowUndeclared ?? [];
    this.#byId = Map.groupBy(exceptions, ({ id }) => id);
    this.#byName = exceptions.filter((one): one is Exception & { name: string } => one.name !== undefined);
  }

  *findings(live: LiveToken): Generator<Found & { readonly cause?: Cause }> {
    const { declared, now } = this.#book;
    const own = declared.ids.get(live.id);
    if ((own && !isMistaken(own, live)) || isExpired(live, now)) return;
    const retired = declared.retired.get(live.id);
    if (retired) return yield* judgeRetired(live, retired);
    const pending = declared.pendingNames.get(live.name);
    // An exception by name does not cover a token that a program left behind: the program chose the name.
    const byName = pending ? [] : this.#byName.filter(({ name }) => matchesPattern(name, live.name));
    const exceptions = [...(this.#byId.get(live.id) ?? []), ...byName];
    const [nearest = nothing] = exceptions.map((one) => judgeException(live, one, now)).sort(byNearness);
    if (nearest.accepts) {
      this.allowed += 1;
      return;
    }
    const { excess, differences } = nearest;
    const about = {
      token: { id: live.id, name: live.name },
      ...(differences.length > 0 ? { differences } : {}),
      detail: grantsOf(live),
    };
    const words = `API token "${live.name}"`;
    if (!pending) {
      const cause = findLookalike(live, declared);
      const hints = lookupHint(live, declared) + describeLookalike(cause);
      const message = `${words} is declared by no audited stack${hints}${excess}`;
      // A finding with its own hint is not merged with others.
      const isOwn = excess !== "" || declared.lookups.has(live.id);
      return yield { rule: "undeclared", message, ...about, ...defined({ cause: isOwn ? undefined : cause }) };
    }
    const message = pending.isNameOwn
      ? `${words} was created by an update that did not finish, and no stack tracks it${excess}`
      : `${words} has the name of a create that did not finish, which may have created it; no audited stack tracks it${excess}`;
    yield { rule: "orphaned", message, ...about, declared: pending.declaration };
  }
}

/** The verdict of one exception about a token. */
interface Verdict {
  readonly accepts: boolean;
  /** Why the exception does not accept the token; empty if it does. */
  readonly excess: string;
  /** Values of the token beyond the accepted ones. */
  readonly differences: readonly Difference[];
  /** Distance from acceptance: the largest for an exception that has expired. */
  readonly distance: number;
}

const nothing: Verdict = { accepts: false, excess: "", differences: [], distance: 0 };

/** Orders verdicts: acceptance first, whatever the order in the policy. */
const byNearness = (a: Verdict, b: Verdict): number => Number(b.accepts) - Number(a.accepts) || a.distance - b.distance;

function judgeException(live: LiveToken, exception: Exception, now: number): Verdict {
  const { owner, reason, until, expiresAt, orgCapabilities, datasetCapabilities, viewCapabilities } = exception;
  const end = expiryOfException(until) ?? 0;
  if (now >= end) {
    const excess = `; the exception for ${owner} (${reason}) ended: ${until}`;
    return { ...nothing, excess, distance: Number.MAX_SAFE_INTEGER - end };
  }
  // Without expiresAt, an exception accepts an expiry up to its own end.
  const limit = expiresAt === "never" ? undefined : (expiresAt ?? new Date(end).toISOString());
  const declared = { expiresAt: limit, orgCapabilities, datasetCapabilities, viewCapabilities };
  const compared = compareWithLive({ declared }, live, grantFields);
  const differences = compared.differences.filter(({ escalates }) => escalates);
  const distance = differences.length + compared.uncompared.length;
  if (distance === 0) return { ...nothing, accepts: true };
  const unreadable = compared.uncompared.map((field) => `${field} cannot be read`);
  const words = [...differences.map(describeDifference), ...unreadable].join("; ");
  const excess = `; the exception for ${owner} (${reason}) does not accept what it holds: ${words}`;
  return { accepts: false, differences, excess, distance };
}

/** A replaced token stays valid where tokens cannot be revoked. It is reported as a note, unless it changed. */
function* judgeRetired(live: LiveToken, retired: RetiredToken): Generator<Found> {
  const { allowed, isLost, isToBeRevoked, successor } = retired;
  const about = { token: { id: live.id, name: live.name }, declared: successor.declaration };
  const words = `API token "${live.name}", which was replaced,`;
  const problems = [...judge(words, about, { declared: allowed }, live, true)];
  if (problems.length > 0) return yield* problems;
  if (isLost) {
    const message = `API token "${live.name}" was created by a request whose response was lost, and was replaced by ${successor.id}`;
    return yield { rule: "orphaned", message, ...about, detail: grantsOf(live) };
  }
  if (isToBeRevoked) {
    const message = `API token "${live.name}" was replaced by ${successor.id}, but the update that should have revoked it did not finish: it ${describeTokenExpiry(live)}`;
    return yield { rule: "orphaned", message, ...about, detail: grantsOf(live) };
  }
  const message = `API token "${live.name}" was replaced by ${successor.id} and ${describeTokenExpiry(live)}`;
  yield { rule: "retired", message, ...about, detail: grantsOf(live) };
}

/** A program that looks a token up uses it, and fails if the token is revoked. */
function lookupHint({ id }: Token, { lookups }: Declared): string {
  const lookup = lookups.get(id);
  return lookup === undefined ? "" : `; ${lookup.stack} looks it up (ApiToken.get)`;
}

/** A name that a stack could have generated proves nothing: another stack can have a resource of the same name. */
function findLookalike({ name }: Token, { autoNames }: Declared): Cause | undefined {
  const resource = generatedFrom(name);
  const declaration = autoNames.get(resource ?? "");
  return resource === undefined || declaration === undefined ? undefined : { resource, declaration };
}

const describeLookalike = (cause: Cause | undefined): string =>
  cause === undefined
    ? ""
    : `; its name is like those that ${cause.declaration.stack} generates, so it may belong to a stack that was not audited`;
