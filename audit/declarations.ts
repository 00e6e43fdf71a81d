import type { Token } from "../sdk";
import { parseDuration, shift } from "../sdk/values/duration";
import { endOfExpiry, readExpiry } from "../sdk/values/expiry";
import { isObject } from "../sdk/values/json";
import { describePlace, type Place } from "./account";
import { compareToken, describeDifference, type Expected, type Fields, grantFields } from "./differences";
import { type Declaration, type Found, grantsOf } from "./findings";
import { type DeclaredToken, type PendingCreate, replacedTokens, type StackState } from "./state";

/** A token that another one replaced, and that may still be valid. */
export interface RetiredToken {
  /** What it was allowed, as its successor recorded it. */
  readonly allowed: Fields;
  /** Its secret never arrived, so nobody uses it. */
  readonly isLost: boolean;
  readonly successor: DeclaredToken;
}

/** What the stacks together declare, looked up by what an audit asks for. */
export interface Declared {
  readonly tokens: readonly DeclaredToken[];
  /** Every token that a state tracks, those that wait for their deletion included. */
  readonly ids: ReadonlyMap<string, DeclaredToken>;
  /** Tokens that a state recorded as replaced, and that no state tracks any more. */
  readonly retired: ReadonlyMap<string, RetiredToken>;
  /** Declarations by the logical name that their tokens' names are made from. */
  readonly autoNames: ReadonlyMap<string, Declaration>;
  /** Creates that did not finish, by the name of the token; adoptions are none. */
  readonly pendingNames: ReadonlyMap<string, PendingCreate>;
  /** Creates that did not finish and whose name is encrypted. */
  readonly pendingUnnamed: readonly Declaration[];
  readonly pendingAdoptions: readonly Declaration[];
  readonly awaitingDeletion: readonly DeclaredToken[];
}

/** Merges the stacks. A stack that was given twice counts once. */
export function mergeStacks(stacks: readonly StackState[]): Declared {
  const unique = new Map<string, DeclaredToken>();
  const ids = new Map<string, DeclaredToken>();
  const autoNames = new Map<string, Declaration>();
  const pendingNames = new Map<string, PendingCreate>();
  const pendingUnnamed = new Map<string, Declaration>();
  const pendingAdoptions = new Map<string, Declaration>();
  const noteAutoName = (autoName: unknown, declaration: Declaration) => {
    if (typeof autoName === "string" && !autoNames.has(autoName)) autoNames.set(autoName, declaration);
  };
  for (const { tokens, pending } of stacks) {
    for (const token of tokens) {
      unique.set(JSON.stringify([token.declaration.urn, token.id]), token);
      if (ids.get(token.id)?.awaitsDeletion !== false) ids.set(token.id, token);
      noteAutoName(token.inputs.autoName, token.declaration);
    }
    for (const create of pending) {
      const { declaration, inputs, isAdoption } = create;
      if (isAdoption) pendingAdoptions.set(declaration.urn, declaration);
      else if (typeof inputs.name === "string") pendingNames.set(inputs.name, create);
      else pendingUnnamed.set(declaration.urn, declaration);
      noteAutoName(inputs.autoName, declaration);
    }
  }
  const all = [...unique.values()];
  const retired = new Map<string, RetiredToken>();
  for (const successor of all) {
    for (const { id, ...record } of replacedTokens(successor)) {
      if (!ids.has(id) && !retired.has(id)) retired.set(id, { ...record, successor });
    }
  }
  return {
    tokens: all.filter(({ awaitsDeletion }) => !awaitsDeletion),
    ids,
    retired,
    autoNames,
    pendingNames,
    pendingUnnamed: [...pendingUnnamed.values()],
    pendingAdoptions: [...pendingAdoptions.values()],
    awaitingDeletion: all.filter(({ awaitsDeletion }) => awaitsDeletion),
  };
}

/**
 * What a live token should be: the recorded inputs, which the program declared last or a refresh since then accepted as
 * drift. An expiry that only the outputs have was decided when the token was made.
 */
export function expectedOf(token: DeclaredToken): Expected {
  const { inputs, outputs } = token;
  const { name, description, datasetCapabilities, orgCapabilities, viewCapabilities } = inputs;
  const declared = {
    name: name ?? outputs.name,
    description,
    expiresAt: declaredExpiry(token),
    datasetCapabilities,
    orgCapabilities,
    viewCapabilities,
  } satisfies Required<Fields>;
  const { answered, declaredExpiresAt, expiresAt } = outputs;
  if (typeof answered === "symbol") {
    return { declared, answered: Object.fromEntries(Object.keys(declared).map((key) => [key, answered])) };
  }
  // Where the service gave another expiry than the declared one, it stands in place of that.
  const given = declaredExpiresAt === undefined ? {} : { expiresAt };
  return { declared, answered: { ...given, ...(isObject(answered) ? answered : {}) } };
}

