import { asCapabilities, asInstant, asText } from "../compare";

/** How each field of a token is compared, wherever that is done. */
export const tokenComparisons = {
  name: asText,
  description: asText,
  expiresAt: asInstant,
  datasetCapabilities: asCapabilities,
  orgCapabilities: asCapabilities,
  viewCapabilities: asCapabilities,
} as const;

export type TokenField = keyof typeof tokenComparisons;

export const tokenFields = Object.keys(tokenComparisons) as TokenField[];
