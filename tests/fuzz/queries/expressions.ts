import fc from "fast-check";
import { scalarFunctions } from "../../../emulator/apl/functions";

/** Expressions as the grammar has them, of a type as often as not, over the fields of the tests' datasets. */

export const types = ["string", "long", "real", "bool", "datetime", "timespan", "dynamic"] as const;
export type Type = (typeof types)[number];

const leaves: Readonly<Record<Type, readonly string[]>> = {
  string: [
    "method",
    "user",
    "msg",
    "''",
    "'a b'",
    '"x"',
    "@'c:\\d'",
    "geo.city",
    "['user']",
    "nosuch",
    "null",
    "'[NaN, 1,]'",
    "'1e999'",
  ],
  long: [
    "status",
    "0",
    "1",
    "-1",
    "7",
    "9223372036854775807",
    "-9223372036854775808",
    "0x1F",
    "big",
    "id",
    "long(null)",
  ],
  real: ["dur", "0.0", "1.5", "-2e3", "1e308", "real(null)", "1e-9"],
  bool: ["ok", "true", "false", "bool(null)", "flag"],
  datetime: [
    "_time",
    "_sysTime",
    "now()",
    "datetime('2024-01-01T01:00:00Z')",
    "datetime('9999-12-31')",
    "datetime(null)",
  ],
  timespan: ["1h", "1w", "took", "0s", "7d", "1.5ms", "time('1.02:03:04')", "36500d", "timespan(null)"],
  dynamic: [
    "tags",
    "geo",
    "mix",
    "list",
    "box",
    "dynamic([1, 'a', null])",
    "dynamic({'a': [1]})",
    "dynamic([])",
    "odd",
  ],
};

/** Numbers that say how often or how long: a large one is another test's matter. */
const smallNumber = fc.constantFrom("0", "1", "2", "3", "-1", "10", "status");
/** Of these the pattern must be constant, and a hostile one is known to take long. */
const patterns = fc.constantFrom("'a'", "'(o)(r)?'", "'[a-c]+'", "'('", "'^.*$'", "'%d'", "''");

/** Functions whose results differ from run to run. */
const left = new Set(["rand", "ingestion_time"]);

const calls = [...scalarFunctions].filter(([name]) => !left.has(name));
/** The functions that may give a type. */
const callsOf = (type: Type) => calls.filter(([, { type: given }]) => typeof given === "function" || given === type);

const joinParts = (parts: readonly string[]) => parts.join(", ");

/** Expressions of each type, and `any`. */
export const expressions = fc.letrec<Readonly<Record<Type | "any" | "arguments", string>>>((tie) => {
  const of = (type: string) => tie((types as readonly string[]).includes(type) ? (type as Type) : "any");
  const call = (type: Type) =>
    fc.constantFrom(...callsOf(type)).chain(([name, { params, required, rest }]) => {
      const kinds = params.map((param) => {
        if (/regex|extract|parse_|trim|split|indexof|replace|format_/.test(name) && param !== "long")
          return fc.oneof(patterns, of(param));
        return param === "long" && /repeat|range|pad|array|series|split|strrep/.test(name) ? smallNumber : of(param);
      });
      const most = rest ? [...kinds, ...kinds.slice(-1)] : kinds;
      return fc
        .tuple(fc.integer({ min: required, max: Math.max(required, most.length) }), fc.tuple(...most))
        .map(([count, args]) => `${name}(${joinParts(args.slice(0, count))})`);
    });
  const binary = (type: Type, ...operators: readonly string[]) =>
    fc.tuple(of(type), fc.constantFrom(...operators), of(type)).map(([a, operator, b]) => `(${a} ${operator} ${b})`);
  const conditional = (type: Type) =>
    fc.tuple(tie("bool"), of(type), of(type)).map(([test, a, b]) => `iff(${test}, ${a}, ${b})`);
  const member = fc
    .tuple(tie("dynamic"), fc.constantFrom(".a", "[0]", "['a']", "[-1]", ".a.b", "[status]"))
    .map(([of, path]) => `${/^\w+$/.test(of) ? of : `(${of})`}${path}`);
  const grown = (type: Type, ...more: readonly fc.Arbitrary<string>[]) =>
    fc.oneof(
      { maxDepth: 2, depthSize: "small" },
      fc.constantFrom(...leaves[type]),
      call(type),
      conditional(type),
      ...more,
    );
  const texts = [
    "has",
    "contains",
    "!contains",
    "startswith",
    "endswith_cs",
    "has_cs",
    "=~",
    "!~",
    "hasprefix",
    "!has",
  ];
  return {
    string: grown("string", member),
    long: grown(
      "long",
      binary("long", "+", "-", "*", "/", "%"),
      tie("long").map((of) => `-(${of})`),
    ),
    real: grown("real", binary("real", "+", "-", "*", "/", "%")),
    bool: grown(
      "bool",
      binary("bool", "and", "or", "==", "!="),
      ...(["long", "real", "datetime", "timespan", "string"] as const).map((type) =>
        binary(type, "<", "<=", "==", "!=", ">", ">="),
      ),
      binary("string", ...texts),
      fc.tuple(tie("string"), patterns).map(([of, pattern]) => `(${of} matches regex ${pattern})`),
      fc
        .tuple(tie("any"), fc.constantFrom("in", "!in", "in~", "has_any", "has_all"), tie("arguments"))
        .map(([of, operator, items]) => `(${of} ${operator} (${items}))`),
      fc.tuple(tie("long"), tie("long"), tie("long")).map(([of, low, high]) => `(${of} between (${low} .. ${high}))`),
      tie("bool").map((of) => `not(${of})`),
    ),
    datetime: grown(
      "datetime",
      fc.tuple(tie("datetime"), tie("timespan")).map(([at, by]) => `(${at} - ${by})`),
    ),
    timespan: grown("timespan", binary("timespan", "+", "-"), binary("datetime", "-")),
    dynamic: grown(
      "dynamic",
      member,
      tie("arguments").map((items) => `pack_array(${items})`),
    ),
    any: fc.constantFrom(...types).chain((type) => tie(type)),
    arguments: fc.array(tie("any"), { minLength: 1, maxLength: 3 }).map(joinParts),
  };
});
