import type { ComputedFunctions } from "./define";
import { listFunctions } from "./lists";
import { networkFunctions } from "./network";
import { seriesFunctions } from "./series";
import { spectrumFunctions } from "./spectrum";
import { operatorFunctions, textFunctions } from "./text";
import { urlFunctions } from "./url";

export { operatorFunctions };

/** Every function that is computed here instead of in the database. */
export const computedFunctions: ComputedFunctions = {
  ...listFunctions,
  ...networkFunctions,
  ...seriesFunctions,
  ...spectrumFunctions,
  ...textFunctions,
  ...urlFunctions,
};
