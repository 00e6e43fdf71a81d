import path from "node:path";
import { expect, test } from "@jest/globals";
import { Database } from "../../../emulator/apl/duckdb";
import { openTestDatasets } from "./support";

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
