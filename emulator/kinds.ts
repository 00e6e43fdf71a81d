import { isObject, type JsonObject, type WireObject } from "./json";

export const kinds = ["token", "annotation"] as const;

export type Kind = (typeof kinds)[number];

export interface Stored {
  /** The object as the interface shows it. */
  readonly shown: WireObject;
  /** The SHA-256 of a token's secret, in hex. The secret itself is not stored. */
  readonly secretHash?: string;
}

export interface Change {
  readonly kind: Kind;
  readonly id: string;
  /** Null: deleted. */
  readonly value: Stored | null;
}

/** Whether a value from a journal is a change that this version supports. */
export function isChange(change: unknown): change is Change {
  if (!isObject(change) || typeof change.id !== "string" || !kinds.some((kind) => kind === change.kind)) return false;
  const { value } = change;
  return value === null || (isObject(value) && isStored(value, change));
}

const isStored = ({ shown, secretHash }: JsonObject, { kind, id }: JsonObject): boolean =>
  isObject(shown) && shown.id === id && (kind !== "token" || typeof secretHash === "string");
