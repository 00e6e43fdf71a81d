import { logicalNameOf } from "../framework/identity";
import type { Bag } from "../framework/lifecycle";
import { notKnown } from "../framework/unknown";
import { countsFromCreation, type ExpiryInputs, lifetimeOf } from "../provider/apiToken/expiry";
import type { RecordedPredecessor } from "../provider/apiToken/recorded";
import type { Token } from "../sdk";
import { parseDuration, shift } from "../values/duration";
import { expiryTime, readExpiry } from "../values/expiry";
import { describeAccount, type Place } from "./account";
import { compareWithLive, describeDifference, type Expected, type Fields, grantFields } from "./differences";
import { type Declaration, type Found, grantsOf } from "./findings";
import type { DeclaredToken, PendingCreate, StackState } from "./state";

/** A token that another one replaced, and that may still be valid. */
export interface RetiredToken {
  /** Its capabilities and expiry, as its successor recorded them. */
  readonly allowed: Fields;
  /** Its secret never arrived, so nobody can use it. */
  readonly isLost: boolean;
  /** Its successor took its place, and the update was going to revoke it. */
  readonly isToBeRevoked: boolean;
  readonly successor: DeclaredToken;
}

/** The declarations of all stacks, with the indexes that an audit needs. */
export interface Declared {
  readonly tokens: readonly DeclaredToken[];
  /** Every token that a state tracks, those that wait for their deletion included. */
  readonly ids: ReadonlyMap<string, DeclaredToken>;
  /** Tokens that a state recorded as replaced, and that no state tracks any more. */
  readonly retired: ReadonlyMap<string, RetiredToken>;
  /** Declarations by the logical name that their tokens' names are made from. */
  readonly autoNames: ReadonlyMap<string, Declaration>;
  /** Creates that did not finish, by the name of the token, without adoptions. */
  readonly pendingNames: ReadonlyMap<string, PendingCreate>;
  /** Creates that did not finish and whose name is encrypted. */
  readonly pendingUnnamed: readonly Declaration[];
  readonly pendingAdoptions: readonly Declaration[];
  readonly awaitingDeletion: readonly DeclaredToken[];
  /** Where a program looks up a token, by the token's id. */
  readonly lookups: ReadonlyMap<string, Declaration>;
}

