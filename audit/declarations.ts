import type { Token } from "../sdk";
import { defined } from "../values/defined";
import { joinShortened } from "../values/shorten";
import { describeSettings, type Places } from "./account";
import type { DeclaredToken, PendingCreate, StackState } from "./declared";
import { compareWithLive, describeDifference, type Expected, grantFields } from "./differences";
import { expectedOf } from "./expected";
import { type Declaration, type Found, grantsOf } from "./findings";
import { mergeOthers, nameOf, type Owner } from "./owners";

/** A token that another one replaced, and that may still be valid. */
export interface RetiredToken {
  /** "unfinished": the update that was going to revoke it did not. "expires": it was meant to stay valid. */
  readonly fate: "unfinished" | "expires";
  /** Its expiry, as its successor recorded it. */
  readonly until: string | undefined;
  readonly successor: DeclaredToken;
}

/** A create that did not finish; its name is undefined if it is encrypted. */
export type UnfinishedCreate = PendingCreate & { readonly name: string | undefined } & Pick<StackState, "update">;

/** The declarations of all stacks, with the indexes that an audit needs. */
export interface Declared {
  /** Every record of a token, also of a replaced one: several stacks can have the same token. */
  readonly all: readonly DeclaredToken[];
  readonly tokens: readonly DeclaredToken[];
  /** Every token that a state tracks, also a replaced one: of several records of one token the most certain. */
  readonly ids: ReadonlyMap<string, DeclaredToken>;
  /** Tokens that a state recorded as replaced, and that no state tracks any more. */
  readonly retired: ReadonlyMap<string, RetiredToken>;
  /** Creates that did not finish, without adoptions. */
  readonly pending: readonly UnfinishedCreate[];
  /** The same by the name of the token; undefined for an encrypted name. */
  readonly pendingNames: ReadonlyMap<string | undefined, readonly UnfinishedCreate[]>;
  readonly pendingAdoptions: readonly PendingCreate[];
  readonly awaitingDeletion: readonly DeclaredToken[];
  readonly awaitingSuccessor: readonly DeclaredToken[];
  /** Where a program looks up a token, by the token's id. */
  readonly lookups: ReadonlyMap<string, Declaration>;
  /** Resources of other types, by their ids: those of live tokens manage these tokens. */
  readonly others: ReadonlyMap<string, readonly Owner[]>;
}

/** Merges the states that `cover` chose, one for each stack. */
export function mergeStacks(stacks: readonly StackState[]): Declared {
  const all = stacks.flatMap(({ tokens, others }) => [...tokens, ...others.flatMap(({ token }) => token ?? [])]);
  const ids = new Map<string, DeclaredToken>();
  const unfinished = new Map<string, UnfinishedCreate>();
  const pendingAdoptions = new Map<string, PendingCreate>();
  const lookups = new Map<string, Declaration>();
  for (const token of all) {
    const known = ids.get(token.id);
    if (!known || certaintyOf(token) > certaintyOf(known)) ids.set(token.id, token);
  }
  for (const [at, { pending, lookups: lookedUp, update }] of stacks.entries()) {
    for (const { id, declaration } of lookedUp) lookups.set(id, declaration);
    for (const create of pending) {
      const { declaration, inputs, isAdoption } = create;
      const name = typeof inputs.name === "string" ? inputs.name : undefined;
      // A state can have a create several times. Stacks of two organizations can have the same URNs.
      const key = JSON.stringify([at, declaration.urn, name]);
      if (isAdoption) pendingAdoptions.set(key, create);
      else unfinished.set(key, { ...create, name, ...defined({ update }) });
    }
  }
  const retired = new Map<string, RetiredToken>();
  for (const successor of all) {
    for (const { id, isKept, until } of successor.record.replaced) {
      if (ids.has(id)) continue;
      // The provider cannot see that the engine will retain a token.
      const one: RetiredToken = { fate: isKept || successor.isRetained ? "expires" : "unfinished", until, successor };
      // Of several records, one by which it should not be valid any more counts.
      if (!retired.has(id) || (retired.get(id)?.fate === "expires" && one.fate !== "expires")) retired.set(id, one);
    }
  }
  const pending = [...unfinished.values()];
  return {
    all,
    tokens: all.filter(({ awaits }) => awaits === undefined),
    ids,
    retired,
    pending,
    pendingNames: Map.groupBy(pending, ({ name }) => name),
    pendingAdoptions: [...pendingAdoptions.values()],
    awaitingDeletion: all.filter(({ awaits }) => awaits === "deletion"),
    awaitingSuccessor: all.filter(({ awaits }) => awaits === "successor"),
    lookups,
    others: mergeOthers(stacks),
  };
}

