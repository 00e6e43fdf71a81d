import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { inspect } from "node:util";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { openDatasets } from "../../../emulator/apl";
import { failure, LOGS, NOW, shareDatasets } from "./support";

const shared = shareDatasets({ logs: LOGS });

const file = async (name: string, content: string | Buffer) => {
  const target = path.join(shared.dir, name);
  await writeFile(target, content);
  return target;
};

const NDJSON = LOGS.map((row) => JSON.stringify(row)).join("\n");
const CSV = `_time,method,status,dur,note
2024-01-01T00:00:00Z,GET,200,1.5,"a, b"
2024-01-01T01:00:00+01:00,POST,500,2,
,PUT,404,3,2024-05-05
`;

describe("files", () => {
  test.each<readonly [string, () => string | Buffer]>([
    ["events.ndjson", () => NDJSON],
    ["events.json", () => JSON.stringify(LOGS)],
    ["pretty.json", () => JSON.stringify(LOGS, null, 2)],
    ["events.ndjson.gz", () => gzipSync(NDJSON)],
    ["array-without-extension", () => JSON.stringify(LOGS)],
    ["pretty.ndjson", () => LOGS.map((row) => JSON.stringify(row, null, 2)).join("\n")],
    ["it's a 'name'.ndjson", () => NDJSON],
  ])("%s holds the events that were written to it", async (name, content) => {
    expect(await shared.datasets.load(name, await file(name, content()))).toEqual({ rows: 6 });
    const rowsOf = (dataset: string) =>
      shared.rows(
        `['${dataset.replaceAll("'", "\\'")}'] | order by _time asc | project-reorder * asc | project-away _sysTime`,
      );
    expect(await rowsOf(name)).toEqual(await rowsOf("logs"));
  });

  test("CSV has numbers, texts and nulls; dates in it are text, and a row without a time gets the time of the load", async () => {
    await shared.datasets.load("csv", await file("events.csv", CSV));
    expect(await shared.rows("csv | order by dur asc | project _time, method, status, dur, note")).toEqual([
      ["2024-01-01T00:00:00Z", "GET", 200, 1.5, "a, b"],
      ["2024-01-01T00:00:00Z", "POST", 500, 2, null],
      [NOW.toISOString().replace(".000", ""), "PUT", 404, 3, "2024-05-05"],
    ]);
  });

  test("values that JSON lacks become null, also inside of lists and objects", async () => {
    const event = '{"n": NaN, "list": [NaN, "NaN, ]", -Infinity, {"a": inf, "\\"nan": 1}, ]}';
    await shared.datasets.load("json", await file("odd.ndjson", event));
    expect(await shared.rows("json | project n, list")).toEqual([
      [null, [null, "NaN, ]", null, { a: null, '"nan': 1 }]],
    ]);
  });

  test("the time may be in a field of another name, as text or as seconds, milliseconds, micro- or nanoseconds", async () => {
    const at = ["2024-01-01T02:00:00+02:00", 1_704_067_200, 1_704_067_200_000, 1_704_067_200_000_000, 1.7040672e18];
    const rows = at.map((ts, i) => JSON.stringify({ ts, i })).join("\n");
    await shared.datasets.load("times", await file("ts.ndjson", rows), { timeField: "ts" });
    expect(await shared.column("times | distinct _time")).toEqual(["2024-01-01T00:00:00Z"]);
    expect(await shared.column("times | getschema | project ColumnName")).toEqual(["_time", "_sysTime", "i"]);
    await shared.datasets.load("both", await file("ts.csv", "ts,i,_time\n1704067200,1,x\n"), { timeField: "ts" });
    expect(await shared.column("both | project _time, i")).toEqual(["2024-01-01T00:00:00Z", 1]);
  });

  test.each<readonly [string, string | Buffer, string]>([
    ["broken.ndjson", '{"a": 1}\n\n{"secret": \n', "line 3: not valid JSON"],
    ["array.json", '[{"a": 1},\n{"a": secret}]', "line 2: not valid JSON"],
    ["cut.json", '[{"a": 1},\n{"a": 2}\n', "line 3: the list is not closed"],
    ["commas.ndjson", '{"a": 1},\n{"a": 2}', "line 1: not valid JSON"],
    ["closed.ndjson", '{"a": 1}\n}\n', "line 2: not valid JSON"],
    ["scalars.json", "[1, 2]", "line 1: the event must be a JSON object"],
    ["large.ndjson", '{"n": 1}\n{"n": 1e999}', "line 2: the event cannot be stored: a number is too large"],
    ["times.ndjson", '{"a": 1}\n\n{"_time": "secret"}\n{"_time": 1e300}', "line 3: _time is not a valid timestamp"],
    ["latin1.ndjson", Buffer.from('{"a": 1}\n{"a": "secret\xe9"}\n', "latin1"), "line 2: not valid UTF-8"],
    ["quotedTimes.csv", '_time,a\n2026-01-01,"1\n2"\nsecret,1\n', "line 4: _time is not a valid timestamp"],
    ["year.csv", "_time,a\n0000-01-01,1\n", "line 2: _time is not a valid timestamp"],
    ["short.csv", "a,b\n1,2\nsecret\n5,6\n", "line 3: expected 2 values, found 1"],
    ["long.csv.gz", gzipSync("a,b\n1,2\n3,4,secret\n"), "line 3: expected 2 values, found 3"],
    ["semicolons.csv", "a;b\n1;2\n3,4\n", "line 3: expected 2 values, found 1"],
    ["open.csv", 'a,b\n1,"secret\n3,4\n', "line 2: a quote is not closed"],
    ["quotes.csv", 'a,b\n1,"secret"x\n', "line 2: there is text after a closing quote"],
    ["latin1.csv", Buffer.from("a,b\n1,2\nsecret\xe9,2\n", "latin1"), "line 3: not valid UTF-8"],
    ["empty.csv", "", "line 1: it must contain the names of the columns"],
    ["unnamed.csv", "a,,b\n1,2,3\n", "line 1: column 2 has no name"],
    ["binary.csv", "\u0000\u0001", "line 1: column 1 has a name with unprintable characters"],
  ])("%s is refused as a whole, with its name and its line, and without its text", async (name, content, message) => {
    const good = await file("good.ndjson", '{"x": 1}\n');
    const bad = await file(name, content);
    const error = await failure(shared.datasets.load(name, [good, bad]));
    expect(error).toMatchObject({ kind: "data", message: `cannot load ${bad}: ${message}` });
    expect(inspect(error, { depth: 9 })).not.toContain("secret");
    expect(shared.datasets.names()).not.toContain(name);
    expect(await shared.datasets.load(name, good)).toEqual({ rows: 1 });
  });

  test("the line of names of CSV decides alone about the columns and the delimiter", async () => {
    const rows = async (name: string, content: string | Buffer) => {
      await shared.datasets.load(name, await file(name, content));
      return shared.rows(`['${name}'] | project-away _time, _sysTime`);
    };
    expect(await rows("tabs.tsv", "a\tb,c\n1\t2\n")).toEqual([[1, 2]]);
    expect(await rows("pipes.csv", '"x|y"|b\n1|2\n')).toEqual([[1, 2]]);
    expect(await rows("mark.csv", "\ufeffa,b\r\n1,2\r\n")).toEqual([[1, 2]]);
    expect(await rows("one.csv", "a\n1;2\n3,4\n".replace("3,4", '"3,4"'))).toEqual([["3,4"], ["1;2"]]);
    expect(await rows("codes.csv", "zip,yes,n\n00501,true,1\n90210,FALSE,1.5\n")).toEqual([
      ["90210", false, 1.5],
      ["00501", true, 1],
    ]);
    expect(await rows("one.csv.zst", zstdCompressSync("a,b\n7,8\n"))).toEqual([[7, 8]]);
  });
});

