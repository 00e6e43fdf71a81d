import { setImmediate } from "node:timers/promises";
import { inspect } from "node:util";
import { expect, test } from "@jest/globals";
import { accessToken, connect, failure } from "../support/client";
import { json, raw, startService } from "../support/service";

const minted = { id: "t1", name: "ci", token: "xaat-secret-of-t1" };

test("a request has the bearer token, JSON headers and a user agent, and its path follows the base URL's path", async () => {
  await using service = await startService(json(200, minted));
  await connect(`${service.url}/tenant/`).tokens.create({ name: "ci" });
  const [request] = service.requests;
  expect(request?.call).toBe("POST /tenant/v2/tokens");
  expect(request?.headers).toMatchObject({
    authorization: `Bearer ${accessToken}`,
    "content-type": "application/json",
    accept: "application/json",
  });
  expect(request?.headers["user-agent"]).toMatch(/^pulumi-event-datasets\/\d+\.\d+\.\d+ node\/22\./);
  expect(JSON.parse(request?.body ?? "")).toEqual({ name: "ci" });
});

test("nulls and unknown fields of a response are dropped, and none of its keys can change a prototype", async () => {
  await using service = await startService(
    raw(
      '{"id":"t1","name":"ci","expiresAt":null,"samlAuthenticated":true,"orgCapabilities":{"users":["read"],"rbac":null},"datasetCapabilities":{"__proto__":{"query":["read"]},"constructor":{}}}',
    ),
  );
  const token = await connect(service.url).tokens.get("t1");
  expect(Object.keys(token)).toEqual(["id", "name", "datasetCapabilities", "orgCapabilities"]);
  expect(Object.keys(token.orgCapabilities ?? {})).toEqual(["users"]);
  expect(Object.keys(token.datasetCapabilities ?? {})).toEqual(["__proto__", "constructor"]);
  expect(Object.getPrototypeOf(token.datasetCapabilities)).toBeNull();
  expect(({} as { query?: unknown }).query).toBeUndefined();
});

test("a character that arrives in parts is read as one, and a response that ends within a character is refused", async () => {
  const name = "Größe €";
  const body = Buffer.from(JSON.stringify({ id: "t1", name }));
  await using service = await startService(async (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    for (const byte of body) {
      response.write(Uint8Array.of(byte));
      await setImmediate(); // or they would leave together
    }
    response.end();
  });
  expect(await connect(service.url).tokens.get("t1")).toEqual({ id: "t1", name });

  await using cut = await startService(raw(Buffer.from('{"id":"t1","name":"ci"}\xe2\x82', "latin1")));
  expect(await failure(connect(cut.url).tokens.get("t1"))).toMatchObject({ outcome: "unknown", status: 200 });
});

test("no error, no debug line and no inspected object shows the credential or a secret", async () => {
  const lines: string[] = [];
  const message = `bad Bearer ${accessToken} and ${minted.token}\u001b[31m`;
  await using service = await startService(
    json(400, { message }),
    json(200, minted),
    raw(`{"token":"${minted.token}"`),
  );
  const client = connect(service.url, { debug: (line) => lines.push(line) });
  const refused = await failure(client.tokens.create({ name: "ci" }));
  await client.tokens.create({ name: "ci" });
  const broken = await failure(client.tokens.create({ name: "ci" }));
  const shown = [refused, broken, client, client.tokens].map((o) => inspect(o, { depth: 20, showHidden: true }));
  for (const text of [...shown, ...lines, refused.message, String(refused.stack), JSON.stringify(client)]) {
    expect(text).not.toContain(accessToken);
    expect(text).not.toContain(minted.token);
    expect(text).not.toContain("\u001b");
  }
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^event-datasets POST \/v2\/tokens 400 \d+ms$/);
});
