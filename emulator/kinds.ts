import { isObject, type JsonObject, type WireObject } from "./json";

/** What an object of each kind is kept as. A new kind starts here; the compiler then names every place that lacks it. */
export interface StoredKinds {
  readonly token: {
    /** What the interface shows of it. */
    readonly shown: WireObject;
    /** The SHA-256 of its secret, in hex. The secret itself is kept nowhere. */
    readonly secretHash: string;
  };
  readonly annotation: { readonly shown: WireObject };
}

export type Kind = keyof StoredKinds;
export type Stored<K extends Kind = Kind> = StoredKinds[K];

/** What an object is from now on; null: deleted. */
export type Change = {
  readonly [K in Kind]: { readonly kind: K; readonly id: string; readonly value: Stored<K> | null };
}[Kind];

interface KindFacts {
  /** What several of them are called, in paths and in the emulator's own interface. */
  readonly collection: string;
  /** Whether a journal's object has what this kind needs besides `shown`. */
  readonly isComplete: (stored: JsonObject) => boolean;
}

/** The one list of kinds: the store, the journal, the backdoors and the test routes are made from it. */
export const kinds = {
  token: { collection: "tokens", isComplete: ({ secretHash }) => typeof secretHash === "string" },
  annotation: { collection: "annotations", isComplete: () => true },
} as const satisfies Readonly<Record<Kind, KindFacts>>;

export const kindNames = Object.keys(kinds) as readonly Kind[];

export type Collection<K extends Kind = Kind> = (typeof kinds)[K]["collection"];

/** Whether a value of a journal is a change that this version can take over. */
export function isChange(change: unknown): change is Change {
  if (!isObject(change) || typeof change.id !== "string") return false;
  const kind = kindNames.find((name) => name === change.kind);
  if (!kind) return false;
  const { value } = change;
  if (value === null) return true;
  return isObject(value) && isObject(value.shown) && value.shown.id === change.id && kinds[kind].isComplete(value);
}
