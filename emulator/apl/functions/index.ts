import { computedFunctions } from "../computed";
import { arrayFunctions } from "./array";
import { binFunctions } from "./bin";
import { conversionFunctions } from "./conversion";
import { datetimeFunctions } from "./datetime";
import { computedFunction, type FunctionSpec, type Functions } from "./define";
import { mathFunctions } from "./math";
import { stringFunctions } from "./string";

const databaseFunctions: Functions = {
  ...arrayFunctions,
  ...binFunctions,
  ...conversionFunctions,
  ...datetimeFunctions,
  ...mathFunctions,
  ...stringFunctions,
};

/** Every scalar function that a query may call. */
export const scalarFunctions: ReadonlyMap<string, FunctionSpec> = new Map([
  ...Object.entries(databaseFunctions),
  ...Object.entries(computedFunctions).map(([name, spec]) => [name, computedFunction(name, spec)] as const),
]);
