import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { openDatasets } from "../../../emulator/apl";
import { failure, LOGS, NOW, openTestDatasets, runScript } from "./support";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "query-load-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const file = async (name: string, content: string | Buffer) => {
  const target = path.join(dir, name);
  await writeFile(target, content);
  return target;
};

const NDJSON = LOGS.map((row) => JSON.stringify(row)).join("\n");
const CSV = `_time,method,status,dur,note
2024-01-01T00:00:00Z,GET,200,1.5,"a, b"
2024-01-01T01:00:00+01:00,POST,500,2,
,PUT,404,3,2024-05-05
`;

/** Parquet is written by the database itself, in a process of its own that may write files. */
function writeParquet(target: string) {
  const sql = `COPY (SELECT TIMESTAMP '2024-01-01 00:00:00' AS _time, 1::TINYINT AS n, 1.5::DECIMAL(9, 2) AS d, 'x' AS s,
    {'city': 'Oslo', 'at': {'lat': 59.9}} AS geo, [1, 2] AS list, MAP {'k': 'v'} AS map, DATE '2024-02-01' AS day, true AS ok,
    TIMESTAMPTZ '2024-01-01 02:00:00+02' AS tz) TO '${target}'`;
  const script = `const { DuckDBInstance } = require("@duckdb/node-api");
    DuckDBInstance.create().then((i) => i.connect()).then((c) => c.run(${JSON.stringify(sql)}));`;
  execFileSync(process.execPath, ["-e", script], { cwd: process.cwd() });
}

describe("files", () => {
  test.each<readonly [string, () => string | Buffer]>([
    ["events.ndjson", () => NDJSON],
    ["events.jsonl", () => `${NDJSON}\n`],
    ["events.json", () => JSON.stringify(LOGS)],
    ["pretty.json", () => JSON.stringify(LOGS, null, 2)],
    ["events.ndjson.gz", () => gzipSync(NDJSON)],
    ["no-extension", () => NDJSON],
    ["array-without-extension", () => JSON.stringify(LOGS)],
    ["it's a 'name'.ndjson", () => NDJSON],
  ])("%s holds the events that were written to it", async (name, content) => {
    await using open = await openTestDatasets({});
    expect(await open.datasets.load("a", await file(name, content()))).toEqual({ rows: 6 });
    const [loaded, ingested] = await Promise.all(
      ["a", "logs"].map(async (dataset) => {
        if (dataset === "logs") await open.datasets.ingest("logs", LOGS);
        return open.rows(
          `['${dataset}'] | order by _time asc | project _time, method, status, dur, user, msg, ok, tags, geo.city, mix`,
        );
      }),
    );
    expect(loaded).toEqual(ingested);
  });

  test("CSV has numbers, texts and nulls; dates in it are text, and a row without a time gets the time of the load", async () => {
    await using open = await openTestDatasets({});
    await open.datasets.load("a", await file("events.csv", CSV));
    expect(await open.rows("a | order by dur asc | project _time, method, status, dur, note")).toEqual([
      ["2024-01-01T00:00:00Z", "GET", 200, 1.5, "a, b"],
      ["2024-01-01T00:00:00Z", "POST", 500, 2, null],
      [NOW.toISOString().replace(".000", ""), "PUT", 404, 3, "2024-05-05"],
    ]);
  });

  test("Parquet keeps its types; structures become fields, lists and maps stay whole", async () => {
    await using open = await openTestDatasets({});
    const target = path.join(dir, "events.parquet");
    writeParquet(target);
    expect(await open.datasets.load("a", target)).toEqual({ rows: 1 });
    expect(await open.rows("a | project _time, n, d, s, geo.city, geo.at.lat, list, map, day, ok, tz")).toEqual([
      [
        "2024-01-01T00:00:00Z",
        1,
        1.5,
        "x",
        "Oslo",
        59.9,
        [1, 2],
        { k: "v" },
        "2024-02-01T00:00:00Z",
        true,
        "2024-01-01T00:00:00Z",
      ],
    ]);
  });

  test("the time may be in a field of another name, as text or as seconds, milliseconds, micro- or nanoseconds", async () => {
    await using open = await openTestDatasets({});
    const at = ["2024-01-01T02:00:00+02:00", 1_704_067_200, 1_704_067_200_000, 1_704_067_200_000_000, 1.7040672e18];
    const rows = at.map((ts, i) => JSON.stringify({ ts, i })).join("\n");
    await open.datasets.load("a", await file("ts.ndjson", rows), { timeField: "ts" });
    expect(await open.rows("a | distinct _time")).toEqual([["2024-01-01T00:00:00Z"]]);
    expect(await open.rows("a | getschema | project ColumnName")).toEqual([["_time"], ["_sysTime"], ["i"]]);
    await open.datasets.load("c", await file("ts.csv", "ts,i\n1704067200,1\n"), { timeField: "ts" });
    expect(await open.rows("c | project _time, i")).toEqual([["2024-01-01T00:00:00Z", 1]]);
  });

  test.each<readonly [string, string, RegExp]>([
    ["broken.ndjson", '{"a": 1}\n{"a": \n', /broken\.ndjson: .*Malformed JSON/],
    ["scalars.json", "[1, 2]", /every row must be a JSON object/],
    ["times.ndjson", '{"_time": "someday"}', /1 rows have a time that cannot be read, such as "someday"/],
    ["times.csv", "_time,a\nnever,1\n", /such as "never"/],
  ])("%s is refused as a whole, and named", async (name, content, message) => {
    await using open = await openTestDatasets({});
    const error = await failure(open.datasets.load("a", await file(name, content)));
    expect(error).toMatchObject({ kind: "data", message: expect.stringMatching(message) });
    expect(open.datasets.names()).toEqual([]);
  });

  test("a file that does not exist is named; nothing is left behind in the folder that the database may read", async () => {
    await using open = await openTestDatasets({});
    expect((await failure(open.datasets.load("a", path.join(dir, "nope.json")))).message).toMatch(
      /nope\.json: .*ENOENT/,
    );
    expect(await readdir(path.join(open.dir, "inbox"))).toEqual([]);
  });
});

