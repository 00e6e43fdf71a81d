import { createServer } from "node:net";
import { expect, test } from "@jest/globals";
import { json, listen, startService } from "../support/service";
import { FaultProxy, forwardTo } from "./proxy";

test("each forwarded request has a connection of its own: the service closes an idle one at any time", async () => {
  await using service = await startService(json(200, []));
  const request = { method: "GET", target: "/v2/tokens", headers: {}, body: Buffer.alloc(0) };
  for (let n = 0; n < 3; n++) expect(await forwardTo(service.url)(request)).toMatchObject({ status: 200 });
  expect(new Set(service.requests.map(({ port }) => port)).size).toBe(3);
});

test("a proxy whose port is taken says so", async () => {
  const other = createServer();
  const taken = await listen(other);
  await expect(FaultProxy.start(forwardTo("http://127.0.0.1:1"), undefined, taken)).rejects.toThrow("EADDRINUSE");
  await new Promise((resolve) => other.close(resolve));
});
