import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Database } from "../../../emulator/apl/duckdb";
import { makeFolder } from "../../support/suite";

let database: Database;
beforeAll(async () => {
  database = await Database.open(makeFolder());
});
afterAll(() => database.close());

test.each([
  "SELECT * FROM read_text('/etc/hostname')",
  "SELECT * FROM glob('/*')",
  "COPY (SELECT 1) TO '/tmp/query-escape.csv'",
  "ATTACH '/tmp/query-escape.db'",
  "SET enable_external_access = true",
  "SET allowed_directories = ['/']",
  "INSTALL httpfs",
])("queries cannot reach files, and cannot turn the lock off: %s", async (sql) => {
  using connection = await database.connect();
  await expect(connection.run(sql)).rejects.toThrow(
    /Permission Error|Invalid Input Error|configuration has been locked/,
  );
});

test("a commit that fails says why, and its connection can go on", async () => {
  using first = await database.connect();
  using second = await database.connect();
  await first.run("CREATE TABLE ids (id INTEGER PRIMARY KEY)");
  const insert = "INSERT INTO ids VALUES (1)";
  // Both insert the same key; the database notices that only when the second of them commits.
  const commit = first.transaction(async () => {
    await first.run(insert);
    await second.transaction(() => second.run(insert));
  });
  await expect(commit).rejects.toThrow(/Failed to commit: .*duplicate key/);
  await first.transaction(() => first.run("INSERT INTO ids VALUES (2)"));
  expect(await second.number("SELECT count(*) FROM ids")).toBe(2);
});