/** Merges the states that `cover` chose, one for each stack. */
export function mergeStacks(stacks: readonly StackState[]): Declared {
  const unique = new Map<string, DeclaredToken>();
  const ids = new Map<string, DeclaredToken>();
  const autoNames = new Map<string, Declaration>();
  const pendingNames = new Map<string, PendingCreate>();
  const pendingUnnamed = new Map<string, Declaration>();
  const pendingAdoptions = new Map<string, Declaration>();
  const noteAutoName = ({ key, chosenName }: Bag, declaration: Declaration) => {
    if (typeof key !== "string" || chosenName !== undefined) return;
    const logicalName = logicalNameOf(key);
    if (!autoNames.has(logicalName)) autoNames.set(logicalName, declaration);
  };
  const lookups = new Map<string, Declaration>();
  for (const { tokens, pending, lookups: lookedUp } of stacks) {
    for (const { id, declaration } of lookedUp) lookups.set(id, declaration);
    for (const token of tokens) {
      unique.set(JSON.stringify([token.declaration.urn, token.id]), token);
      if (ids.get(token.id)?.awaitsDeletion !== false) ids.set(token.id, token);
      noteAutoName(token.inputs, token.declaration);
    }
    for (const create of pending) {
      const { declaration, inputs, isAdoption } = create;
      if (isAdoption) pendingAdoptions.set(declaration.urn, declaration);
      else if (typeof inputs.name === "string") pendingNames.set(inputs.name, create);
      else pendingUnnamed.set(declaration.urn, declaration);
      noteAutoName(inputs, declaration);
    }
  }
  const all = [...unique.values()];
  const retired = new Map<string, RetiredToken>();
  for (const successor of all) {
    for (const predecessor of successor.record.predecessors) {
      const { id } = predecessor;
      if (!ids.has(id) && !retired.has(id)) retired.set(id, retiredOf(predecessor, successor));
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
    lookups,
  };
}

/** A hidden field is unknown: it had a value, which was not recorded. */
function retiredOf(predecessor: RecordedPredecessor, successor: DeclaredToken): RetiredToken {
  const { fate, origin, hidden, fields } = predecessor;
  return {
    allowed: { ...Object.fromEntries(hidden.map((field) => [field, notKnown])), ...fields },
    isLost: origin === "lost",
    isToBeRevoked: fate === "revoke",
    successor,
  };
}

/**
 * The expected values of a live token: the recorded inputs, which come from the last program, or from a refresh that accepted
 * drift. An expiry that only the outputs have was decided when the token was created.
 */
export function expectedOf(token: DeclaredToken): Expected {
  const { inputs, outputs } = token;
  const { name, description, datasetCapabilities, orgCapabilities, viewCapabilities } = inputs;
  const declared = {
    name: name ?? outputs.name,
    description,
    expiresAt: expectedExpiry(token),
    datasetCapabilities,
    orgCapabilities,
    viewCapabilities,
  } satisfies Required<Fields>;
  const { record } = token;
  // The one place where an encrypted record counts: nothing is known about the values that the service gave.
  if (record.isHidden) {
    return { declared, given: Object.fromEntries(Object.keys(declared).map((key) => [key, notKnown])) };
  }
  const isCounted = countsFromCreation(inputs as ExpiryInputs);
  const others = Object.keys(record.declared).filter((field) => field !== "expiresAt" || !isCounted);
  return { declared, given: Object.fromEntries(others.map((field) => [field, outputs[field] ?? ""])) };
}

/** Services round an expiry that was counted to the millisecond. */
const roundingTolerance = 5 * 60_000;

/** The declared expiry, or the computed one if it counts from the creation; unknown if it is encrypted. */
function expectedExpiry({ inputs, outputs, record }: DeclaredToken): unknown {
  const isCounted = countsFromCreation(inputs as ExpiryInputs);
  const candidates = [inputs.expiresAt, isCounted ? record.declared.expiresAt : undefined, outputs.expiresAt];
  const recorded =
    candidates.find((expiry) => expiry !== undefined && typeof expiry !== "symbol") ?? candidates[0] ?? candidates[2];
  const length = lifetimeOf(inputs as ExpiryInputs);
  const duration = typeof length === "string" ? parseDuration(length) : undefined;
  if (inputs.expiresAt !== undefined || duration === undefined || typeof outputs.createdAt !== "string")
    return recorded;
  const counted = shift(new Date(outputs.createdAt), duration, 1).getTime() + roundingTolerance;
  // The state has the service's value: an expiry later than the requested one was not declared.
  const given = expiryTime(readExpiry(recorded)) ?? Number.POSITIVE_INFINITY;
  return counted < given ? new Date(counted - roundingTolerance).toISOString() : recorded;
}

/**
 * Whether a live token is not the declared one, although the state names its id: the id came in a response without a secret, and
 * the token does not have the name of that create.
 */
export const isMistaken = ({ inputs, record }: DeclaredToken, live: Token): boolean =>
  record.origin === "alleged" && inputs.name !== live.name;

/** Findings about a declared token that is live. */
export function* auditDeclared(token: DeclaredToken, live: Token): Generator<Found> {
  const { declaration: declared, id, record, awaitsDeletion } = token;
  const about = { token: { id, name: live.name }, declared };
  const words = `API token "${live.name}"${awaitsDeletion ? ", which waits for its deletion," : ""}`;
  if ((record.origin === "lost" || record.origin === "alleged") && !awaitsDeletion) {
    const message = `${words} was created, but its secret never arrived: the next update replaces it`;
    yield { rule: "pending", message, ...about };
  }
  // A token that waits for its deletion matters only if it grants more than declared.
  yield* judge(words, about, expectedOf(token), live, awaitsDeletion);
}

/** Findings for the differences between a live token and its expected values. */
export function* judge(
  words: string,
  about: Pick<Found, "token" | "declared">,
  expected: Expected,
  live: Token,
  grantsOnly: boolean,
): Generator<Found> {
  const { differences, unknown, uncompared } = compareWithLive(expected, live, grantsOnly ? grantFields : undefined);
  const why = (fields: readonly string[]) =>
    fields.some((field) => live.odd?.[field] !== undefined)
      ? "the service sent it in an unknown form"
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
    const message = `${words} may grant more than is declared: ${uncompared.join(", ")} cannot be compared: ${why(uncompared)}`;
    yield { rule: "uncompared", message, ...about, detail };
  }
  const escalates = differences.some((difference) => difference.escalates);
  if (differences.length === 0 || (grantsOnly && !escalates)) return;
  const message = `${words} is not as declared: ${differences.map(describeDifference).join("; ")}`;
  yield { rule: escalates ? "escalated" : "changed", message, ...about, differences };
}

/** The finding for a declared token that the service does not list. */
export function describeAbsent(token: DeclaredToken, place: Place, baseUrl: string): Found {
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
      return {
        rule: "elsewhere",
        message: `${words} is declared on ${describeAccount(token)}, which was not audited`,
        ...about,
      };
    case "unproven": {
      const message = `${notListed}, and nothing proves that ${baseUrl} has its account (${describeAccount(token)})`;
      return { rule: "unproven", message, ...about };
    }
  }
}
