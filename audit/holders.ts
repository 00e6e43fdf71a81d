import { defined } from "../values/defined";
import { isObject } from "../values/json";
import type { DeclaredToken, OtherResource, PendingCreate, StackState } from "./declared";
import type { Declaration } from "./findings";

/** A token that another one replaced, and that may still be valid. */
export interface RetiredToken {
  /** "unfinished": the update that should have revoked it did not. "expires": it stays valid on purpose. */
  readonly fate: "unfinished" | "expires";
  /** Its expiry, as its successor recorded it. */
  readonly until: string | undefined;
  readonly successor: DeclaredToken;
}

/** A create that did not finish; its name is undefined if it is encrypted. */
export type UnfinishedCreate = PendingCreate & { readonly name: string | undefined } & Pick<StackState, "update">;

/** Everything that stacks have recorded, with indexes to find out who has a token. */
export interface Recorded {
  /** Every record of a token, replaced tokens included: several stacks can have the same token. */
  readonly all: readonly DeclaredToken[];
  /** The same by id. If a token has several records, the most certain one is first. */
  readonly ids: ReadonlyMap<string, readonly DeclaredToken[]>;
  /** Tokens that a state recorded as replaced, and that no state tracks any more. */
  readonly retired: ReadonlyMap<string, RetiredToken>;
  /** Creates that did not finish, without adoptions. */
  readonly pending: readonly UnfinishedCreate[];
  /** The same by the name of the token; undefined for an encrypted name. */
  readonly pendingNames: ReadonlyMap<string | undefined, readonly UnfinishedCreate[]>;
  readonly adoptions: readonly UnfinishedCreate[];
  /** Where a program looks up a token, by the token's id. */
  readonly lookups: ReadonlyMap<string, Declaration>;
  /** Resources of other types, by their ids: a resource with the id of a live token manages that token. */
  readonly others: ReadonlyMap<string, readonly OtherResource[]>;
}

/** Merges the states, one for each stack. */
export function mergeStacks(stacks: readonly StackState[]): Recorded {
  const all = stacks.flatMap(({ tokens, others }) => [...tokens, ...others.flatMap(({ token }) => token ?? [])]);
  const ids = Map.groupBy(
    all.toSorted((a, b) => certaintyOf(b) - certaintyOf(a)),
    ({ id }) => id,
  );
  const unfinished = new Map<string, UnfinishedCreate>();
  for (const [at, { pending, update }] of stacks.entries())
    for (const create of pending) {
      const name = typeof create.inputs.name === "string" ? create.inputs.name : undefined;
      // A state can have a create several times. Stacks of two organizations can have the same URNs.
      const key = JSON.stringify([at, create.declaration.urn, name, create.isAdoption]);
      unfinished.set(key, { ...create, name, ...defined({ update }) });
    }
  const pending = [...unfinished.values()].filter(({ isAdoption }) => !isAdoption);
  return {
    all,
    ids,
    retired: retiredBy(
      all.filter(({ record }) => record.replaced.length > 0),
      ids,
    ),
    pending,
    pendingNames: Map.groupBy(pending, ({ name }) => name),
    adoptions: [...unfinished.values()].filter(({ isAdoption }) => isAdoption),
    lookups: new Map(stacks.flatMap(({ lookups }) => lookups.map(({ id, declaration }) => [id, declaration]))),
    others: Map.groupBy(
      stacks.flatMap(({ others }) => others),
      ({ id }) => id,
    ),
  };
}

/** How certainly a record tracks its token, compared with other records of the same id. */
const certaintyOf = ({ awaits, record }: DeclaredToken): number =>
  (awaits === undefined ? 2 : 0) + (record.isLost ? 0 : 1);

function retiredBy(successors: readonly DeclaredToken[], ids: Recorded["ids"]): Recorded["retired"] {
  const retired = new Map<string, RetiredToken>();
  for (const successor of successors)
    for (const { id, isKept, until } of successor.record.replaced) {
      if (ids.has(id)) continue;
      // The provider cannot see that the engine will retain a token.
      const one: RetiredToken = { fate: isKept || successor.isRetained ? "expires" : "unfinished", until, successor };
      // Of several records, one by which it should not be valid any more counts.
      if (!retired.has(id) || (retired.get(id)?.fate === "expires" && one.fate !== "expires")) retired.set(id, one);
    }
  return retired;
}

/** Whether a live token was replaced by a successor: it may end soon, and may have the name of its successor. */
export const isReplaced = ({ ids, retired }: Recorded, id: string): boolean =>
  retired.has(id) || ids.get(id)?.[0]?.awaits !== undefined;

/** Whether a resource only borrows its token (`adopt`): it neither changes nor revokes it. */
export const isBorrowed = ({ inputs }: DeclaredToken): boolean => (inputs.adopt ?? undefined) !== undefined;

/** A program that has, had or uses a token. */
export interface Tie {
  /** "owned": a resource declares it, so nobody else may revoke or adopt it. "replaced": another token took its place. */
  readonly is: "owned" | "replaced" | "used";
  readonly words: string;
  /** The step to take in the owner's program instead. */
  readonly advice?: string;
}

const remove = "remove it from its program instead";

/** Every program that is known to have a token, whatever tool runs it: owners first. */
export function* tiesOf(id: string, { ids, others, retired, lookups, adoptions }: Recorded): Generator<Tie> {
  for (const { declaration, type } of others.get(id) ?? [])
    yield { is: "owned", words: `declared by ${placeOf(declaration)}, of type ${type}`, advice: remove };
  for (const one of ids.get(id) ?? []) if (one.unknownMembers === undefined) yield tieTo(one);
  const old = retired.get(id);
  if (old) {
    const rest =
      old.fate === "unfinished" ? `its deletion is pending: ${mayHaveIt}` : "its program keeps it until it expires";
    yield {
      is: "replaced",
      words: `replaced by ${old.successor.id} (${placeOf(old.successor.declaration)}), and ${rest}`,
    };
  }
  const lookup = lookups.get(id);
  if (lookup) yield { is: "used", words: `it is looked up by a program: ${placeOf(lookup)}` };
  for (const { declaration } of adoptions.filter(({ inputs }) => mayAdopt(inputs.adopt, id)))
    yield { is: "used", words: `an adoption of it did not finish: ${placeOf(declaration)}` };
}

function tieTo(token: DeclaredToken): Tie {
  const place = placeOf(token.declaration);
  switch (token.awaits) {
    case "deletion":
      return { is: "replaced", words: `its deletion is pending (${place}): ${mayHaveIt}` };
    case "successor":
      return { is: "owned", words: `its replacement did not finish (${place})`, advice: "run pulumi up first" };
    default:
      return { is: "owned", words: `${isBorrowed(token) ? "borrowed" : "declared"} by ${place}`, advice: remove };
  }
}

const mayHaveIt = "a consumer whose update failed may still have it";

const placeOf = ({ urn, source }: Declaration): string => `${urn}, in ${source}`;

/** Whether an adoption is, or can be, that of a token: its id can be encrypted. */
const mayAdopt = (adopt: unknown, id: string): boolean =>
  !isObject(adopt) || typeof adopt.id !== "string" || adopt.id === id;
