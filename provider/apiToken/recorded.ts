import { keysOf } from "../../framework/compare";
import type { Bag } from "../../framework/lifecycle";
import { secretRecord } from "../../framework/record";
import { isObject } from "../../values/json";
import type { Sighting } from "../account/account";
import { sightingMembers } from "../strings";
import type { Origin, TokenRecord } from "./model";

/** The record of a token as a state shows it without decryption. Nothing in it is assumed to be of its type. */
export interface RecordedToken {
  readonly sighting: Sighting;
  readonly origin: Origin | undefined;
  /** By field, the declared values for which the service gave others. */
  readonly declared: Bag;
  /** Tokens that this one replaced. */
  readonly predecessors: readonly RecordedPredecessor[];
  /** A part of the record is encrypted: what it says about values is not known. */
  readonly isHidden: boolean;
}

/** A replaced token. The fields of `hidden` were secret, so that they are not there says nothing. */
export interface RecordedPredecessor {
  readonly id: string;
  readonly fate: unknown;
  readonly origin: unknown;
  readonly hidden: readonly string[];
  /** Its rights and its expiry. */
  readonly fields: Bag;
}

const origins = { created: true, adopted: true, lost: true, alleged: true } satisfies Record<Origin, true>;

const isOrigin = (value: unknown): value is Origin => typeof value === "string" && Object.hasOwn(origins, value);

/** Reads the record in a token's outputs, in which `notKnown` stands for encrypted values. */
export function readRecord(outputs: Bag): RecordedToken {
  const record = isObject(outputs.record) ? (outputs.record as Bag) : {};
  const { origin, declared, predecessors } = record satisfies { readonly [Key in keyof TokenRecord]?: unknown };
  const texts = keysOf(sightingMembers).filter((key) => typeof record[key] === "string" && record[key] !== "");
  return {
    sighting: Object.fromEntries(texts.map((key) => [key, record[key]])),
    origin: isOrigin(origin) ? origin : undefined,
    declared: isObject(declared) ? declared : {},
    predecessors: (Array.isArray(predecessors) ? predecessors : []).flatMap(readPredecessor),
    isHidden: outputs[secretRecord] !== undefined || (outputs.record !== undefined && !isObject(outputs.record)),
  };
}

function readPredecessor(value: unknown): RecordedPredecessor[] {
  if (!isObject(value) || typeof value.id !== "string" || value.id === "") return [];
  const { id, fate, origin, hidden, key: _, elsewhere: __, ...fields } = value as Bag;
  const names = Array.isArray(hidden) ? hidden.filter((name) => typeof name === "string") : [];
  return [{ id: id as string, fate, origin, hidden: names, fields }];
}