describe("ingest", () => {
  test("stores good rows and names bad ones", async () => {
    await using open = await openTestDatasets({});
    const result = await open.datasets.ingest("a", [
      { _time: "2024-01-01", x: 1 },
      { _time: "13 o'clock" },
      null,
      [1],
      { x: 2 },
    ]);
    expect(result).toEqual({
      ingested: 2,
      failed: 3,
      failures: [
        { timestamp: "2024-01-02T00:00:00Z", error: '_time cannot be read as a time: "13 o\'clock"' },
        { timestamp: "2024-01-02T00:00:00Z", error: "the event must be a JSON object" },
        { timestamp: "2024-01-02T00:00:00Z", error: "the event must be a JSON object" },
      ],
    });
    expect(await open.rows("a | project _time, x | order by x asc")).toEqual([
      ["2024-01-01T00:00:00Z", 1],
      ["2024-01-02T00:00:00Z", 2],
    ]);
  });

  test("widens a field as values of other types come in, and loses none of them", async () => {
    await using open = await openTestDatasets({});
    const types = async () => (await open.rows("a | getschema | where ColumnName == 'x' | project ColumnType")).flat();
    await open.datasets.ingest("a", [{ i: 1, x: 9_007_199_254_740_991 }]);
    expect(await types()).toEqual(["long"]);
    await open.datasets.ingest("a", [
      { i: 2, x: 2.5 },
      { i: 3, x: null },
    ]);
    expect(await types()).toEqual(["real"]);
    await open.datasets.ingest("a", [
      { i: 4, x: "text" },
      { i: 5, x: { deep: true } },
      { i: 6, x: [1] },
      { i: 7, y: 1 },
    ]);
    expect(await types()).toEqual(["dynamic"]);
    expect(await open.rows("a | order by i asc | project x")).toEqual([
      [9_007_199_254_740_991],
      [2.5],
      [null],
      ["text"],
      [{ deep: true }],
      [[1]],
      [null],
    ]);
    expect(await open.rows("a | where x > 2 | count")).toEqual([[2]]);
  });

  test("takes rows without fields, no rows, and numbers of more than 64 bits", async () => {
    await using open = await openTestDatasets({});
    expect(await open.datasets.ingest("a", [])).toMatchObject({ ingested: 0 });
    expect(await open.datasets.ingest("a", [{}, { big: 1e20 }])).toMatchObject({ ingested: 2 });
    expect(await open.rows("a | where isnotnull(big) | project big")).toEqual([[1e20]]);
  });

  test("takes several writers and readers at once", async () => {
    await using open = await openTestDatasets({ a: [{ i: -1 }] });
    const writes = Array.from({ length: 20 }, (_, i) => open.datasets.ingest(i % 2 ? "a" : "b", [{ i, [`f${i}`]: i }]));
    const reads = Array.from({ length: 20 }, () => open.rows("a | summarize count(), dcount(i)"));
    for (const [row] of await Promise.all(reads)) expect(row?.[0]).toBe(row?.[1]);
    await Promise.all(writes);
    expect(await open.rows("union a, b | count")).toEqual([[21]]);
  });
});

