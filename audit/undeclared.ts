import { logicalNameOf } from "../provider/lifecycle/token/names";
import type { Token } from "../sdk";
import { type Declared, isMistaken, judge, type RetiredToken } from "./declarations";
import { compareToken, describeDifference, grantFields } from "./differences";
import { type Declaration, type Difference, type Found, grantsOf } from "./findings";
import { type Exception, endOfException, fits } from "./policy";
import { describeEnd, isExpired, type LiveToken, type Rulebook } from "./tokens";

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

  *findings(live: LiveToken): Generator<Found> {
    const { declared, now } = this.#book;
    const own = declared.ids.get(live.id);
    if ((own && !isMistaken(own, live)) || isExpired(live, now)) return;
    const retired = declared.retired.get(live.id);
    if (retired) return yield* judgeRetired(live, retired);
    const pending = declared.pendingNames.get(live.name);
    // A name says nothing about a token that a program left behind: the program made the name.
    const exception =
      this.#byId.get(live.id) ?? (pending ? undefined : this.#byName.find(({ name }) => fits(name, live.name)));
    const { excess, differences } = exception ? excessOf(live, exception, now) : nothing;
    if (exception && excess === "") {
      this.allowed += 1;
      return;
    }
    const about = {
      token: { id: live.id, name: live.name },
      ...(differences.length > 0 ? { differences } : {}),
      detail: grantsOf(live),
    };
    const words = `API token "${live.name}"`;
    if (!pending) {
      const message = `${words} is declared by no audited stack${lookalike(live, declared)}${excess}`;
      return yield { rule: "undeclared", message, ...about };
    }
    const message = pending.isNameOwn
      ? `${words} was made by a create that did not finish, but no stack tracks it${excess}`
      : `${words} has the name of a create that did not finish and may have made it; no audited stack tracks it${excess}`;
    yield { rule: "orphaned", message, ...about, declared: pending.declaration };
  }
}

const nothing = { excess: "", differences: [] as readonly Difference[] };

/** Why an exception does not hold; the empty text if it does. */
function excessOf(live: LiveToken, exception: Exception, now: number): typeof nothing {
  const { owner, reason, until, expiresAt, orgCapabilities, datasetCapabilities, viewCapabilities } = exception;
  const end = endOfException(until) ?? 0;
  if (now >= end) return { ...nothing, excess: `; the exception for ${owner} (${reason}) ended: ${until}` };
  // Without an expiry of its own an exception accepts a token that ends no later than it does itself.
  const limit = expiresAt === "never" ? undefined : (expiresAt ?? new Date(end).toISOString());
  const declared = { expiresAt: limit, orgCapabilities, datasetCapabilities, viewCapabilities };
  const compared = compareToken({ declared }, live, grantFields);
  const differences = compared.differences.filter(({ escalates }) => escalates);
  if (differences.length + compared.uncompared.length === 0) return nothing;
  const unreadable = compared.uncompared.map((field) => `${field} cannot be read`);
  const words = [...differences.map(describeDifference), ...unreadable].join("; ");
  return { differences, excess: `; the exception for ${owner} (${reason}) does not accept what it holds: ${words}` };
}

/** A replaced token stays valid where tokens cannot be revoked. It is no news as long as it is what it was. */
function* judgeRetired(live: LiveToken, { allowed, isLost, successor }: RetiredToken): Generator<Found> {
  const about = { token: { id: live.id, name: live.name }, declared: successor.declaration };
  const words = `API token "${live.name}", which was replaced,`;
  const problems = [...judge(words, about, { declared: allowed }, live, true)];
  if (problems.length > 0) return yield* problems;
  if (isLost) {
    const message = `API token "${live.name}" was made by a create whose answer was lost, and replaced by ${successor.id}`;
    return yield { rule: "orphaned", message, ...about, detail: grantsOf(live) };
  }
  const message = `API token "${live.name}" was replaced by ${successor.id} and ${describeEnd(live)}`;
  yield { rule: "retired", message, ...about, detail: grantsOf(live) };
}

/** A name that a stack could have made proves nothing: another stack has resources of the same name. */
function lookalike({ name }: Token, { autoNames }: Declared): string {
  const declaration: Declaration | undefined = autoNames.get(logicalNameOf(name) ?? "");
  if (!declaration) return "";
  return `; its name is like those that ${declaration.stack} generates, so perhaps it is of a stack that was not named`;
}
