import { asCapabilities, asInstant, asText, type Canonical, keysOf } from "../../framework/compare";
import { LiveFields } from "../../framework/drift";
import {
  duration,
  hintRules,
  instant,
  members,
  nonEmptyText,
  object,
  oneOf,
  type Rule,
  ruleOf,
  scalars,
  text,
  textLists,
} from "../../framework/rules";
import type { TokenSpec } from "../../sdk";
import type { Adopt, ApiTokenInputs } from "./model";
import type { Rotation } from "./rotation";
import { recipientsRule } from "./sealing";

export const tokenComparisons = {
  name: asText,
  description: asText,
  expiresAt: asInstant,
  datasetCapabilities: asCapabilities,
  orgCapabilities: asCapabilities,
  viewCapabilities: asCapabilities,
} as const satisfies Record<keyof TokenSpec, Canonical>;

export type TokenField = keyof typeof tokenComparisons;

export const liveToken = new LiveFields<TokenSpec>(tokenComparisons);
export const comparedFields: readonly TokenField[] = liveToken.keys;

export const tokenRules = {
  name: nonEmptyText,
  description: text,
  expiresAt: instant,
  datasetCapabilities: object,
  orgCapabilities: textLists,
  viewCapabilities: object,
  expiresIn: duration,
  rotation: members({
    rotateBefore: duration,
    overlap: duration,
    triggers: scalars,
  } satisfies Record<keyof Rotation, Rule>),
  retire: oneOf("revoke", "expire"),
  adopt: members({ id: nonEmptyText, name: nonEmptyText, token: nonEmptyText } satisfies Record<keyof Adopt, Rule>),
  sealFor: recipientsRule,
  chosenName: ruleOf("is added by the provider", (value) => value === true),
  ...hintRules,
} as const satisfies Record<keyof ApiTokenInputs, Rule>;

export const tokenInputKeys: readonly (keyof typeof tokenRules)[] = keysOf(tokenRules);
