import { logicalNameOf } from "../framework/identity";
import type { Bag } from "../framework/lifecycle";
import { notKnown } from "../framework/unknown";
import type { RecordedPredecessor } from "../provider/apiToken/recorded";
import type { Token } from "../sdk";
import { describeAccount, type Place } from "./account";
import { compareWithLive, describeDifference, type Expected, type Fields, grantFields } from "./differences";
import { expectedOf } from "./expected";
import { type Declaration, type Found, grantsOf } from "./findings";
import type { DeclaredToken, PendingCreate, StackState } from "./state";

/** A token that another one replaced, and that may still be valid. */
export interface RetiredToken {
  /** Its capabilities and expiry, as its successor recorded them. */
  readonly allowed: Fields;
  /**
   * Its end. "lost": its secret never arrived, so nobody can use it. "unfinished": the update that was going to revoke it
   * did not. "expires": it was meant to stay valid.
   */
  readonly fate: "lost" | "unfinished" | "expires";
  readonly successor: DeclaredToken;
}

/** A create that did not finish and whose name is known. */
export type NamedCreate = PendingCreate & { readonly name: string };

/** The declarations of all stacks, with the indexes that an audit needs. */
export interface Declared {
  readonly tokens: readonly DeclaredToken[];
  /** Every token that a state tracks, also a replaced one: of several records of one token the most certain. */
  readonly ids: ReadonlyMap<string, DeclaredToken>;
  /** Tokens that a state recorded as replaced, and that no state tracks any more. */
  readonly retired: ReadonlyMap<string, RetiredToken>;
  /** Declarations by the logical name that their tokens' names are made from. */
  readonly autoNames: ReadonlyMap<string, Declaration>;
  /** Creates that did not finish, by the name of the token, without adoptions. */
  readonly pendingNames: ReadonlyMap<string, readonly NamedCreate[]>;
  /** Creates that did not finish and whose name is encrypted. */
  readonly pendingUnnamed: readonly Declaration[];
  readonly pendingAdoptions: readonly Declaration[];
  readonly awaitingDeletion: readonly DeclaredToken[];
  readonly awaitingSuccessor: readonly DeclaredToken[];
  /** Where a program looks up a token, by the token's id. */
  readonly lookups: ReadonlyMap<string, Declaration>;
}

/** Merges the states that `cover` chose, one for each stack. */
export function mergeStacks(stacks: readonly StackState[]): Declared {
  const all = stacks.flatMap(({ tokens }) => tokens);
  const ids = new Map<string, DeclaredToken>();
  const autoNames = new Map<string, Declaration>();
  const pendingNamed = new Map<string, NamedCreate>();
  const pendingUnnamed = new Map<string, Declaration>();
  const pendingAdoptions = new Map<string, Declaration>();
  const noteAutoName = ({ key, chosenName }: Bag, declaration: Declaration) => {
    if (typeof key !== "string" || chosenName !== undefined) return;
    const logicalName = logicalNameOf(key);
    if (!autoNames.has(logicalName)) autoNames.set(logicalName, declaration);
  };
  const lookups = new Map<string, Declaration>();
  for (const [at, { tokens, pending, lookups: lookedUp }] of stacks.entries()) {
    for (const { id, declaration } of lookedUp) lookups.set(id, declaration);
    for (const token of tokens) {
      const known = ids.get(token.id);
      if (!known || certaintyOf(token) > certaintyOf(known)) ids.set(token.id, token);
      noteAutoName(token.inputs, token.declaration);
    }
    for (const create of pending) {
      const { declaration, inputs, isAdoption } = create;
      const { name } = inputs;
      // A state can have a create several times. Stacks of two organizations can have the same URNs.
      const key = JSON.stringify([at, declaration.urn, name]);
      if (isAdoption) pendingAdoptions.set(key, declaration);
      else if (typeof name === "string") pendingNamed.set(key, { ...create, name });
      else pendingUnnamed.set(key, declaration);
      noteAutoName(inputs, declaration);
    }
  }
  const retired = new Map<string, RetiredToken>();
  for (const successor of all) {
    for (const predecessor of successor.record.predecessors) {
      const { id } = predecessor;
      if (ids.has(id)) continue;
      const one = retiredOf(predecessor, successor);
      // Of several records, one by which it should not be valid any more counts.
      if (!retired.has(id) || (retired.get(id)?.fate === "expires" && one.fate !== "expires")) retired.set(id, one);
    }
  }
  return {
    tokens: all.filter(({ awaits }) => awaits === undefined),
    ids,
    retired,
    autoNames,
    pendingNames: Map.groupBy(pendingNamed.values(), ({ name }) => name),
    pendingUnnamed: [...pendingUnnamed.values()],
    pendingAdoptions: [...pendingAdoptions.values()],
    awaitingDeletion: all.filter(({ awaits }) => awaits === "deletion"),
    awaitingSuccessor: all.filter(({ awaits }) => awaits === "successor"),
    lookups,
  };
}

