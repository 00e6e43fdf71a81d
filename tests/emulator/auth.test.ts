import { expect, test } from "@jest/globals";
import { findSecret } from "../support/secrets";
import { call, mintedWith, rootToken, start } from "./harness";

/** The capability that each route needs, and what is sent to it. The root token may call all of them. */
const needs: [line: string, key: string, action: string, body?: object][] = [
  ["POST /v2/tokens", "apiTokens", "create", { name: "made" }],
  ["GET /v2/tokens", "apiTokens", "read"],
  ["GET /v2/tokens/{token}", "apiTokens", "read"],
  ["DELETE /v2/tokens/{token}", "apiTokens", "delete"],
  ["POST /v2/tokens/{token}/regenerate", "apiTokens", "update", { existingTokenExpiresAt: "2030-01-01T00:00:00Z" }],
  ["POST /v2/annotations", "annotations", "create", { datasets: ["logs"], type: "deploy" }],
  ["GET /v2/annotations", "annotations", "read"],
  ["GET /v2/annotations/{annotation}", "annotations", "read"],
  ["PUT /v2/annotations/{annotation}", "annotations", "update", { title: "changed" }],
  ["DELETE /v2/annotations/{annotation}", "annotations", "delete"],
  ["POST /v2/datasets", "datasets", "create", { name: "made" }],
  ["GET /v2/datasets/{dataset}", "datasets", "read"],
  ["PUT /v2/datasets/{dataset}", "datasets", "update", {}],
  ["DELETE /v2/datasets/{dataset}", "datasets", "delete"],
];

test.each(needs)("%s needs a token with %s: %s", async (line, key, action, ...[body]) => {
  await using emulator = await start({ profile: "extended" });
  const idOf = async (path: string, body: object) => (await call(emulator.url, `POST /v2/${path}`, { body })).body.id;
  const target = line
    .replace("{token}", await idOf("tokens", { name: "object" }))
    .replace("{annotation}", await idOf("annotations", { datasets: ["a"], type: "b" }))
    .replace("{dataset}", await idOf("datasets", { name: "web" }));
  const send = (token: string | null) => call(emulator.url, target, { token, body });
  for (const token of [null, "xaat-00000000-0000-0000-0000-000000000000", ""])
    expect(await send(token)).toMatchObject({ status: 401, headers: { "www-authenticate": "Bearer" } });
  const all = ["create", "read", "update", "delete"];
  const others = { apiTokens: all, annotations: all, datasets: all, [key]: all.filter((other) => other !== action) };
  const message = `the token lacks the capability orgCapabilities.${key}: ${action}`;
  expect(await send(await mintedWith(emulator.url, others))).toMatchObject({
    status: 403,
    body: { code: 403, message },
  });
  expect([200, 201, 204]).toContain((await send(await mintedWith(emulator.url, { [key]: [action] }))).status);
});

test("a token without capabilities may do nothing, and only the scheme Bearer is accepted", async () => {
  await using emulator = await start();
  const { token } = (await call(emulator.url, "POST /v2/tokens", { body: { name: "bare" } })).body;
  expect((await call(emulator.url, "GET /v2/tokens", { token })).status).toBe(403);
  for (const authorization of [`Basic ${rootToken}`, rootToken, `bearer  ${rootToken} x`]) {
    const answer = await call(emulator.url, "GET /v2/tokens", { token: null, headers: { authorization } });
    expect(answer.status).toBe(401);
  }
  const lower = { authorization: `bearer ${rootToken}` };
  expect((await call(emulator.url, "GET /v2/tokens", { token: null, headers: lower })).status).toBe(200);
});

test("no file and no later response contains a secret or the root token", async () => {
  await using emulator = await start({ profile: "extended" });
  const made = (await call(emulator.url, "POST /v2/tokens", { body: { name: "ci" } })).body;
  const answers = [
    await call(emulator.url, `GET /v2/tokens/${made.id}`),
    await call(emulator.url, "GET /v2/tokens"),
    await call(emulator.url, "GET /v2/tokens", { token: made.token }),
    await call(emulator.url, `GET /v2/tokens/${made.token}`),
    await call(emulator.url, `GET /${made.token}`),
    await call(emulator.url, `GET /v2/tokens?token=${made.token}`),
    await call(emulator.url, "POST /v2/tokens", { body: { name: "ci", token: made.token } }),
  ];
  expect(answers.map((a) => a.status)).toEqual([200, 200, 403, 404, 404, 400, 400]);
  const places = { folders: [emulator.dataDir], texts: { answers: JSON.stringify(answers) } };
  expect(await findSecret(places, made.token)).toEqual([]);
  expect(await findSecret(places, rootToken)).toEqual([]);
  await using again = await start({ rootToken: undefined });
  expect(again.rootToken).toMatch(/^xaat-[0-9a-f-]{36}$/);
  expect(await findSecret({ folders: [again.dataDir] }, again.rootToken)).toEqual([]);
});
