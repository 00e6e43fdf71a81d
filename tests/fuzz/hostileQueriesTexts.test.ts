import { expect, test } from "@jest/globals";
import { isQueryError } from "../../emulator/apl";
import { scalarFunctions } from "../../emulator/apl/functions";
import { aggregates } from "../../emulator/apl/plan/aggregate";
import { noPlan } from "../../emulator/apl/runFailure";
import { openTestDatasets } from "../emulator/apl/support";
import { openForTests } from "../support/suite";
import { firstSeed, type Random, randomOf, runsOf } from "./random";

/** Texts that end a text or a name, or mean something in SQL, in a pattern or in a replacement of JavaScript. */
const pieces = [
  ..."' '' $' $` $& $$ $1 $<a> \\' \\ \\0 %) % \" \"\" ] [' -- /* */ ; ) ( , || { } a A 1 é 2024-01-01 1h true = : / ?".split(
    " ",
  ),
  ...[" ", "\n", "\0", "$' || (SELECT string_agg(c0) FROM d2) || $'", "') || (SELECT c0 FROM d2) || ('"],
  ...["'; DROP TABLE d2; --", '"; COMMIT; DELETE FROM d2; --', "x1", "d2", "\u001f", "💥"],
];

const textOf = (random: Random, most = 5) =>
  Array.from({ length: 1 + Math.floor(random.next() * most) }, () => random.pick(pieces)).join("");

const secret = "only-for-others";
const rowCount = 200;
const width = 4;

interface Row {
  readonly id: number;
  readonly texts: readonly string[];
}

const random = randomOf(firstSeed());
const rows: readonly Row[] = Array.from({ length: rowCount }, (_, id) => ({
  id,
  texts: Array.from({ length: width }, () => textOf(random)),
}));
const names = [...new Set(Array.from({ length: 60 }, () => textOf(random)))].slice(0, 40);

const open = openForTests(() => {
  const events = rows.map(({ id, texts }) => ({ id, ...Object.fromEntries(texts.map((text, i) => [`s${i}`, text])) }));
  const named = Object.fromEntries(names.map((name, i) => [name, i]));
  const own = Object.fromEntries(names.slice(0, 5).map((name) => [`of ${name}`, [{ name }]]));
  return openTestDatasets({ texts: events, secrets: [{ s: secret }], named: [named], ...own });
});

type Outcome = { readonly values: unknown } | { readonly refused: string; readonly hasPlace: boolean };

const mayRead = (dataset: string) => dataset !== "secrets";

/** The result of a query, or its refusal. A plan that is not valid SQL, or reads other datasets, fails the test. */
async function run(apl: string, variables = {}): Promise<Outcome> {
  try {
    const { tables } = await open.datasets.apl({ apl, variables }, { format: "tabular", mayRead });
    const values = tables.map(({ fields, columns }) => [fields.map(({ name }) => name), columns]);
    if (JSON.stringify(values).includes(secret)) throw new Error("the result has an event of another dataset");
    return { values };
  } catch (failure) {
    if (!isQueryError(failure)) throw new Error(`seed ${firstSeed()}: ${apl}`, { cause: failure });
    const { reason, kind, cause, at } = failure;
    const isBroken = reason.includes(noPlan) || kind === "forbidden";
    if (isBroken) throw new Error(`seed ${firstSeed()}: ${apl}: ${reason}`, { cause });
    return { refused: reason, hasPlace: at !== undefined };
  }
}

/** An argument for a parameter of a type. `#0` stands for a text. */
const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  string: ["#0", "#1", "#2", "strcat(#0, #3)"],
  any: ["#0", "#1", "parse_json(#2)", "todatetime(#3)", "1"],
  dynamic: ["pack_array(#0, #1)", "bag_pack(#0, #1, #2, 1)", "parse_json(#3)", "split(#0, #1)"],
  datetime: ["todatetime(#0)", "datetime_add('day', tolong(#1), todatetime(#2))", "datetime(2024-01-05)"],
  timespan: ["totimespan(#0)", "1h"],
  long: ["tolong(#0)", "1", "2"],
  real: ["toreal(#1)", "1.5"],
  bool: ["tobool(#2)", "#0 == #1"],
};

