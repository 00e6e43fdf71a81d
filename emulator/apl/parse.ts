import type { Let, Query } from "./ast";
import { placeOf, QueryError } from "./errors";
import { SyntaxError as ParserError, parse as parseWithGrammar } from "./generated/parser";
import { nodesOf } from "./plan/mentions";

/** The operators the planner knows; any other is named as unsupported. */
const OPERATORS = new Set(
  (
    "where filter extend project project-away project-keep project-rename summarize count distinct order sort top " +
    "take limit mv-expand union parse parse-where search getschema"
  ).split(" "),
);

const MAX_LENGTH = 100_000;
const MAX_NESTING = 60;
const MAX_OPERATORS = 200;
/** Of a tree's nodes inside each other, of the terms of a sum, and of the parts of an "or": what SQL can nest. */
const MAX_DEPTH = 1000;
const MAX_TERMS = 100;
const MAX_CONDITIONS = 2000;
const SHOWN_EXPECTATIONS = 12;
const HIDDEN = new Set(["space", "class", "any", "the end of a word"]);

/** Parses a query. Throws a QueryError that says where it went wrong and what could have stood there. */
export function parse(text: string): Query {
  if (text.length > MAX_LENGTH) throw new QueryError("syntax", `the query is longer than ${MAX_LENGTH} characters`);
  checkNesting(text);
  try {
    const query = parseWithGrammar(text, {
      operators: OPERATORS,
      unsupported(what: string, offset: number): never {
        throw new QueryError("unsupported", `${what} is not supported by the emulator`, placeOf(text, offset));
      },
    }) as Query;
    const length = query.body.operators.length;
    if (length > MAX_OPERATORS)
      throw new QueryError("syntax", `the query has ${length} operators, more than ${MAX_OPERATORS}`);
    checkSize(query, text);
    return withTables(query);
  } catch (e) {
    throw e instanceof ParserError ? explain(e as unknown as GrammarError, text) : e;
  }
}

/** Chains are flat when parsed, but some of them nest in SQL. */
function checkSize(query: Query, text: string) {
  const open: { readonly node: unknown; readonly depth: number }[] = [{ node: query, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    if (typeof node !== "object" || node === null) continue;
    const { kind, rest, items, at } = node as { kind?: string; rest?: unknown[]; items?: unknown[]; at?: number };
    const terms = kind === "arithmetic" && (rest?.length ?? 0) >= MAX_TERMS;
    const conditions = (kind === "logic" || kind === "set") && (items?.length ?? 0) > MAX_CONDITIONS;
    if (terms || conditions || depth > MAX_DEPTH) {
      throw new QueryError("syntax", "the expression is too long or too deep", placeOf(text, at ?? 0));
    }
    for (const inner of Object.values(node)) open.push({ node: inner, depth: depth + 1 });
  }
}

/** `let a = b` binds a scalar or a table; it is a table if the query reads from `a`. */
function withTables(query: Query): Query {
  const read = new Set([...nodesOf(query, "dataset")].map(({ name }) => name));
  const statements = query.statements.map((statement): Let => {
    const { name, value } = statement;
    if (value.kind !== "scalar" || value.value.kind !== "name" || !read.has(name)) return statement;
    const source = { kind: "dataset", name: value.value.name, quoted: false, at: value.value.at } as const;
    return { ...statement, value: { kind: "tabular", body: { source, operators: [] } } };
  });
  return { ...query, statements };
}

interface GrammarError {
  readonly message: string;
  readonly expected: readonly { type: string; text?: string; description?: string }[] | null;
  readonly found: string | null;
  readonly location: { readonly start: { readonly offset: number } };
}

function explain(error: GrammarError, text: string): QueryError {
  const { offset } = error.location.start;
  const expected = [...(error.expected ?? [])].sort((a, b) => b.type.localeCompare(a.type));
  const names = expected.map(({ type, text, description }) =>
    type === "literal" ? JSON.stringify(text) : type === "end" ? "the end of the query" : (description ?? type),
  );
  const known = [...new Set(names)].filter((name) => !HIDDEN.has(name));
  const shown = known.slice(0, SHOWN_EXPECTATIONS).join(", ");
  const rest = known.length > SHOWN_EXPECTATIONS ? ", …" : "";
  const word = /^[\w-]+|^./su.exec(text.slice(offset))?.[0];
  const found = word === undefined ? "the end of the query" : JSON.stringify(word);
  return new QueryError(
    "syntax",
    `expected ${shown || "something else"}${rest}, found ${found}`,
    placeOf(text, offset),
  );
}

/** The parser recurses once a bracket: bounding brackets bounds the stack. */
function checkNesting(text: string) {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === "(" || token === "[" || token === "{") depth += 1;
    else if (token === ")" || token === "]" || token === "}") depth = Math.max(0, depth - 1);
    if (depth > MAX_NESTING) {
      throw new QueryError("syntax", `more than ${MAX_NESTING} brackets inside each other`, placeOf(text, index));
    }
  }
}

const TOKENS = /\/\/[^\n]*|@"[^"]*"?|@'[^']*'?|"(?:\\.|[^"\\\r\n])*"?|'(?:\\.|[^'\\\r\n])*'?|[()[\]{}]/gs;
