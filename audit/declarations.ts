import type { Token } from "../sdk";
import { defined } from "../values/defined";
import type { Place } from "./account";
import { compareWithLive, describeDifference, type Expected, grantFields } from "./differences";
import { expectedOf } from "./expected";
import { type Declaration, type Found, grantsOf } from "./findings";
import type { DeclaredToken, PendingCreate, StackState } from "./state";

/** A token that another one replaced, and that may still be valid. */
export interface RetiredToken {
  /** "unfinished": the update that was going to revoke it did not. "expires": it was meant to stay valid. */
  readonly fate: "unfinished" | "expires";
  /** Its expiry, as its successor recorded it. */
  readonly until: string | undefined;
  readonly successor: DeclaredToken;
}

/** A create that did not finish and whose name is known. */
export type NamedCreate = PendingCreate & { readonly name: string } & Pick<StackState, "update">;

/** The declarations of all stacks, with the indexes that an audit needs. */
export interface Declared {
  readonly tokens: readonly DeclaredToken[];
  /** Every token that a state tracks, also a replaced one: of several records of one token the most certain. */
  readonly ids: ReadonlyMap<string, DeclaredToken>;
  /** Tokens that a state recorded as replaced, and that no state tracks any more. */
  readonly retired: ReadonlyMap<string, RetiredToken>;
  /** Creates that did not finish, by the name of the token, without adoptions. */
  readonly pendingNames: ReadonlyMap<string, readonly NamedCreate[]>;
  /** Creates that did not finish and whose name is encrypted. */
  readonly pendingUnnamed: readonly PendingCreate[];
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
  const pendingNamed = new Map<string, NamedCreate>();
  const pendingUnnamed = new Map<string, PendingCreate>();
  const pendingAdoptions = new Map<string, Declaration>();
  const lookups = new Map<string, Declaration>();
  for (const [at, { tokens, pending, lookups: lookedUp, update }] of stacks.entries()) {
    for (const { id, declaration } of lookedUp) lookups.set(id, declaration);
    for (const token of tokens) {
      const known = ids.get(token.id);
      if (!known || certaintyOf(token) > certaintyOf(known)) ids.set(token.id, token);
    }
    for (const create of pending) {
      const { declaration, inputs, isAdoption } = create;
      const { name } = inputs;
      // A state can have a create several times. Stacks of two organizations can have the same URNs.
      const key = JSON.stringify([at, declaration.urn, name]);
      if (isAdoption) pendingAdoptions.set(key, declaration);
      else if (typeof name === "string") pendingNamed.set(key, { ...create, name, ...defined({ update }) });
      else pendingUnnamed.set(key, create);
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
  return {
    tokens: all.filter(({ awaits }) => awaits === undefined),
    ids,
    retired,
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
  (awaits === undefined ? 2 : 0) + (record.isLost ? 0 : 1);

/** Whether a live token gave way to a successor: it need not last, and may have the name of its successor. */
export const isReplaced = ({ ids, retired }: Declared, id: string): boolean =>
  retired.has(id) || ids.get(id)?.awaits !== undefined;

/** The findings for tokens that several resources have: one of them can revoke the token of the others. */
export function* findShared({ tokens }: Declared): Generator<Found> {
  for (const [id, group] of Map.groupBy(tokens, (token) => token.id)) {
    const [first, ...others] = group;
    if (!first || others.length === 0) continue;
    const urns = others.map(({ declaration: { stack, urn } }) => `${urn} (${stack})`).join(", ");
    const { words, about } = introduce(first);
    const message = `${words} (${id}) is also declared by ${urns}: each of these resources can revoke it`;
    yield { rule: "shared", message, ...about, detail: urns };
  }
}

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
  const doubt = `${words} may grant more than is declared:`;
  const isSecretExpiry = (field: string) => field === "expiresAt" && live.odd?.expiresAt === undefined;
  const fields = uncompared.filter((field) => !isSecretExpiry(field));
  if (fields.length > 0) {
    const message = `${doubt} ${fields.join(", ")} cannot be compared: ${why(fields)}`;
    yield { rule: "uncompared", message, ...about, detail: grantsOf(live) };
  }
  if (uncompared.some(isSecretExpiry)) {
    const message = `${doubt} expiresAt is encrypted in the state`;
    yield { rule: "secret-expiry", message, ...about, detail: live.expiresAt };
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
  return { rule: "undeleted", message, ...about, detail: grantsOf(live) };
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
        message: `${words} is declared, and neither it nor a token recorded beside it is in the audited account: it is of another one`,
        ...about,
      };
    case "unproven": {
      const message = `${notListed}, and nothing proves that it belongs to the audited account at ${baseUrl}`;
      return { rule: "unproven", message, ...about };
    }
  }
}
