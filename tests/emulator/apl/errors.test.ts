import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { failure, openTestDatasets } from "./support";

let open: Awaited<ReturnType<typeof openTestDatasets>>;
beforeAll(async () => {
  open = await openTestDatasets();
});
afterAll(() => open[Symbol.asyncDispose]());

test.each<readonly [apl: string, line: number, column: number, part: RegExp]>([
  ["", 1, 1, /expected .*a quoted name.*found the end of the query/],
  ["logs |", 1, 7, /expected an operator.*found the end of the query/],
  ["logs | where", 1, 13, /expected .*a name.*found the end of the query/],
  ["logs | where status ==", 1, 23, /found the end of the query/],
  ["logs | where (status == 1", 1, 26, /expected .*"\)"/],
  ["logs\n| where status = 200", 2, 16, /expected .*a comparison.*found "="/],
  ["logs | summarize count( by method", 1, 25, /found "by"/],
  ["logs | order status", 1, 14, /expected "by"/],
  ["logs | top 5 status", 1, 14, /expected .*"by".*found "status"/],
  ["logs | take", 1, 12, /found the end of the query/],
  ["logs | where msg == 'open", 1, 21, /found "'"/],
  ["logs where x == 1", 1, 6, /expected .*"\|".*found "where"/],
  ["logs | where x in 1", 1, 19, /expected "\(", found "1"/],
  ["logs | project a b", 1, 18, /found "b"/],
  ["let x = 1 logs", 1, 11, /expected .*";".*found "logs"/],
  [`logs | where ${"(".repeat(61)}1${")".repeat(61)} == 1`, 1, 74, /more than 60 brackets inside each other/],
  ["logs | where [1", 1, 14, /a quoted name.*found "\["/],
])("%j does not parse at line %d, column %d", async (apl, line, column, part) => {
  const error = await failure(open.datasets.apl({ apl }));
  expect({ kind: error.kind, line: error.line, column: error.column }).toEqual({ kind: "syntax", line, column });
  expect(error.reason).toMatch(part);
  expect(error.message).toBe(`line ${line}, column ${column}: ${error.reason}`);
});

test.each<readonly [apl: string, column: number, what: string]>([
  ["logs | join kind=inner (odd) on id", 8, 'the operator "join"'],
  ["logs | lookup odd on id", 8, 'the operator "lookup"'],
  ["logs | make-series count() on _time step 1h", 8, 'the operator "make-series"'],
  ["logs | parse-kv msg as (a: string)", 8, 'the operator "parse-kv"'],
  ["logs | project-reorder a", 8, 'the operator "project-reorder"'],
  ["logs | sample 0.5", 8, 'the operator "sample"'],
  ["logs | redact 'x'", 8, 'the operator "redact"'],
  ["logs | render timechart", 8, 'the operator "render"'],
  ["logs | where a == 1 | frobnicate b c d", 23, 'the operator "frobnicate"'],
  ["externaldata (a: string) ['x']", 1, 'the operator "externaldata"'],
  ["datatable (a: int) [1]", 1, 'the operator "datatable"'],
  ["set stricttypes; logs", 1, 'the option "stricttypes"'],
  ["logs | extend a = series_fft(b)", 19, 'the function "series_fft()"'],
  ["logs | summarize spotlight(a)", 18, 'the function "spotlight()"'],
  ["union kind=inner logs, odd", 1, "union kind=inner"],
  ["logs | mv-expand bagexpansion=none tags", 8, "mv-expand bagexpansion=none"],
  ["search kind=case_sensitive 'x'", 1, "search kind=case_sensitive"],
])("%j is named as not supported", async (apl, column, what) => {
  const error = await failure(open.datasets.apl({ apl }));
  expect(error).toMatchObject({
    kind: "unsupported",
    line: 1,
    column,
    reason: `${what} is not supported by the emulator`,
  });
});

test.each<readonly [apl: string, kind: string, place: string, part: RegExp]>([
  ["nope", "not-found", "1:1", /there is no dataset "nope"/],
  ["logs | union nope*", "not-found", "1:14", /there is no dataset "nope\*"/],
  [
    "logs | summarize n = count() by method | order by m",
    "semantic",
    "1:51",
    /no field "m" at this point; there are method, n/,
  ],
  ["logs | project status | where dur > 1", "semantic", "1:31", /no field "dur"/],
  ["logs | summarize dur", "semantic", "1:18", /"dur" must stand inside an aggregation/],
  ["logs | where count() > 1", "semantic", "1:14", /count\(\) is an aggregation/],
  ["logs | summarize avg(dur, 1, 2)", "semantic", "1:18", /avg\(\) takes 1 arguments, found 3/],
  ["logs | summarize percentile(dur, 101)", "semantic", "1:18", /a number between 0 and 100/],
  ["logs | summarize percentile(dur, user)", "semantic", "1:18", /as a number/],
  ["logs | summarize sum(max(dur))", "semantic", "1:22", /max\(\) is an aggregation/],
  ["logs | extend a = strlen()", "semantic", "1:19", /strlen\(\) takes 1 arguments, found 0/],
  ["logs | extend a = msg + 1", "semantic", "1:19", /string \+ long has no meaning/],
  ["logs | extend a = now() * 2", "semantic", "1:19", /datetime \* long has no meaning/],
  ["logs | take dur", "semantic", "1:13", /there is no "dur" here/],
  ["logs | take -1", "semantic", "1:13", /whole number/],
  ["logs | take 1.5", "semantic", "1:13", /whole number/],
  ["logs | where _time > datetime(someday)", "semantic", "1:22", /"someday" is not a time/],
  ["logs | extend a = bin(dur, 0)", "semantic", "1:19", /more than 0/],
  ["logs | extend a = bin(_time, 5)", "semantic", "1:19", /datetime cannot be put into bins of a long/],
  ["logs | project-rename a = zz", "semantic", "1:23", /no field "zz" to rename/],
  ["let a = b; let b = a; print a", "semantic", "1:20", /circle/],
  ["logs | parse msg with a b", "semantic", "1:8", /need a text between/],
])("%j is refused as %s at %s", async (apl, kind, place, part) => {
  const error = await failure(open.datasets.apl({ apl }));
  expect({ kind: error.kind, place: `${error.line}:${error.column}` }).toEqual({ kind, place });
  expect(error.reason).toMatch(part);
});

test("what the database refuses while it runs is a fault of the query, without SQL in the message", async () => {
  const error = await failure(open.datasets.apl({ apl: "logs | where msg matches regex '('" }));
  expect(error.kind).toBe("semantic");
  expect(error.message).toBe("the query cannot be run: Invalid Input Error: missing ): (");
});

test("a text too long to read is refused", async () => {
  const error = await failure(open.datasets.apl({ apl: "print strrep(strrep(strrep('a', 1024), 1024), 17)" }));
  expect(error.message).toBe("the query cannot be run: Invalid Input Error: a value has more than 16777216 bytes");
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

test("a name found in every object is a field like any other", async () => {
  await open.datasets.ingest("proto", [JSON.parse('{"__proto__": 5, "constructor": 6, "toString": 7}')]);
  expect(await open.rows("proto | project ['__proto__'], constructor, toString")).toEqual([[5, 6, 7]]);
  expect((await failure(open.datasets.apl({ apl: "proto | summarize constructor(a)" }))).kind).toBe("unsupported");
});