const units = "'year' 'week' 'day' 'millisecond' 'microsecond' 'nanosecond' 'dayofyear' 'week_of_year'".split(" ");
/** Functions that need constants, and random ones. */
const constants: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  datetime_add: { 0: units },
  datetime_diff: { 0: units },
  datetime_part: { 0: units },
  extract: { 1: ["0", "1"] },
  // The groups of a constant pattern decide the form of the result.
  extract_all: { 0: ["'a'", "'(.)'"] },
};
const functionNames = [...scalarFunctions.keys()].filter((name) => name !== "rand");

function callOf(name: string): string {
  const spec = scalarFunctions.get(name);
  if (!spec) return "";
  const most = spec.rest ? spec.params.length + 2 : spec.params.length;
  const count = spec.required + Math.floor(random.next() * (most - spec.required + 1));
  const args = Array.from({ length: count }, (_, i) => {
    const param = spec.params[Math.min(i, spec.params.length - 1)] ?? "any";
    return random.pick(constants[name]?.[i] ?? argumentsOf[param] ?? ["#0"]);
  });
  return `${name}(${args.join(", ")})`;
}

const textOperators = "== != =~ !~ < <= > >= contains !contains startswith endswith has hasprefix hassuffix";
const conditions = [
  ...[...textOperators.split(" "), "contains_cs", "has_cs", "matches regex"].map((op) => `#0 ${op} #1`),
  ..."in !in in~ has_any has_any_cs has_all".split(" ").map((op) => `#0 ${op} (#1, #2)`),
  ...["s0 == #0", "#0 between (#1 .. #2)", "bag_pack(#0, #1)[#0] == #1", "bag_pack('a', #0).a == #0"],
];

const templates: readonly (() => string)[] = [
  ...functionNames.map((name) => () => `extend x = ${callOf(name)} | project x`),
  ...conditions.map((condition) => () => `extend x = ${condition} | project x`),
  ...conditions.map((condition) => () => `where ${condition} | count`),
  // `presence` has the names of its arguments in its result.
  ...Object.keys(aggregates)
    .filter((name) => name !== "presence")
    .flatMap((name) => {
      const rest = /topk|histogram|percentile/.test(name) ? ", 2" : name.startsWith("arg") ? ", #1" : "";
      return [() => `summarize x = ${name}(#0${rest})`, () => `summarize x = ${name}(tostring(#2)${rest}) by k = #1`];
    }),
  ...["arg_max(#0, x = #1)", "countif(#0 == #1)", "dcountif(#0, #1 has #2)"].map(
    (call) => () => `summarize y = ${call}`,
  ),
  () => "order by strcat(#0, s1) asc, #1 desc | project s0",
  () => "mv-expand x = pack_array(#0, #1) | project x",
  () => "parse #0 with x | parse-kv strcat('k=', #1) as (k: string) | project x, k",
  () => "extend k = #0 | join kind=inner (['texts'] | project j = s1) on $left.k == $right.j | count",
  () => "make-series n = countif(s0 == #0) on _time step 1d by k = #1 | project n, k",
];

const fill = (template: string, id: number, text: (place: number) => string) =>
  `['texts'] | where id == ${id} | ${template.replaceAll(/#(\d)/g, (_, place) => text(Number(place)))}`;

test("a text of a query means the same as that text from a field, in every function and operator", async () => {
  const runs = runsOf(600);
  const counts = { same: 0, refused: 0 };
  for (let n = 0; n < runs; n += 1) {
    const template = (templates[n % templates.length] as () => string)();
    const { id, texts } = random.pick(rows);
    const constant = fill(template, id, (place) => JSON.stringify(texts[place]));
    const [written, stored] = [await run(constant), await run(fill(template, id, (place) => `s${place}`))];
    if ("values" in written && "values" in stored) {
      counts.same += 1;
      expect({ seed: firstSeed(), constant, ...written }).toEqual({ seed: firstSeed(), constant, ...stored });
    } else counts.refused += 1;
  }
  expect(await open.rows("secrets | count")).toEqual([[1]]);
  expect(counts.same).toBeGreaterThan(runs / 2);
});

