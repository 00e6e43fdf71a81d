import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Catalog, Reader } from "../../../emulator/apl/catalog";
import { Database } from "../../../emulator/apl/duckdb";
import { Snapshot } from "../../../emulator/apl/snapshot";
import { openForTests } from "../../support/suite";
import { call, start } from "../harness";
import { failure, openTestDatasets } from "./support";

const stolen = "only-for-others";

const emulator = openForTests(() => start({ profile: "extended" }));
let token: string;
beforeAll(async () => {
  await emulator.ingest("own", [{ a: 1 }]);
  await emulator.ingest("others", [{ s: stolen }, { s: stolen }]);
  const body = { name: "reader", datasetCapabilities: { own: { query: ["read"] } } };
  token = (await call(emulator.url, "POST /v2/tokens", { body })).body.token;
});

const send = (apl: string, more = {}) =>
  call(emulator.url, "POST /v1/datasets/_apl?format=tabular", { body: { apl }, ...more });

/** `$'` in a replacement of JavaScript is the text after the match. */
const inTime = (part: string, sql: string) => `print x = datetime_part("${part}", todatetime("${sql}"))`;

const attacks: readonly (readonly [what: string, apl: string])[] = [
  ["a subquery", inTime("year", `$' || CAST(CAST((SELECT string_agg(c0) FROM d2) AS INTEGER) AS VARCHAR) || $'`)],
  ["another statement", inTime("year", `$')) AS BIGINT) AS q FROM x1) SELECT 1; COMMIT; DELETE FROM d2; --`)],
  ["a table that is dropped", inTime("year", `$')) AS BIGINT) AS q FROM x1) SELECT 1; COMMIT; DROP TABLE d2; --`)],
];

test.each(attacks)("%s in a text reads and changes nothing", async (_, apl) => {
  // A text that is not a time is null.
  expect(await send(apl, { token })).toMatchObject({ status: 200, body: { tables: [{ columns: [[null]] }] } });
  expect((await send("others | count")).body.tables[0].columns).toEqual([[2]]);
});

let database: Database;
beforeAll(async () => {
  const { datasets, dir } = await openTestDatasets({ own: [{ a: 1 }], others: [{ s: stolen }] });
  await datasets.close();
  database = await Database.open(dir);
});
afterAll(() => database.close());

/** Runs SQL as if the planner had written it for a caller who may read `own`, which is d1. */
async function plan(sql: string, run: (snapshot: Snapshot) => Promise<unknown> = (of) => of.values(sql)) {
  using connection = await database.connect();
  const reader = new Reader(await Catalog.read(connection), (name) => name === "own");
  reader.find("own");
  const snapshot = await Snapshot.begin(connection, reader);
  return await run(snapshot);
}

test.each([
  "SELECT c0 FROM d1",
  "WITH x1 AS (SELECT * FROM d1), x2 AS (SELECT * FROM x1 JOIN d1 USING (c0)) SELECT count(*) FROM x2",
  "SELECT i FROM range(3) g(i), (VALUES (1)) v(a) UNION ALL SELECT unnest([1])",
])("a plan may be %s", async (sql) => {
  expect(await plan(sql)).not.toEqual([]);
});

const foreign = [
  ...["SELECT c0 FROM d2", "SELECT (SELECT string_agg(c0) FROM d2)", "SELECT 1 WHERE 'a' IN (SELECT c0 FROM d2)"],
  ...["WITH d2 AS (SELECT c0 FROM main.d2) SELECT * FROM d2", "FROM main.d1", "FROM x1, LATERAL (SELECT c0 FROM d2)"],
  ...[
    "WITH x1 AS (SELECT 1) SELECT * FROM x1 UNION ALL SELECT c0 FROM d2",
    "SELECT c0 FROM d1 UNION SELECT c0 FROM D2",
  ],
  ...["FROM query('SELECT c0 FROM d2')", "FROM query_table('d2')", "FROM duckdb_tables()", "FROM apl_datasets"],
  ...["FROM read_text('/etc/passwd')", "FROM '/etc/passwd'", "FROM information_schema.tables", "FROM sqlite_master"],
  ...["FROM (DESCRIBE d2)", "FROM (SHOW TABLES)", "SUMMARIZE d2", "FROM d2 PIVOT (count(*) FOR c0 IN ('a'))"],
  ...["SELECT 1; SELECT 2", "SELECT 1; COMMIT", "COMMIT", "DELETE FROM d1", "DROP TABLE d1", "ATTACH ':memory:' AS a"],
  ...[
    "SET threads = 1",
    "COPY d1 TO '/tmp/x.csv'",
    "CREATE TABLE x5 AS SELECT 1",
    "INSTALL json",
    "CALL pragma_version()",
  ],
  ...["PRAGMA version", "EXPLAIN SELECT 1", "VACUUM", "CHECKPOINT", "BEGIN", "PREPARE p AS SELECT 1", ""],
];

test.each(foreign)("a plan is refused that is %s", async (sql) => {
  expect((await failure(plan(sql))).kind).toBe("forbidden");
  expect((await failure(plan(sql, (snapshot) => snapshot.keep("x1", sql)))).kind).toBe("forbidden");
  expect(await plan("SELECT count(*) FROM d1")).toEqual([[1n]]);
});

test("no statement of a query can write, even if it is not checked", async () => {
  using connection = await database.connect();
  await Snapshot.begin(connection, new Reader(await Catalog.read(connection), undefined));
  await expect(connection.run("DELETE FROM d2")).rejects.toThrow("read-only mode");
  await expect(connection.single("COMMIT", "SELECT")).rejects.toThrow("not a SELECT statement");
  await expect(connection.single("SELECT 1; COMMIT", "SELECT")).rejects.toThrow("2 statements instead of one");
});

test("the linter refuses a computed text as the replacement of `replace` and `replaceAll`", async () => {
  const dir = await mkdtemp(path.join(tmpdir(), "lint-test-"));
  try {
    const plugin = path.resolve("scripts/lint/computedReplacement.grit");
    await writeFile(path.join(dir, "biome.json"), JSON.stringify({ plugins: [plugin] }));
    const lint = async (code: string) => {
      await writeFile(path.join(dir, "code.ts"), `export const f = (s: string, t: string) => ${code};\n`);
      return spawnSync("node_modules/.bin/biome", ["lint", `--config-path=${dir}`, path.join(dir, "code.ts")]).status;
    };
    for (const code of ["s.replaceAll('%', `$".concat("{t}`)"), "s.replace(/a/, t)", "s?.replace('a', t + t)"])
      expect({ code, status: await lint(code) }).toEqual({ code, status: 1 });
    for (const code of ['s.replaceAll("%)", "$&")', "s.replace(/a/, () => t)"])
      expect({ code, status: await lint(code) }).toEqual({ code, status: 0 });
  } finally {
    await rm(dir, { recursive: true });
  }
});
