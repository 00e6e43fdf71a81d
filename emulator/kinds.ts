import { randomBytes } from "node:crypto";
import { isObject, type JsonObject, type WireObject } from "./json";

/** The stored form of each kind. Start a new kind here; the compiler then names every place that lacks it. */
export interface StoredKinds {
  readonly token: {
    /** The token as the interface shows it. */
    readonly shown: WireObject;
    /** The SHA-256 of its secret, in hex. The secret itself is not stored. */
    readonly secretHash: string;
  };
  readonly annotation: { readonly shown: WireObject };
}

export type Kind = keyof StoredKinds;
export type Stored<K extends Kind = Kind> = StoredKinds[K];

/** The new value of an object; null: deleted. */
export type Change = {
  readonly [K in Kind]: { readonly kind: K; readonly id: string; readonly value: Stored<K> | null };
}[Kind];

interface KindFacts<K extends Kind> {
  /** The plural, in paths and in the emulator's own interface. */
  readonly collection: string;
  /** Whether an object from a journal has the members that this kind needs besides `shown`. */
  readonly isComplete: (stored: JsonObject) => boolean;
  /** Builds the stored form of an object that a test adds without a request. */
  readonly seed: (shown: WireObject) => Stored<K>;
  /** A second key, besides the id. */
  readonly key?: (stored: Stored<K>) => string;
}

/** The one list of kinds: the store, the journal, the backdoors and the test routes are made from it. */
export const kinds = {
  token: {
    collection: "tokens",
    isComplete: ({ secretHash }) => typeof secretHash === "string",
    seed: (shown) => ({ shown, secretHash: randomBytes(32).toString("hex") }), // of a secret that nobody has
    key: ({ secretHash }) => secretHash,
  },
  annotation: { collection: "annotations", isComplete: () => true, seed: (shown) => ({ shown }) },
} as const satisfies { readonly [K in Kind]: KindFacts<K> };

/** The facts of a generic kind; the compiler cannot relate it to its entry above. */
export const factsOf = <K extends Kind>(kind: K): KindFacts<K> => kinds[kind] as unknown as KindFacts<K>;

export const kindNames = Object.keys(kinds) as readonly Kind[];

export type Collection<K extends Kind = Kind> = (typeof kinds)[K]["collection"];

/** Whether a value from a journal is a change that this version supports. */
export function isChange(change: unknown): change is Change {
  if (!isObject(change) || typeof change.id !== "string") return false;
  const kind = kindNames.find((name) => name === change.kind);
  if (!kind) return false;
  const { value } = change;
  if (value === null) return true;
  return isObject(value) && isObject(value.shown) && value.shown.id === change.id && kinds[kind].isComplete(value);
}
