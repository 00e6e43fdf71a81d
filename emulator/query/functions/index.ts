import { arrayFunctions } from "./array.js";
import { binFunctions } from "./bin.js";
import { conversionFunctions } from "./conversion.js";
import { datetimeFunctions } from "./datetime.js";
import type { FunctionSpec } from "./define.js";
import { mathFunctions } from "./math.js";
import { stringFunctions } from "./string.js";

/** Every scalar function that a query may call. */
export const FUNCTIONS: ReadonlyMap<string, FunctionSpec> = new Map(
  [arrayFunctions, binFunctions, conversionFunctions, datetimeFunctions, mathFunctions, stringFunctions].flatMap(
    (table) => Object.entries(table),
  ),
);
