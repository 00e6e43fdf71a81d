import type { ScalarType } from "../ast";
import { defined } from "../defined";
import type { Connection } from "../duckdb";
import { QueryError } from "../errors";
import { pointerTo, quote } from "../sql";
import { cast, unify } from "../types";
import { fieldName } from "./event";
import { type Incoming, type IncomingField, maxFields } from "./source";

type Structure = string | readonly unknown[] | { readonly [key: string]: Structure };

interface Leaf {
  readonly pointer: string;
  readonly name: string;
  readonly type: ScalarType;
}

const fieldTypes: Readonly<Record<string, ScalarType>> = {
  VARCHAR: "string",
  BOOLEAN: "bool",
  UBIGINT: "long",
  BIGINT: "long",
  HUGEINT: "long",
  DOUBLE: "real",
};

/**
 * Rows that are JSON objects, in a relation with one column `json`. Objects inside them become fields with a dotted
 * name, as in the service; lists, and fields of more than one type, are kept as they are (dynamic).
 */
export async function jsonRows(connection: Connection, relation: string): Promise<Incoming> {
  // Distinct structures, merged here: the database's aggregate would keep every row's structure in memory.
  const structures = await connection.values(`SELECT DISTINCT json_structure(json) FROM ${relation}`);
  if (structures.length === 0) return { from: `${relation} WHERE false`, fields: [] };
  const structure = structures.map(([text]): Structure => JSON.parse(String(text))).reduce(mergeStructures);
  const leaves = flatten(structure as Readonly<Record<string, Structure>>);
  if (leaves.length > maxFields) throw new QueryError("data", `the rows have more than ${maxFields} fields`);
  const long = await findOverflows(connection, relation, leaves);
  const pointers = leaves.map(({ pointer }) => quote(pointer)).join(", ");
  const from = `(SELECT json_extract(json, [${pointers}]::VARCHAR[]) AS v FROM ${relation})`;
  const fields = new Map<string, IncomingField>();
  let instant: string | undefined;
  for (const [i, leaf] of leaves.entries()) {
    const value = `v[${i + 1}]`;
    if (leaf.name === "_time") instant = `apl_time(${value} ->> '$')`;
    if (leaf.name === "_time") continue;
    const type = long.has(i) ? "real" : leaf.type;
    const name = fieldName(leaf.name);
    fields.set(name, merge(fields.get(name), { name, type, sql: read(value, type) }));
  }
  return { from, fields: [...fields.values()], ...defined({ instant }) };
}

/** Two paths can mean the same field: `{"a.b": 1}` and `{"a": {"b": 1}}`. */
function merge(known: IncomingField | undefined, field: IncomingField): IncomingField {
  if (!known) return field;
  const type = unify(known.type, field.type);
  return { name: field.name, type, sql: `coalesce(${cast(known, type)}, ${cast(field, type)})` };
}

const isObject = (structure: Structure | undefined): structure is Readonly<Record<string, Structure>> =>
  typeof structure === "object" && !Array.isArray(structure);

/** The common type: an object with the fields of both, or else a type for the values of both. */
function mergeStructures(a: Structure, b: Structure): Structure {
  if (isObject(a) && isObject(b)) {
    const merged = new Map(Object.entries(a));
    for (const [key, inner] of Object.entries(b)) {
      const known = merged.get(key);
      merged.set(key, known === undefined ? inner : mergeStructures(known, inner));
    }
    return Object.fromEntries(merged);
  }
  if (a === "NULL" || a === b) return b;
  if (b === "NULL") return a;
  const types = typeof a === "string" && typeof b === "string" ? [fieldTypes[a], fieldTypes[b]] : [];
  const numeric = types.length === 2 && types.every((type) => type === "long" || type === "real");
  return numeric ? (types.includes("real") ? "DOUBLE" : "BIGINT") : "JSON";
}

function flatten(structure: Readonly<Record<string, Structure>>, pointer = "", prefix = ""): Leaf[] {
  return Object.entries(structure).flatMap(([key, inner]): Leaf[] => {
    const at = pointer + pointerTo(key);
    const name = prefix + key;
    // A field that is null in every event is known, too.
    if (inner === "NULL") return [{ pointer: at, name, type: "null" }];
    if (typeof inner === "string") return [{ pointer: at, name, type: fieldTypes[inner] ?? "dynamic" }];
    return isObject(inner) && Object.keys(inner).length > 0
      ? flatten(inner, at, `${name}.`)
      : [{ pointer: at, name, type: "dynamic" }];
  });
}

/** The integer fields with a number of more than 64 bits; they become reals. */
async function findOverflows(connection: Connection, relation: string, leaves: readonly Leaf[]): Promise<Set<number>> {
  const candidates = [...leaves.entries()].filter(([, { type }]) => type === "long");
  if (candidates.length === 0) return new Set();
  const pointers = candidates.map(([, { pointer }]) => quote(pointer)).join(", ");
  const checks = candidates.map(
    (_, n) => `bool_or(length(v[${n + 1}]) > 18 AND TRY_CAST(v[${n + 1}] AS BIGINT) IS NULL)`,
  );
  const [row] = await connection.values(
    `SELECT ${checks.join(", ")} FROM (SELECT json_extract(json, [${pointers}]::VARCHAR[]) AS v FROM ${relation})`,
  );
  return new Set(candidates.filter((_, n) => row?.[n] === true).map(([i]) => i));
}

function read(value: string, type: ScalarType): string {
  if (type === "null") return "NULL";
  if (type === "string") return `(${value} ->> '$')`;
  if (type === "dynamic") return `apl_json(${value})`;
  return `CAST(${value} AS ${type === "long" ? "BIGINT" : type === "real" ? "DOUBLE" : "BOOLEAN"})`;
}
