import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { Database } from "../../../emulator/apl/duckdb";

test("a commit that fails says why, and its connection can go on", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "transaction-"));
  const database = await Database.open(folder);
  try {
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
  } finally {
    database.close();
    await rm(folder, { recursive: true, force: true });
  }
});
