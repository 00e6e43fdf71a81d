import { computedFunctions } from "../computed";
import { arrayFunctions } from "./array";
import { binFunctions } from "./bin";
import { conversionFunctions } from "./conversion";
import { datetimeFunctions } from "./datetime";
import { computed, type FunctionSpec } from "./define";
import { mathFunctions } from "./math";
import { stringFunctions } from "./string";

/** Every scalar function that a query may call. */
export const scalarFunctions: ReadonlyMap<string, FunctionSpec> = new Map([
  ...[arrayFunctions, binFunctions, conversionFunctions, datetimeFunctions, mathFunctions, stringFunctions].flatMap(
    (table) => Object.entries(table),
  ),
  ...Object.entries(computedFunctions).map(([name, spec]) => [name, computed(name, spec)] as const),
]);
