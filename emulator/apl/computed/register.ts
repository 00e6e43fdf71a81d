import type { DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api";
import { type ComputedFunction, type Param, sqlNameOf } from "./define";
import { computedFunctions, operatorFunctions } from "./index";

type Api = typeof import("@duckdb/node-api");

/** Registers the computed functions in the database, for all of its connections. */
export function registerComputed({ DuckDBScalarFunction, VARCHAR }: Api, connection: DuckDBConnection): void {
  for (const [name, spec] of Object.entries({ ...computedFunctions, ...operatorFunctions })) {
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name: sqlNameOf(name),
        returnType: VARCHAR,
        varArgsType: VARCHAR,
        specialHandling: true, // nulls arrive, too
        mainFunction(_, input, output) {
          const columns = Array.from({ length: input.columnCount }, (_, i) => input.getColumnVector(i));
          for (let row = 0; row < input.rowCount; row += 1) output.setItem(row, resultOf(spec, columns, row));
          output.flush();
        },
      }),
    );
  }
}

type Column = ReturnType<DuckDBDataChunk["getColumnVector"]>;

function resultOf(spec: ComputedFunction, columns: readonly Column[], row: number): string | null {
  const { params, required, type, run } = spec;
  const args = columns.map((column, i) => argumentOf(params[i], column.getItem(row)));
  if (args.slice(0, required).includes(undefined)) return null;
  const result = run(...args);
  if (result === undefined || result === null || Number.isNaN(result)) return null;
  return type === "dynamic" ? JSON.stringify(result) : String(result);
}

function argumentOf(param: Param | undefined, text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  switch (param) {
    case "string":
      return text;
    case "long":
    case "real":
      return Number(text);
    case "bool":
      return text === "true";
    default:
      return JSON.parse(text);
  }
}
