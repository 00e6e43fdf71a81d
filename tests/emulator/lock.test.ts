import { mkdtemp, rmdir } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { lockFolder } from "../../emulator/lock";

test("a server that meets other starting ones, which all give up, serves", async () => {
  const data = await mkdtemp(path.join(os.tmpdir(), "event-datasets-lock-"));
  // Each gives up as soon as somebody has seen it, and the next one is there already.
  let left = 8;
  const startNext = () => {
    const name = path.join(data, `lock-1-${left}`);
    const lock = createServer(() => {
      if (--left > 0) startNext();
      lock.close(); // removes the file too
    })
      .listen(name)
      .unref();
  };
  startNext();
  const release = await lockFolder(data);
  expect(left).toBe(0);
  await release();
  await rmdir(data); // it is empty
});
