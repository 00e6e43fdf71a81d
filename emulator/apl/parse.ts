import type { Query, Statement } from "./ast";
import { checkText, checkTree } from "./bounds";
import { placeOf, QueryError } from "./errors";
import { SyntaxError as ParserError, parse as parseWithGrammar } from "./generated/parser";
import { nodesOf } from "./walk";

/** The supported operators. For any other operator, the error message names that operator. */
export const knownOperators: ReadonlySet<string> = new Set(
  (
    "where filter extend project project-away project-keep project-rename summarize count distinct order sort top " +
    "take limit mv-expand union parse parse-where search getschema join lookup make-series project-reorder " +
    "extend-valid sample parse-kv redact"
  ).split(" "),
);

const shownExpectations = 12;
const hiddenExpectations = new Set(["space", "class", "any", "the end of a word"]);

/** Parses a query. Throws a QueryError with the place and the expected tokens. */
export function parse(text: string): Query {
  checkText(text);
  try {
    const query = parseWithGrammar(text, grammarOptions(text)) as Query;
    checkTree(query, text);
    return bindTables(query);
  } catch (e) {
    throw e instanceof ParserError ? explainSyntax(e as unknown as GrammarError, text) : e;
  }
}

/** The functions that the grammar needs from the parser's caller. */
export const grammarOptions = (text: string) => ({
  operators: knownOperators,
  unsupported(what: string, offset: number): never {
    throw new QueryError("unsupported", `${what} is not supported by the emulator`, placeOf(text, offset));
  },
});

/** `let a = b` binds a scalar or a table; it is a table if the query reads from `a`. */
function bindTables(query: Query): Query {
  const read = new Set([...nodesOf(query, "dataset")].flatMap(({ name, quoted }) => (quoted ? [] : name)));
  const statements = query.statements.map((statement): Statement => {
    if (statement.kind !== "let") return statement;
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

function explainSyntax(error: GrammarError, text: string): QueryError {
  const { offset } = error.location.start;
  const expected = [...(error.expected ?? [])].sort((a, b) => b.type.localeCompare(a.type));
  const names = expected.map(({ type, text, description }) =>
    type === "literal" ? JSON.stringify(text) : type === "end" ? "the end of the query" : (description ?? type),
  );
  const known = [...new Set(names)].filter((name) => !hiddenExpectations.has(name));
  const shown = known.slice(0, shownExpectations).join(", ");
  const rest = known.length > shownExpectations ? ", …" : "";
  const word = /^[\w-]+|^./su.exec(text.slice(offset))?.[0];
  const found = word === undefined ? "the end of the query" : JSON.stringify(word);
  const isEquality = found === '"="' && known.includes("a comparison");
  const hint = isEquality ? '; did you mean "=="?' : "";
  return new QueryError(
    "syntax",
    `expected ${shown || "something else"}${rest}, found ${found}${hint}`,
    placeOf(text, offset),
  );
}
