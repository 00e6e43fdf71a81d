import { expect, test } from "@jest/globals";
import { secretSignature, signatureKey, unknownText } from "../../framework/engineValues";
import { secret } from "../../framework/testing";
import { type Behaviour, hangUp, json, startService } from "../support/service";
import { startConfigured, urnOf } from "./plugin";

// A service can answer with anything. A value that the engine takes for a mark of its own, or cannot encode, would lose the object.

const answer =
  (text: string): Behaviour =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  };

const urn = urnOf("ci");

/** Responses as JSON text: the members of a token beside its id and secret. */
const odd: readonly (readonly [string, string])[] = [
  ["the mark of an unknown text", `"description": ${JSON.stringify(unknownText)}`],
  ["the mark of an unknown list", `"orgCapabilities": { "users": ["6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"] }`],
  [
    "the mark of a secret",
    `"datasetCapabilities": { "web": { "${signatureKey}": "${secretSignature}", "value": ["read"] } }`,
  ],
  ["half of a character", `"description": "\\ud83d"`],
  ["half of a character in a name of a member", `"viewCapabilities": { "\\udc00": ["read"] }`],
];

test.each(odd)("a create and a refresh whose response holds %s are recorded with id and secret", async (...row) => {
  const [, members] = row;
  const token = `{ "id": "t1", "name": "ci", "token": "xaat-1", ${members} }`;
  await using service = await startService((response, request, socket) =>
    answer(request.call === "GET /v2/tokens" ? `[${token}]` : token)(response, request, socket),
  );
  await using plugin = await startConfigured({ baseUrl: service.url });
  const { inputs, reasons } = await plugin.check(urn, { name: "ci" });
  expect(reasons).toEqual([]);
  const made = await plugin.create(urn, inputs);
  expect(made).toMatchObject({ id: "t1", outputs: { name: "ci", token: secret("xaat-1") } });
  const read = await plugin.read(urn, made.id, made.outputs, inputs);
  expect(read.id).toBe("t1");
  for (const wire of [made, read].map((object) => JSON.stringify(object))) {
    expect(wire).not.toContain(`"${unknownText}"`);
    const signed = wire.split(`"${signatureKey}":"${secretSignature}"`);
    expect(wire.split(`"${signatureKey}":`)).toHaveLength(signed.length);
    expect(wire).toBe(wire.toWellFormed());
  }
  expect(service.calls.filter((call) => call.startsWith("POST"))).toHaveLength(1);
});

test("members of a response that are called as what objects inherit are recorded as members", async () => {
  const members = `"datasetCapabilities": { "__proto__": { "query": ["read"] }, "constructor": { "query": ["read"] } }`;
  await using service = await startService(answer(`{ "id": "t1", "name": "ci", "token": "xaat-1", ${members} }`));
  await using plugin = await startConfigured({ baseUrl: service.url });
  const { inputs } = await plugin.check(urn, { name: "ci" });
  const made = await plugin.create(urn, inputs);
  expect(made).toMatchObject({ id: "t1", outputs: { token: secret("xaat-1") } });
  expect(({} as { query?: unknown }).query).toBeUndefined();
  expect(made.outputs.datasetCapabilities).toHaveProperty("constructor", { query: ["read"] });
});

test.each([unknownText, "t\ud800"])(
  "an id that the engine cannot record is an error that names it (%j)",
  async (id) => {
    await using service = await startService(
      answer(`{ "id": ${JSON.stringify(id)}, "name": "ci", "token": "xaat-1" }`),
    );
    await using plugin = await startConfigured({ baseUrl: service.url });
    const { inputs } = await plugin.check(urn, { name: "ci" });
    const failure = await plugin.create(urn, inputs).catch(String);
    expect(failure).toContain(`with the id ${JSON.stringify(id)}`);
    expect(failure).not.toContain("xaat-1");
  },
);

test("so is the id of a token that is found after its response was lost", async () => {
  const id = "\ud83d";
  let name = "";
  await using service = await startService((response, request, socket) =>
    (request.call.startsWith("POST") ? hangUp : json(200, [{ id, name }]))(response, request, socket),
  );
  await using plugin = await startConfigured({ baseUrl: service.url });
  const { inputs } = await plugin.check(urn, {});
  name = String(inputs.name);
  await expect(plugin.create(urn, inputs)).rejects.toThrow(`with the id ${JSON.stringify(id)}`);
});
