import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { findFreePort, isFree, readFirstTemporaryPort } from "./port";

const worker = process.env.JEST_WORKER_ID;
afterEach(() => {
  process.env.JEST_WORKER_ID = worker;
});

test("a free port is none that the system gives to a connection, and none of another worker", async () => {
  const first = await readFirstTemporaryPort();
  const ports: number[] = [];
  for (const id of ["1", "2", "3", "4"]) {
    process.env.JEST_WORKER_ID = id;
    ports.push(await findFreePort());
  }
  expect(ports.every((port) => port < first)).toBe(true);
  expect(ports).toEqual([...ports].sort((a, b) => b - a));
});

test("no port is given out twice, although nobody listens at it yet", async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, () => findFreePort()));
  expect(new Set(ports).size).toBe(200);
});

test("a port at which somebody listens is not free", async () => {
  const port = await findFreePort();
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  expect(await isFree(port)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
  expect(await isFree(port)).toBe(true);
});
