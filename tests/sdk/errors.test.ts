import { createServer, type Socket } from "node:net";
import { inspect } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { PartialCreate } from "../../framework/lifecycle";
import { isApiError } from "../../sdk";
import { connect, failure, refusedUrl } from "../support/client";
import { json, listen, startService } from "../support/service";

const canary = "xaat-canary-of-an-answer-81c2";
const minted = `{"id":"t1","name":"ci","token":"${canary}"}`;

/** A service that answers every request with these bytes and hangs up. */
async function startRaw(bytes: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    socket.once("data", () => socket.end(bytes));
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Everything that a log, a terminal or the engine could show of an error. */
const shownOf = (error: Error): string[] => [
  inspect(error, { depth: 20, showHidden: true }),
  String(error.stack),
  JSON.stringify(error),
  JSON.stringify(Object.values(Object.getOwnPropertyDescriptors(error))),
];

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

describe("no error shows the response of the service", () => {
  test.each([
    ["a chunk without a length", `${head}transfer-encoding: chunked\r\n\r\n${minted}`],
    ["a chunk that is too long", `${head}transfer-encoding: chunked\r\n\r\n5\r\n${minted}\r\n0\r\n\r\n`],
    ["bytes that are not HTTP", minted],
    ["a body after a status that has none", `HTTP/1.1 204 No Content\r\n\r\n${minted}`],
    ["a header that is not one", `HTTP/1.1 200 OK\r\n${minted}\r\n\r\n`],
    ["a body that is too short", `${head}content-length: 9999\r\n\r\n${minted}`],
    ["a body that is not JSON", `${head}content-length: ${minted.length - 1}\r\n\r\n${minted.slice(0, -1)}`],
    ["an answer without an id", `${head}content-length: 43\r\n\r\n{"name":"ci","token":"${canary.slice(0, 20)}"}`],
  ])("%s", async (_, bytes) => {
    await using service = await startRaw(bytes);
    const error = await failure(connect(service.url).tokens.create({ name: "ci" }));
    expect(error.outcome).toBe("unknown");
    for (const text of shownOf(error)) expect(text).not.toContain(canary.slice(0, 16));
  });
});

test("an error keeps the name and the code of its cause, but not the cause itself", async () => {
  const error = await failure(connect(refusedUrl).tokens.create({ name: "ci" }));
  expect(error.cause).toEqual({ name: expect.any(String), code: "ECONNREFUSED" });
  expect(Object.keys(error.cause ?? {})).toEqual(["name", "code"]);
});

test("no error shows the request", async () => {
  await using service = await startService(json(400, { message: "no" }));
  const error = await failure(connect(service.url).tokens.create({ name: "ci", description: canary }));
  for (const text of shownOf(error)) expect(text).not.toContain(canary);
});

test("a body that cannot be written as JSON is refused before any request, without quoting it", async () => {
  await using service = await startService(json(200, {}));
  const circle: Record<string, unknown> = { [canary]: 1 };
  circle[canary] = circle;
  const call = connect(service.url).tokens.create({ name: "ci", datasetCapabilities: circle as never });
  const error = await call.catch((e: Error) => e);
  expect(isApiError(error)).toBe(false);
  for (const text of shownOf(error as Error)) expect(text).not.toContain(canary);
  expect(service.calls).toEqual([]);
});

test("the error of an incomplete create does not show its inputs", () => {
  const error = new PartialCreate("it exists", "t1", { description: canary });
  expect(error.state).toEqual({ description: canary });
  for (const text of shownOf(error)) expect(text).not.toContain(canary);
});
