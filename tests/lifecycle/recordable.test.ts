import { describe, expect, test } from "@jest/globals";
import { secretSignature, signatureKey, unknownText } from "../../framework/engineValues";
import { type Form, secret } from "../../framework/testing";
import { hangUp, json, raw } from "../support/service";
import { beginScriptIn } from "../support/story";

// A service can answer with anything. A value that the engine takes for a mark of its own, or cannot encode, would lose the object.

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

describe.each<Form>(["dynamic", "native"])("in the %s form", (form) => {
  /** A stack on a service that responds with this token, as JSON text. */
  const begin = (token: string) =>
    beginScriptIn(form, "extended", (response, request, socket) =>
      raw(request.call === "GET /v2/tokens" ? `[${token}]` : token)(response, request, socket),
    );
  const tokenWith = (members: string) => `{ "id": "t1", "name": "ci", "token": "xaat-1", ${members} }`;
  const recorded = { id: "t1", outputs: { name: "ci", token: secret("xaat-1") } };

  test.each(odd)(
    "a create and a refresh whose response holds %s are recorded with id and secret",
    async (_, members) => {
      await using it = await begin(tokenWith(members));
      for (const command of [() => it.declare({ name: "ci" }), () => it.refresh()]) {
        await command();
        expect(it.stack.find("ci")).toMatchObject(recorded);
        const wire = JSON.stringify(it.stack.find("ci"));
        expect(wire).not.toContain(`"${unknownText}"`);
        const signed = wire.split(`"${signatureKey}":"${secretSignature}"`);
        expect(wire.split(`"${signatureKey}":`)).toHaveLength(signed.length);
        expect(wire).toBe(wire.toWellFormed());
      }
      expect(it.service.calls.filter((call) => call.startsWith("POST"))).toHaveLength(1);
    },
  );

  test("members of a response that are called as what objects inherit are recorded as members", async () => {
    const inherited = `{ "__proto__": { "query": ["read"] }, "constructor": { "query": ["read"] } }`;
    await using it = await begin(tokenWith(`"datasetCapabilities": ${inherited}`));
    await it.declare({ name: "ci" });
    expect(it.stack.find("ci")).toMatchObject(recorded);
    expect(({} as { query?: unknown }).query).toBeUndefined();
    expect(it.state().datasetCapabilities).toHaveProperty("constructor", { query: ["read"] });
  });

  test.each([unknownText, "t\ud800"])(
    "an id that the engine cannot record is an error that names it (%j)",
    async (id) => {
      await using it = await begin(tokenWith(`"id": ${JSON.stringify(id)}`));
      const failure = await it.declare({ name: "ci" }).catch(String);
      expect(failure).toContain(`with the id ${JSON.stringify(id)}`);
      expect(failure).not.toContain("xaat-1");
    },
  );

  test("so is the id of a token that is found after its response was lost", async () => {
    const id = "\ud83d";
    let name = "";
    await using it = await beginScriptIn(form, "extended", (response, request, socket) => {
      if (request.call.startsWith("POST")) name = JSON.parse(request.body).name;
      return (request.call.startsWith("POST") ? hangUp : json(200, [{ id, name }]))(response, request, socket);
    });
    await expect(it.declare()).rejects.toThrow(`with the id ${JSON.stringify(id)}`);
  });
});
