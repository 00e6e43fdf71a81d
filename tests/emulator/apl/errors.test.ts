import { expect, test } from "@jest/globals";
import { corpus } from "./corpus";
import { invalidFields, senseless, unparsable, unsupported } from "./corpus/errors";
import { language, refused } from "./language";
import { failure, shareDatasets } from "./support";

const open = shareDatasets();

test.each(unparsable)("%j does not parse at line %d, column %d", async (apl, line, column, part) => {
  const error = await failure(open.datasets.apl({ apl }));
  expect({ kind: error.kind, line: error.line, column: error.column }).toEqual({ kind: "syntax", line, column });
  expect(error.reason).toMatch(part);
  expect(error.message).toBe(`line ${line}, column ${column}: ${error.reason}`);
});

test.each(unsupported)("%j is named as not supported", async (apl, column, what) => {
  const error = await failure(open.datasets.apl({ apl }));
  expect(error).toMatchObject({
    kind: "unsupported",
    line: 1,
    column,
    reason: `${what} is not supported by the emulator`,
  });
});

test.each(invalidFields)("%j is refused, as it names the field %s at column %d", async (apl, name, column) => {
  const error = await failure(open.datasets.apl({ apl }));
  expect([error.kind, error.line, error.column, error.reason]).toEqual([
    "field",
    1,
    column,
    `invalid field: ${JSON.stringify(name)}`,
  ]);
});

test("a field that is known is null where an event lacks it, as are keys of maps and the service's own fields", async () => {
  expect(await open.column("logs | union odd | where isnull(id) | count")).toEqual([6]);
  expect(await open.column("logs | union odd | where isnotnull(big) | count")).toEqual([1]);
  expect(await open.column("odd | where isnotnull(box.nothing) or isnotnull(['box']['a']['nothing']) | count")).toEqual(
    [0],
  );
  expect(await open.column("logs | where isnotnull(geo['nothing']) | count")).toEqual([0]);
  expect(await open.column("logs | where isnull(_rowId) and isnull(_source) and isnotnull(_sysTime) | count")).toEqual([
    6,
  ]);
  expect(await open.column("logs | project-away nothing, noth* | project-reorder nothing | count")).toEqual([6]);
  await open.datasets.ingest("nulls", [{ a: null, b: { c: null } }]);
  expect(await open.rows("nulls | project a, b.c")).toEqual([[null, null]]);
  await open.datasets.ingest("nulls", [{ a: "x", b: { c: 5 } }]);
  expect(await open.rows("nulls | where isnotnull(a) | project a, b.c")).toEqual([["x", 5]]);
});

test.each(senseless)("%j is refused as %s at %s", async (apl, kind, place, part) => {
  const error = await failure(open.datasets.apl({ apl }));
  expect([error.kind, error.at ? `${error.line}:${error.column}` : ""]).toEqual([kind, place]);
  expect(error.reason).toMatch(part);
});

test("an aggregation of other dialects is refused with what takes its place", async () => {
  for (const name of ["any", "take_any", "anyif"])
    expect((await failure(open.datasets.apl({ apl: `logs | summarize ${name}(user) by method` }))).reason).toBe(
      `the function "${name}()" is not supported by the emulator: arg_max(_time, field) takes a field from the latest event`,
    );
});

test("a null is in no bin, whatever its size", async () => {
  expect(await open.rows("print bin(null, 1h), bin(null, 5)")).toEqual([[null, null]]);
});

test("a cancelled query says so, before and while it runs", async () => {
  expect((await failure(open.datasets.apl({ apl: "logs" }, { signal: AbortSignal.abort() }))).kind).toBe("cancelled");
  const controller = new AbortController();
  const apl =
    "print a = range(1, 3000) | mv-expand a | extend b = range(1, 3000) | mv-expand b | summarize dcount(a * b)";
  const work = failure(open.datasets.apl({ apl }, { signal: controller.signal }));
  setTimeout(() => controller.abort(), 100);
  expect((await work).kind).toBe("cancelled");
});

test("text of a query never becomes SQL", async () => {
  const evil = "x'); DROP TABLE d1; --";
  expect(
    await open.rows(`logs | where msg == "${evil}" | extend ['${evil.replaceAll("'", "\\'")}'] = 1 | count`),
  ).toEqual([[0]]);
  await open.datasets.ingest("we\"ird'; DROP TABLE d1; --", [{ "a\"b'c": 1, "": 2 }]);
  expect(await open.rows("['we\"ird\\'; DROP TABLE d1; --'] | project ['a\"b\\'c'], ['']")).toEqual([[1, 2]]);
  expect(await open.rows("logs | count")).toEqual([[6]]);
});

test("a name that every JavaScript object has is a field like any other", async () => {
  await open.datasets.ingest("proto", [JSON.parse('{"__proto__": 5, "constructor": 6, "toString": 7}')]);
  expect(await open.rows("proto | project ['__proto__'], constructor, toString")).toEqual([[5, 6, 7]]);
  expect((await failure(open.datasets.apl({ apl: "proto | summarize constructor(a)" }))).kind).toBe("unsupported");
});

const refusals = refused.flatMap(({ kind, names }) => names.map((name) => [kind, name] as const));

test.each(refusals)("of the %s, %s is refused by name", async (kind, name) => {
  expect(language[kind]).not.toContain(name);
  const queries: Record<string, string> = {
    aggregations: `logs | summarize ${name}(user)`,
    "scalar functions": `print ${name}('a')`,
    "tabular operators": name === "render" ? "logs | render timechart" : `${name} (a: string) ['x']`,
  };
  const error = await failure(open.datasets.apl({ apl: queries[kind] ?? "" }));
  expect({ kind: error.kind, reason: error.reason }).toEqual({
    kind: "unsupported",
    reason: expect.stringMatching(new RegExp(`"${name}(\\(\\))?" is not supported by the emulator$`)),
  });
});

test.each(Object.entries(language))("every one of the %s is tried by a query of these tests", (_, names) => {
  const text = corpus.join("\n");
  const untried = names.filter((name) => !new RegExp(`(?<![\\w-])${name}(if|_if)?(?![\\w-])`).test(text));
  expect(untried).toEqual([]);
});
