import path from "node:path";
import { expect, test } from "@jest/globals";
import { Database } from "../../../emulator/apl/duckdb";
import { openTestDatasets, runScript } from "./support";

test("the database is loaded when a folder is opened, and not before; an error reports its absence", () => {
  const script = `const load = require("module")._load;
    require("module")._load = (name, ...rest) => {
      if (name.startsWith("@duckdb")) throw new Error("not installed");
      return load(name, ...rest);
    };
    const { openDatasets } = require(engine);
    openDatasets({ dir: require("fs").mkdtempSync(require("os").tmpdir() + "/query-none-") }).catch((e) => console.log(e.message));`;
  expect(runScript(script)).toBe("datasets need the package @duckdb/node-api: not installed\n");
});

test("queries cannot reach files: not by a path, and not by turning the lock off", async () => {
  await using open = await openTestDatasets();
  await using database = await Database.open(path.join(open.dir, "other")).then((inner) => ({
    inner,
    async [Symbol.asyncDispose]() {
      inner.close();
    },
  }));
  using connection = await database.inner.connect();
  for (const sql of [
    "SELECT * FROM read_text('/etc/hostname')",
    "SELECT * FROM glob('/*')",
    "COPY (SELECT 1) TO '/tmp/query-escape.csv'",
    "ATTACH '/tmp/query-escape.db'",
    "SET enable_external_access = true",
    "SET allowed_directories = ['/']",
    "INSTALL httpfs",
  ]) {
    expect({
      sql,
      done: await connection.run(sql).then(
        () => true,
        () => false,
      ),
    }).toEqual({ sql, done: false });
  }
});