/** `@0` stands for a name, `#0` for a text. */
const namings: readonly string[] = [
  "['texts'] | where id == 3 | extend @0 = s0, @1 = s1 | project @1, @0, x = strcat(@0, @1)",
  "['texts'] | where id < 3 | project @0 = id, @1 = s0 | project-rename @2 = @0 | project-away @1 | order by @2 asc",
  "['texts'] | where id < 9 | summarize @0 = count(), @1 = make_set(s0) by @2 = id % 2 | order by @2 asc | project @2, @0",
  "['texts'] | where id < 9 | extend @0 = s0 | distinct @0 | top 2 by @0 asc",
  "['texts'] | where id == 3 | mv-expand @0 = pack_array(s0, s1) | extend @1 = @0 | project @1",
  "['texts'] | where id == 3 | extend @0 = strcat(#0, '=', s1) | parse @0 with #0 '=' @1 | project @1",
  "['texts'] | where id == 3 | extend @0 = 'a=1' | parse-kv @0 as (a: long) with (quote=#0) | project a",
  "['texts'] | where id == 3 | make-series @0 = count() on _time step 1d by @1 = s0 | project @1, @0",
  "['texts'] | where id == 3 | join kind=inner (['texts'] | project @0 = id, @1 = s1) on $left.id == $right.@0 | project @1",
  "['texts'] | where id == 3 | lookup (['texts'] | project @0 = id, @1 = s1) on $left.id == $right.@0 | project @1",
  "['texts'] | where id == 3 | union withsource=@0 (['texts'] | where id == 4) | summarize n = count() by @0 | project n",
  "datatable (@0: string, @1: long) [#0, 1, #1, 2] | where @1 == 2 | project @0",
  "range @0 from 1 to 3 step 1 | summarize @1 = sum(@0)",
  "print @0 = #0, @1 = #1 | extend @2 = strcat(@0, @1)",
  "['texts'] | where id == 3 | extend @0 = 5 | extend y = column_ifexists(@0, 0) | project y",
  "['texts'] | where id < 5 | summarize @0 = arg_max(id, @1 = s0, s1) | count",
  "['texts'] | where id == 3 | extend @0 = s0 | redact replaceToken=#0 'nothing-has-this' on @0 | project @0",
  "['texts'] | where id < 9 | search #0 | count",
  "['texts'] | where id < 9 | extend @0 = s1 | search @0: #0 | count",
  "['texts'] | where id < 9 | extend @0 = s1 | project-keep @0, id | project-reorder @0, id | take 3 | count",
  "let x = dynamic([#0, {#1: 1}]); print x[0], x[1][#1]",
];

test("a name of a query is only a name, whatever it holds", async () => {
  const runs = runsOf(120);
  for (let n = 0; n < runs; n += 1) {
    const naming = namings[n % namings.length] ?? "";
    const texts = Array.from({ length: 2 }, () => JSON.stringify(textOf(random)));
    const hostile = Array.from({ length: 3 }, (_, i) => `${textOf(random)}name${i}`);
    const use = (all: readonly string[]) =>
      naming
        .replaceAll(/#(\d)/g, (_, place) => texts[Number(place)] ?? "")
        .replaceAll(/@(\d)/g, (_, place) => `[${JSON.stringify(all[Number(place)])}]`);
    const plain = ["plain0", "plain1", "plain2"];
    const [found, wanted] = [await run(use(hostile)), await run(use(plain))];
    const rename = (json: string) =>
      hostile.reduce((text, name, i) => text.replaceAll(JSON.stringify(name), () => `"plain${i}"`), json);
    expect({ apl: use(hostile), result: rename(JSON.stringify(found)) }).toEqual({
      apl: use(hostile),
      result: JSON.stringify(wanted),
    });
  }
});

test("names of datasets and fields, variables and structured queries are only what they are", async () => {
  for (const [i, name] of names.entries()) {
    const field = `[${JSON.stringify(name)}]`;
    expect(
      await run(`['named'] | where ${field} == ${i} | summarize x = max(${field}) by ${field} | project x`),
    ).toEqual({
      values: [[["x"], [[i]]]],
    });
    const declared = await run("declare query_parameters (p: string); print x = p, y = q", { p: name, q: name });
    expect(declared).toEqual({
      values: [
        [
          ["x", "y"],
          [[name], [name]],
        ],
      ],
    });
    const filter = { op: "==", field: "s0", value: rows[i]?.texts[0], caseSensitive: true };
    const aggregations = [{ op: "count", alias: name }];
    const { buckets } = await open.datasets.legacy("texts", { filter, aggregations }, { mayRead });
    const same = rows.filter(({ texts }) => texts[0] === rows[i]?.texts[0]).length;
    expect(buckets.totals[0]?.aggregations).toEqual([{ op: name, value: same }]);
  }
  for (const name of names.slice(0, 5))
    expect(await run(`[${JSON.stringify(`of ${name}`)}] | project name`)).toEqual({ values: [[["name"], [[name]]]] });
  expect(await open.rows("secrets | count")).toEqual([[1]]);
});