test("datasets, their fields and events are there again after the folder is opened anew", async () => {
  await using open = await openTestDatasets();
  const before = await open.rows("logs | order by dur asc");
  await open.datasets.close();
  const again = await openDatasets({ dir: open.dir, now: () => NOW });
  expect(again.names()).toEqual(["logs", "odd"]);
  const { tables } = await again.apl({ apl: "logs | order by dur asc" }, { format: "tabular" });
  expect((tables[0]?.columns[0] ?? []).map((_, i) => tables[0]?.columns.map((column) => column[i]))).toEqual(before);
  await again.ingest("logs", [{ dur: 1, fresh: "x" }]);
  expect((await again.apl({ apl: "logs | where fresh == 'x'" })).matches).toHaveLength(1);
  await again.close();
});

test("a relative folder works, and one that another process has open is named", async () => {
  const relative = path.relative(process.cwd(), await mkdtemp(path.join(dir, "relative-")));
  const datasets = await openDatasets({ dir: relative });
  expect(await datasets.load("a", await file("relative.ndjson", NDJSON))).toEqual({ rows: 6 });
  const script = `require(engine).openDatasets({ dir: ${JSON.stringify(relative)} }).catch((e) => console.log(e.name, e.message));`;
  expect(runScript(script)).toMatch(/^QueryError cannot open the datasets in \/.*: .*lock/);
  await datasets.close();
});

test("acknowledged events outlive a process that is killed", async () => {
  const data = await mkdtemp(path.join(dir, "killed-"));
  const script = `require(engine).openDatasets({ dir: ${JSON.stringify(data)} }).then(async (datasets) => {
    for (let i = 0; i < 50; i += 1) await datasets.ingest("a", [{ i, ["f" + i]: i }]);
    require("fs").writeSync(1, "acknowledged");
    void datasets.ingest("a", [{ i: 50 }]);
    process.kill(process.pid, "SIGKILL");
  });`;
  expect(() => runScript(script)).toThrow(expect.objectContaining({ signal: "SIGKILL", stdout: "acknowledged" }));
  const second = await openDatasets({ dir: data });
  const { buckets } = await second.apl({ apl: "a | where i < 50 | summarize count(), sum(i)" });
  expect(buckets.totals[0]?.aggregations.map(({ value }) => value)).toEqual([50, 1225]);
  await second.close();
});
