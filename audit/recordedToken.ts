import { signatureKey } from "../framework/engineValues";
import { mark } from "../framework/incomplete";
import type { Bag } from "../framework/lifecycle";
import { secretRecord, unfold } from "../framework/record";
import { notKnown } from "../framework/unknown";
import { apiTokenDefinition, type TokenRecord } from "../provider/nouns/apiToken/definition";
import { type Evidence, readEvidence } from "../provider/shared/account/evidence";
import { isObject } from "../values/json";

/** The parts of a token that its state shows without decryption. No part of it is assumed to have the right type. */
export interface RecordedToken {
  readonly evidence: Evidence;
  readonly isLost: boolean;
  /** The declared values that differ from the service's values, by field. */
  readonly declared: Bag;
  /** The fields among these that changed after the create. */
  readonly drifted: readonly string[];
  /** Tokens that this one replaced, with their ends. */
  readonly replaced: readonly { readonly id: string; readonly isKept: boolean; readonly until: string | undefined }[];
  /** Whether a part of the record is encrypted, so that its values are not known. */
  readonly isHidden: boolean;
}

/** Reads evidence and record in a token's outputs, in which `notKnown` stands for encrypted values. */
export function readRecord(outputs: Bag): RecordedToken {
  const record = (isObject(outputs.record) ? outputs.record : {}) as { readonly [Key in keyof TokenRecord]?: unknown };
  const { declared, drifted, replaced } = record;
  return {
    evidence: readEvidence(unfold(apiTokenDefinition, outputs).evidence),
    isLost: outputs[mark] !== undefined,
    declared: isObject(declared) ? declared : {},
    drifted: listOf(drifted).filter((text) => typeof text === "string"),
    replaced: listOf(replaced).flatMap((one) =>
      isObject(one) && typeof one.id === "string" && one.id !== ""
        ? [{ id: one.id, isKept: one.ends === "later", until: typeof one.until === "string" ? one.until : undefined }]
        : [],
    ),
    isHidden: outputs[secretRecord] !== undefined || (outputs.record !== undefined && !isObject(outputs.record)),
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** All members except the secret and the stored provider, with `notKnown` for every encrypted part. */
export function withoutSecrets(properties: unknown): Bag {
  if (!isObject(properties)) return {};
  const { token: _, __provider, ...rest } = properties;
  return hideSecrets(rest) as Bag;
}

/** A copy in which every encrypted part is unknown. */
function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (!isObject(value)) return value;
  if (isMarked(value)) return notKnown;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hideSecrets(member)]));
}

/** Whether a value is not as it was declared: the engine encrypts it, or describes it as an asset. */
export const isMarked = (value: object): boolean => Object.hasOwn(value, signatureKey);