/** How certainly a record tracks its token, compared with other records of the same id. */
const certaintyOf = ({ awaits, record }: DeclaredToken): number =>
  (awaits === undefined ? 2 : 0) + (record.origin === "alleged" ? 0 : 1);

/** A hidden field is unknown: it had a value, which was not recorded. */
function retiredOf(predecessor: RecordedPredecessor, successor: DeclaredToken): RetiredToken {
  const { hidden, fields } = predecessor;
  return {
    allowed: { ...Object.fromEntries(hidden.map((field) => [field, notKnown])), ...fields },
    fate: fateOf(predecessor, successor),
    successor,
  };
}

/** The provider cannot see that the engine will retain a token, so it records "revoke" for one that is retained. */
function fateOf({ fate, origin }: RecordedPredecessor, { isRetained }: DeclaredToken): RetiredToken["fate"] {
  if (origin === "lost") return "lost";
  return fate === "revoke" && !isRetained ? "unfinished" : "expires";
}

/** Whether a live token gave way to a successor: it need not last, and may have the name of its successor. */
export const isReplaced = ({ ids, retired }: Declared, id: string): boolean =>
  retired.has(id) || ids.get(id)?.awaits !== undefined;

/**
 * Whether a live token is not the declared one, although the state names its id: the id came in a response without a secret, and
 * the token does not have the name of that create.
 */
export const isMistaken = ({ inputs, record }: DeclaredToken, live: Token): boolean =>
  record.origin === "alleged" && inputs.name !== live.name;

/** Findings about a declared token that is live. */
export function* auditDeclared(token: DeclaredToken, live: Token): Generator<Found> {
  const { declaration: declared, id, record, awaits } = token;
  const about = { token: { id, name: live.name }, declared };
  const words = `API token "${live.name}"${awaits ? `, which waits for its ${awaits},` : ""}`;
  if ((record.origin === "lost" || record.origin === "alleged") && !awaits) {
    const message = `${words} was created, but its secret never arrived: the next update replaces it`;
    yield { rule: "pending", message, ...about };
  }
  // A replaced token matters only if it grants more than declared.
  yield* judge(words, about, expectedOf(token), live, awaits !== undefined);
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

/** The finding for a token that a replacement retired before it could create the successor. */
export function describeInterrupted(token: DeclaredToken): Found {
  const { words, about } = introduce(token);
  return {
    rule: "pending",
    message: `${words} was retired for a replacement that did not finish: run pulumi up`,
    ...about,
  };
}

/** A token of a state in words, and as a finding names it. */
function introduce(token: DeclaredToken) {
  const { name } = expectedOf(token).declared;
  const known = typeof name === "string" ? { name } : {};
  return {
    words: known.name === undefined ? "An API token" : `API token "${known.name}"`,
    about: { token: { id: token.id, ...known }, declared: token.declaration },
  };
}

/** The finding for a declared token that the service does not list. */
export function describeAbsent(token: DeclaredToken, place: Place, baseUrl: string): Found {
  const { words, about } = introduce(token);
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