/** How certainly a record tracks its token, compared with other records of the same id. */
const certaintyOf = ({ awaits, record }: DeclaredToken): number =>
  (awaits === undefined ? 2 : 0) + (record.isLost ? 0 : 1);

/** Whether a live token gave way to a successor: it need not last, and may have the name of its successor. */
export const isReplaced = ({ ids, retired }: Declared, id: string): boolean =>
  retired.has(id) || ids.get(id)?.awaits !== undefined;

/** Findings about a declared token that is live. */
export function* auditDeclared(token: DeclaredToken, live: Token): Generator<Found> {
  const { declaration: declared, id, record, awaits } = token;
  const about = { token: { id, name: live.name }, declared };
  const words = `API token "${live.name}"${awaits ? `, which waits for its ${awaits},` : ""}`;
  if (record.isLost && !awaits) {
    const message = `${words} was created, but its secret never arrived: the next update replaces it`;
    yield { rule: "pending", message, ...about };
  }
  // A replaced token matters only if it grants more than declared.
  yield* judge(words, about, expectedOf(token), live, awaits !== undefined, token.unknownMembers);
}

/** Findings for the differences between a live token and its expected values. */
export function* judge(
  words: string,
  about: Pick<Found, "token" | "declared">,
  expected: Expected,
  live: Token,
  grantsOnly: boolean,
  unknownMembers: readonly string[] = [],
): Generator<Found> {
  const { differences, uncompared } = compareWithLive(expected, live, grantsOnly ? grantFields : undefined);
  for (const [rule, more] of [
    ["hidden-expiry", "stay valid for longer"],
    ["hidden-capabilities", "grant more"],
  ] as const) {
    const fields = uncompared.filter((field) => (field === "expiresAt") === (rule === "hidden-expiry"));
    if (fields.length === 0) continue;
    const why = fields.some((field) => live.odd?.[field] !== undefined)
      ? "the service sent it in an unknown form"
      : unknownMembers.length > 0
        ? `its declaration has members that are not known: ${joinShortened(unknownMembers)}`
        : "encrypted in the state";
    const message = `${words} may ${more} than is declared: ${fields.join(", ")} cannot be compared: ${why}`;
    yield { rule, message, ...about, detail: rule === "hidden-expiry" ? live.expiresAt : grantsOf(live) };
  }
  const escalates = differences.some((difference) => difference.escalates);
  if (differences.length === 0 || (grantsOnly && !escalates)) return;
  const message = `${words} is not as declared: ${differences.map(describeDifference).join("; ")}`;
  yield { rule: escalates ? "escalated" : "changed", message, ...about, differences };
}

const day = 86_400_000;

/** The finding for a live token that was replaced, and whose deletion did not succeed. */
export function describeUndeleted(token: DeclaredToken, live: Token, now: Date): Found {
  const { words, about } = introduce(token);
  const age = token.since === undefined ? undefined : Math.floor((now.getTime() - Date.parse(token.since)) / day);
  const since = age === undefined ? "" : age < 1 ? " less than a day ago" : ` ${age} day${age === 1 ? "" : "s"} ago`;
  const message = `${words} was replaced${since}, and its deletion did not succeed: it is still valid. Run pulumi up`;
  return { rule: "orphaned", message, ...about, detail: grantsOf(live) };
}

/** The finding for a token that gave way to a replacement before its successor was created. */
export function describeInterrupted(token: DeclaredToken): Found {
  const { words, about } = introduce(token);
  return {
    rule: "pending",
    message: `${words} gave way to a replacement that did not finish: run pulumi up`,
    ...about,
  };
}

/** A token of a state in words, and as a finding names it. */
function introduce(token: DeclaredToken) {
  const name = nameOf(token);
  return {
    words: name === undefined ? "An API token" : `API token "${name}"`,
    about: { token: { id: token.id, ...defined({ name }) }, declared: token.declaration },
  };
}

/** The finding for a declared token that the service does not list. */
export function describeAbsent(token: DeclaredToken, { isHere }: Places, baseUrl: string): Found {
  const { words, about } = introduce(token);
  const message = `${words} is declared, but the service does not list it`;
  if (isHere(token)) return { rule: "missing", message, ...about };
  const advice = describeSettings(token);
  return {
    rule: "elsewhere",
    message: `${words} is declared, and nothing proves that it belongs to the audited account at ${baseUrl}: ${advice}`,
    ...about,
  };
}
