import { once } from "node:events";
import { createServer } from "node:http";
import { expect, test } from "@jest/globals";
import { connect } from "../support/client";
import { json, listen, startService } from "../support/service";

const minted = { id: "t1", name: "ci", token: "xaat-1" };

test("every create gets its own connection, which is closed after it; requests that can be retried share one", async () => {
  await using service = await startService((response, request, socket) => {
    const body = request.call.startsWith("POST") ? minted : [];
    return json(200, body)(response, request, socket);
  });
  await using client = connect(service.url);
  await client.tokens.list();
  for (let round = 0; round < 2; round++) {
    await Promise.all(Array.from({ length: 10 }, () => client.tokens.create({ name: "ci" })));
    await client.tokens.list();
  }
  const creates = service.requests.filter(({ call }) => call.startsWith("POST"));
  const lists = service.requests.filter(({ call }) => call.startsWith("GET"));
  expect(new Set(creates.map(({ port }) => port)).size).toBe(20);
  expect(new Set(creates.map(({ headers }) => headers.connection))).toEqual(new Set(["close"]));
  expect(new Set(lists.map(({ port }) => port)).size).toBe(1);
  expect(creates.map(({ port }) => port)).not.toContain(lists[0]?.port);
});

test("the connection of a create that was cancelled while connecting is not used again", async () => {
  const opened: (number | undefined)[] = [];
  const used: (number | undefined)[] = [];
  const server = createServer((request, response) => {
    used.push(request.socket.remotePort);
    response.setHeader("content-type", "application/json").end(JSON.stringify(minted));
  });
  server.on("connection", (socket) => opened.push(socket.remotePort));
  const port = await listen(server);
  try {
    await using client = connect(`http://127.0.0.1:${port}`);
    const control = new AbortController();
    const first = client.tokens.create({ name: "ci" }, { signal: control.signal });
    const cameUp = once(server, "connection");
    // Waits until it is connecting. No connection can open meanwhile: these turns process no input or output.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => process.nextTick(resolve));
    control.abort();
    await expect(first).rejects.toMatchObject({ outcome: "not sent" });
    await cameUp;
    await client.tokens.create({ name: "ci" });
    expect(opened).toHaveLength(2);
    expect(used).toEqual([opened[1]]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
