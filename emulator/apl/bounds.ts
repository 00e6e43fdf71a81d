import type { Query } from "./ast";
import { placeOf, QueryError } from "./errors";

const maxLength = 100_000;
const maxTokens = 20_000;
const maxNesting = 60;
const maxOperators = 200;
/** The limit for nested nodes, terms of a sum and parts of an "or", because SQL nests them. */
const maxDepth = 1000;
const maxTerms = 100;
const maxConditions = 2000;

/**
 * Limits the cost of parsing before it starts. The parser reads each token once for each rule (because of its cache),
 * and recurses once for each bracket.
 * @throws QueryError
 */
export function checkText(text: string): void {
  if (text.length > maxLength) throw new QueryError("syntax", `the query is longer than ${maxLength} characters`);
  let depth = 0;
  let count = 0;
  for (const { 0: token, index } of text.matchAll(tokenPattern)) {
    count += 1;
    if (count > maxTokens)
      throw new QueryError("syntax", `the query has more than ${maxTokens} words and symbols`, placeOf(text, index));
    if (token === "(" || token === "[" || token === "{") depth += 1;
    else if (token === ")" || token === "]" || token === "}") depth = Math.max(0, depth - 1);
    if (depth > maxNesting)
      throw new QueryError("syntax", `brackets are nested more than ${maxNesting} levels deep`, placeOf(text, index));
  }
}

/** Comments, texts, words, numbers and single signs. An unterminated text extends to the end. */
const tokenPattern =
  /\/\/[^\n]*|@"[^"]*"?|@'[^']*'?|"(?:\\.|[^"\\\r\n])*"?|'(?:\\.|[^'\\\r\n])*'?|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gsu;

/**
 * The parser keeps chains of operators flat, but some of them become nested SQL.
 * @throws QueryError
 */
export function checkTree(query: Query, text: string): void {
  const open: { readonly node: unknown; readonly depth: number }[] = [{ node: query, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    if (typeof node !== "object" || node === null) continue;
    const { kind, rest, items, operators, at } = node as Record<string, unknown> & { at?: number };
    if (Array.isArray(operators) && operators.length > maxOperators) {
      const reason = `the query has ${operators.length} operators, more than ${maxOperators}`;
      throw new QueryError("syntax", reason);
    }
    const terms = kind === "arithmetic" && lengthOf(rest) >= maxTerms;
    const conditions = (kind === "logic" || kind === "set") && lengthOf(items) > maxConditions;
    if (terms || conditions || depth > maxDepth)
      throw new QueryError("syntax", "the expression is too long or nested too deeply", placeOf(text, at ?? 0));
    for (const inner of Object.values(node)) open.push({ node: inner, depth: depth + 1 });
  }
}

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
