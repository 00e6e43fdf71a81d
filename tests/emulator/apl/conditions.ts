import fc from "fast-check";
import type { LegacyFilter } from "../../../emulator/apl";

/** An event of random values, many of them null. */
export interface Event {
  readonly _time: string;
  readonly n: number | null;
  readonly s: string | null;
  readonly b: boolean | null;
}

/** One condition in three spellings. */
export interface Condition {
  readonly apl: string;
  readonly filter: LegacyFilter;
  readonly holds: (event: Event) => boolean;
}

export const START = Date.UTC(2024, 0, 1);
const WORDS = ["alpha", "Beta", "alpha beta", "gamma-7", "ALPHA", "", "it's"];

export const event: fc.Arbitrary<Event> = fc.record({
  _time: fc.integer({ min: 0, max: 6 * 3_600_000 - 1 }).map((ms) => new Date(START + ms).toISOString()),
  n: fc.option(
    fc.oneof(
      fc.integer({ min: -20, max: 20 }),
      fc.integer({ min: -40, max: 40 }).map((n) => n / 4),
    ),
  ),
  s: fc.option(fc.constantFrom(...WORDS)),
  b: fc.option(fc.boolean()),
});

const quote = (text: string) => `"${text}"`;

/** The comparisons by sign and by name. */
const comparisons: readonly (readonly [sign: string, name: string, holds: (a: number, b: number) => boolean])[] = [
  ["==", "eq", (a, b) => a === b],
  ["!=", "ne", (a, b) => a !== b],
  ["<", "lt", (a, b) => a < b],
  ["<=", "lte", (a, b) => a <= b],
  [">", "gt", (a, b) => a > b],
  [">=", "gte", (a, b) => a >= b],
];

const compared = fc.tuple(fc.constantFrom(...comparisons), fc.boolean(), fc.integer({ min: -20, max: 20 })).map(
  ([[sign, name, holds], byName, value]): Condition => ({
    apl: `n ${sign} ${value}`,
    filter: { op: byName ? name : sign, field: "n", value },
    holds: ({ n }) => (n === null ? sign === "!=" : holds(n, value)),
  }),
);

const TEXT_OPS: readonly (readonly [apl: string, legacy: string, holds: (text: string, word: string) => boolean])[] = [
  ["contains", "contains", (text, word) => text.includes(word)],
  ["startswith", "starts-with", (text, word) => text.startsWith(word)],
  ["endswith", "ends-with", (text, word) => text.endsWith(word)],
];

const textual = fc
  .tuple(
    fc.constantFrom(...TEXT_OPS),
    fc.constantFrom("a", "A", "beta", "alpha", "-7", "it's"),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([[apl, legacy, holds], word, negated, caseSensitive]): Condition => {
    const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
    return {
      apl: `s ${negated ? "!" : ""}${apl}${caseSensitive ? "_cs" : ""} ${quote(word)}`,
      filter: { op: `${negated ? "not-" : ""}${legacy}`, field: "s", value: word, caseSensitive },
      holds: ({ s }) => (s !== null && holds(fold(s), fold(word))) !== negated,
    };
  });

const equalText = fc
  .tuple(fc.constantFrom(...WORDS), fc.boolean(), fc.boolean())
  .map(([word, negated, caseSensitive]): Condition => {
    const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
    const op = caseSensitive ? (negated ? "!=" : "==") : negated ? "!~" : "=~";
    return {
      apl: `s ${op} ${quote(word)}`,
      filter: { op: negated ? "!=" : "==", field: "s", value: word, caseSensitive },
      holds: ({ s }) => (s !== null && fold(s) === fold(word)) !== negated,
    };
  });

const present = fc.tuple(fc.constantFrom("n", "s", "b", "absent"), fc.boolean()).map(
  ([field, exists]): Condition => ({
    apl: `${exists ? "isnotnull" : "isnull"}(${field})`,
    filter: { op: exists ? "exists" : "not-exists", field },
    holds: (row) => (((row as unknown as Record<string, unknown>)[field] ?? null) !== null) === exists,
  }),
);

const flag = fc.tuple(fc.boolean(), fc.boolean()).map(
  ([value, negated]): Condition => ({
    apl: `b ${negated ? "!=" : "=="} ${value}`,
    filter: { op: negated ? "ne" : "eq", field: "b", value },
    holds: ({ b }) => (b === value) !== negated,
  }),
);

export const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    compared,
    textual,
    equalText,
    present,
    flag,
    fc.tuple(fc.constantFrom("and", "or"), fc.array(tie("condition"), { minLength: 1, maxLength: 3 })).map(
      ([op, parts]): Condition => ({
        apl: `(${parts.map(({ apl }) => apl).join(` ${op} `)})`,
        filter: { op, children: parts.map(({ filter }) => filter) },
        holds: (row) => (op === "and" ? parts.every(({ holds }) => holds(row)) : parts.some(({ holds }) => holds(row))),
      }),
    ),
    tie("condition").map(
      (part): Condition => ({
        apl: `not(${part.apl})`,
        filter: { op: "not", children: [part.filter] },
        holds: (row) => !part.holds(row),
      }),
    ),
  ),
}));
