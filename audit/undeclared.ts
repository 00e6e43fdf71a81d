import { generatedFrom } from "../provider/apiToken/names";
import type { Token } from "../sdk";
import { defined } from "../values/defined";
import { type Declared, isMistaken, judge, type RetiredToken } from "./declarations";
import { compareWithLive, describeDifference, grantFields } from "./differences";
import { type Difference, type Found, grantsOf } from "./findings";
import type { Cause } from "./groups";
import { type Exception, endOfException, fits } from "./policy";
import { describeEnd, isExpired, type LiveToken, type Rulebook } from "./tokens";

/** Which tokens of the service are declared nowhere. Expired ones do no harm: the rule `expired` reports them. */
export class Undeclared {
  /** Those that the policy allows. */
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
    // A name says nothing about a token that a program left behind: the program made the name.
    const byName = pending ? [] : this.#byName.filter(({ name }) => fits(name, live.name));
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
      const cause = lookalike(live, declared);
      const hints = lookupHint(live, declared) + describeLookalike(cause);
      const message = `${words} is declared by no audited stack${hints}${excess}`;
      // What is worth a word of its own stays by itself.
      const isOwn = excess !== "" || declared.lookups.has(live.id);
      return yield { rule: "undeclared", message, ...about, ...defined({ cause: isOwn ? undefined : cause }) };
    }
    const message = pending.isNameOwn
      ? `${words} was made by a create that did not finish, but no stack tracks it${excess}`
      : `${words} has the name of a create that did not finish and may have made it; no audited stack tracks it${excess}`;
    yield { rule: "orphaned", message, ...about, declared: pending.declaration };
  }
}

/** What one exception says of a token. */
interface Verdict {
  readonly accepts: boolean;
  /** Why it does not hold; the empty text if it does. */
  readonly excess: string;
  /** What the token holds beyond it. */
  readonly differences: readonly Difference[];
  /** How far it is from accepting the token: an exception that has ended is farther than any other. */
  readonly distance: number;
}

const nothing: Verdict = { accepts: false, excess: "", differences: [], distance: 0 };

/** One that accepts the token comes first, whichever the policy names first. */
const byNearness = (a: Verdict, b: Verdict): number => Number(b.accepts) - Number(a.accepts) || a.distance - b.distance;

function judgeException(live: LiveToken, exception: Exception, now: number): Verdict {
  const { owner, reason, until, expiresAt, orgCapabilities, datasetCapabilities, viewCapabilities } = exception;
  const end = endOfException(until) ?? 0;
  if (now >= end) {
    const excess = `; the exception for ${owner} (${reason}) ended: ${until}`;
    return { ...nothing, excess, distance: Number.MAX_SAFE_INTEGER - end };
  }
  // Without an expiry of its own an exception accepts a token that ends no later than it does itself.
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

/** A replaced token stays valid where tokens cannot be revoked. It is no news as long as it is what it was. */
function* judgeRetired(live: LiveToken, retired: RetiredToken): Generator<Found> {
  const { allowed, isLost, isToBeRevoked, successor } = retired;
  const about = { token: { id: live.id, name: live.name }, declared: successor.declaration };
  const words = `API token "${live.name}", which was replaced,`;
  const problems = [...judge(words, about, { declared: allowed }, live, true)];
  if (problems.length > 0) return yield* problems;
  if (isLost) {
    const message = `API token "${live.name}" was made by a create whose answer was lost, and replaced by ${successor.id}`;
    return yield { rule: "orphaned", message, ...about, detail: grantsOf(live) };
  }
  if (isToBeRevoked) {
    const message = `API token "${live.name}" was replaced by ${successor.id} and was to be revoked, but the update that was to do it did not finish: it ${describeEnd(live)}`;
    return yield { rule: "orphaned", message, ...about, detail: grantsOf(live) };
  }
  const message = `API token "${live.name}" was replaced by ${successor.id} and ${describeEnd(live)}`;
  yield { rule: "retired", message, ...about, detail: grantsOf(live) };
}

/** Whoever looks a token up uses it: it is missed if it is revoked. */
function lookupHint({ id }: Token, { lookups }: Declared): string {
  const lookup = lookups.get(id);
  return lookup === undefined ? "" : `; ${lookup.stack} looks it up (ApiToken.get)`;
}

/** A name that a stack could have made proves nothing: another stack has resources of the same name. */
function lookalike({ name }: Token, { autoNames }: Declared): Cause | undefined {
  const resource = generatedFrom(name);
  const declaration = autoNames.get(resource ?? "");
  return resource === undefined || declaration === undefined ? undefined : { resource, declaration };
}

const describeLookalike = (cause: Cause | undefined): string =>
  cause === undefined
    ? ""
    : `; its name is like those that ${cause.declaration.stack} generates, so perhaps it is of a stack that was not named`;