/** Services round an expiry that was counted to the millisecond. */
const roundingTolerance = 5 * 60_000;

/** The expiry that was declared, or what one that is counted from the creation comes to; unknown if all is encrypted. */
function declaredExpiry({ inputs, outputs }: DeclaredToken): unknown {
  const candidates = [inputs.expiresAt, outputs.resolvedExpiresAt, outputs.expiresAt];
  const recorded =
    candidates.find((end) => end !== undefined && typeof end !== "symbol") ?? candidates[0] ?? candidates[2];
  const length = inputs.expiresIn ?? (isObject(inputs.rotation) ? inputs.rotation.expireAfter : undefined);
  const duration = typeof length === "string" ? parseDuration(length) : undefined;
  if (inputs.expiresAt !== undefined || duration === undefined || typeof outputs.createdAt !== "string")
    return recorded;
  const counted = shift(new Date(outputs.createdAt), duration, 1).getTime() + roundingTolerance;
  // The state has what the service gave: an end later than what was asked for is nobody's declaration.
  const given = endOfExpiry(readExpiry(recorded)) ?? Number.POSITIVE_INFINITY;
  return counted < given ? new Date(counted - roundingTolerance).toISOString() : recorded;
}

/**
 * Whether a live token is another one than the state that names its id declares: the id came in an answer without a secret, and
 * the token does not bear the name of that create.
 */
export const isMistaken = ({ inputs, outputs }: DeclaredToken, live: Token): boolean =>
  typeof outputs.provenBy === "string" && inputs.name !== live.name;

/** What is wrong with one declared token that is live, and what could not be compared. */
export function* auditDeclared(token: DeclaredToken, live: Token): Generator<Found> {
  const { declaration: declared, id, outputs, awaitsDeletion } = token;
  const about = { token: { id, name: live.name }, declared };
  const words = `API token "${live.name}"${awaitsDeletion ? ", which waits for its deletion," : ""}`;
  if (outputs.lost === true && !awaitsDeletion) {
    const message = `${words} was created, but its secret never arrived: the next update replaces it`;
    yield { rule: "pending", message, ...about };
  }
  // Of a token that is to be deleted only what makes it dangerous until then is of interest.
  yield* judge(words, about, expectedOf(token), live, awaitsDeletion);
}

/** What differs between a live token and what it may be. */
export function* judge(
  words: string,
  about: Pick<Found, "token" | "declared">,
  expected: Expected,
  live: Token,
  grantsOnly: boolean,
): Generator<Found> {
  const { differences, unknown, uncompared } = compareToken(expected, live, grantsOnly ? grantFields : undefined);
  const why = (fields: readonly string[]) =>
    fields.some((field) => live.odd?.[field] !== undefined)
      ? "the service's answer is odd there"
      : "encrypted in the state";
  if (unknown.length > 0 && !grantsOnly) {
    yield {
      rule: "unknown",
      message: `${words}: ${unknown.join(", ")} cannot be compared: ${why(unknown)}`,
      ...about,
      detail: unknown,
    };
  }
  if (uncompared.length > 0) {
    const detail = grantsOf(live);
    const message = `${words} may hold more than is declared: ${uncompared.join(", ")} cannot be compared: ${why(uncompared)}`;
    yield { rule: "uncompared", message, ...about, detail };
  }
  const escalates = differences.some((difference) => difference.escalates);
  if (differences.length === 0 || (grantsOnly && !escalates)) return;
  const message = `${words} is not as declared: ${differences.map(describeDifference).join("; ")}`;
  yield { rule: escalates ? "escalated" : "changed", message, ...about, differences };
}

/** A declared token that the service does not list. */
export function notLive(token: DeclaredToken, place: Place, baseUrl: string): Found {
  const { name } = expectedOf(token).declared;
  const words = typeof name === "string" ? `API token "${name}"` : "An API token";
  const about = {
    token: { id: token.id, ...(typeof name === "string" ? { name } : {}) },
    declared: token.declaration,
  };
  const notListed = `${words} is declared, but the service does not list it`;
  switch (place) {
    case "here":
      return { rule: "missing", message: notListed, ...about };
    case "elsewhere":
      return { rule: "elsewhere", message: `${words} is declared on ${describePlace(token)}: not audited`, ...about };
    case "unproven": {
      const message = `${notListed}, and nothing proves that ${baseUrl} was asked about its account (${describePlace(token)})`;
      return { rule: "unproven", message, ...about };
    }
  }
}
