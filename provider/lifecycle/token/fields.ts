import type { TokenSpec } from "../../../sdk";
import { asCapabilities, asInstant, asText, type Canonical, keysOf } from "../compare";
import {
  duration,
  instant,
  members,
  nonEmptyText,
  nonEmptyTextList,
  object,
  oneOf,
  type Rule,
  scalars,
  text,
  textLists,
} from "../fields";
import type { Adopt, ApiTokenInputs, ApiTokenState } from "./model";
import type { Rotation } from "./rotation";
import { recipientsRule } from "./sealing";

/** How each field of a token is compared, wherever that is done. */
export const tokenComparisons = {
  name: asText,
  description: asText,
  expiresAt: asInstant,
  datasetCapabilities: asCapabilities,
  orgCapabilities: asCapabilities,
  viewCapabilities: asCapabilities,
} as const satisfies Record<keyof TokenSpec, Canonical>;

export type TokenField = keyof typeof tokenComparisons;

export const tokenFields = keysOf(tokenComparisons);

/** What each input must be, if it is there. */
export const tokenRules = {
  name: nonEmptyText,
  description: text,
  expiresAt: instant,
  datasetCapabilities: object,
  orgCapabilities: textLists,
  viewCapabilities: object,
  expiresIn: duration,
  rotation: members({ expireAfter: duration, rotateBefore: duration, triggers: scalars } satisfies Record<
    keyof Rotation,
    Rule
  >),
  retire: oneOf("revoke", "expire"),
  adopt: members({ id: nonEmptyText, name: nonEmptyText, token: nonEmptyText } satisfies Record<keyof Adopt, Rule>),
  sealFor: recipientsRule,
  autoName: nonEmptyText,
  resourceKey: nonEmptyText,
  secretInputs: nonEmptyTextList,
} as const satisfies Record<keyof ApiTokenInputs, Rule>;

/** All inputs of a token. */
export const tokenInputKeys = keysOf(tokenRules);

/** What is recorded beside the inputs, and an update in place carries over. */
const recordedBesides = {
  token: true,
  sealedToken: true,
  fingerprint: true,
  baseUrl: true,
  credentialHash: true,
  account: true,
  providerName: true,
  createdAt: true,
  resolvedExpiresAt: true,
  declaredExpiresAt: true,
  lost: true,
  provenBy: true,
  adopted: true,
  replaced: true,
  answered: true,
  answeredHashes: true,
} as const satisfies Record<Exclude<keyof ApiTokenState, keyof ApiTokenInputs>, true>;

/** `expiresAt` is not always an input: it can be counted from the creation. */
export const keptKeys = [...keysOf(recordedBesides), "expiresAt"] as const;