test.each(["\n", "\r\n", "\r"])(
  "rows of CSV with quotes are read across the pieces of a file, lines end with %j",
  async (end) => {
    // Each row takes two lines, and the file some hundred thousand bytes.
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i},"a ""quoted""${end}text, ${i}"`);
    const text = ["i,text", ...rows].join(end);
    const name = `pieces${end.charCodeAt(0)}${end.length}`;
    expect(await shared.datasets.load(name, await file(`${name}.csv`, text))).toEqual({ rows: rows.length });
    const wrong = `${name} | where text != strcat('a "quoted"', ${JSON.stringify(end)}, 'text, ', tostring(i))`;
    expect(await shared.column(`${wrong} | count`)).toEqual([0]);
    expect(await shared.column(`${name} | summarize sum(i)`)).toEqual([199_990_000]);
    const bad = await file(`${name}.bad.csv`, `${text}${end}1,"secret`);
    const message = `cannot load ${bad}: line 40002: a quote is not closed`;
    expect(await failure(shared.datasets.load(name, bad))).toMatchObject({ kind: "data", message });
  },
);

test("a quote that is not closed ends the reading of a large file early", async () => {
  const bad = await file("endless.csv", `a,b\n1,"secret\n${"3,4\n".repeat(5_000_000)}`);
  const message = `cannot load ${bad}: line 2: the row is too long: is a quote not closed?`;
  expect(await failure(shared.datasets.load("endless", bad))).toMatchObject({ kind: "data", message });
});

test("a relative folder works, and one that another process has open is named", async () => {
  const relative = path.relative(process.cwd(), path.join(shared.dir, "relative"));
  const datasets = await openDatasets({ dir: relative });
  expect(await datasets.load("a", await file("relative.ndjson", NDJSON))).toEqual({ rows: 6 });
  const engine = path.resolve("emulator/dist/apl");
  const script = `require(${JSON.stringify(engine)}).openDatasets({ dir: ${JSON.stringify(relative)} }).catch((e) => console.log(e.name, e.message));`;
  expect(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })).toMatch(
    /^QueryError cannot open the datasets in \/.*: .*lock/,
  );
  await datasets.close();
});

test("events of more than one block, and of a large file, are each stored once and in order, during other reads", async () => {
  // One block and some more, in a file of more than a thread reads at once.
  const rows = 130_000;
  const lines = Array.from({ length: rows }, (_, i) => `{"i": ${i}, "text": "of a large file"}\n`);
  const durations = "logs | order by dur asc | project dur";
  const [loaded, logs] = await Promise.all([
    file("manyRows.ndjson", lines.join("")).then((name) => shared.datasets.load("manyRows", name)),
    shared.column(durations),
  ]);
  expect([loaded, logs]).toEqual([{ rows }, [5, 7.5, 10, 15, 20.5, 100]]);
  const [{ status }, sums, last, small] = await Promise.all([
    shared.datasets.apl({ apl: "manyRows | count" }),
    shared.column("manyRows | summarize count(), sum(i), max(i), dcount(text)"),
    shared.column("manyRows | project i | take 3"),
    shared.column(durations),
  ]);
  expect(status).toMatchObject({ blocksExamined: 2, rowsExamined: rows });
  expect(sums).toEqual([rows, (rows * (rows - 1)) / 2, rows - 1, 1]);
  expect([last, small]).toEqual([[rows - 1, rows - 2, rows - 3], logs]);
});
