import { expect, test } from "@jest/globals";
import { secretSignature, signatureKey, unknownText } from "../../framework/engineValues";
import { forms } from "../support/program";
import { type Behaviour, startService } from "../support/service";
import { startForm } from "./eachForm";
import { secret } from "./plugin";

// A service can answer with anything. What the engine takes for a mark of its own, or cannot encode, would lose the object.

const answer =
  (text: string): Behaviour =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  };

const settingsFor = (url: string) => ({ baseUrl: url, accessToken: "xaat-root", profile: "extended" });

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

for (const form of forms) {
  test.each(odd)(
    `a create and a refresh whose response holds %s are recorded with id and secret (${form})`,
    async (...row) => {
      const [, members] = row;
      const token = `{ "id": "t1", "name": "ci", "token": "xaat-1", ${members} }`;
      await using service = await startService((response, request, socket) =>
        answer(request.call === "GET /v2/tokens" ? `[${token}]` : token)(response, request, socket),
      );
      await using provider = await startForm(form, settingsFor(service.url));
      const { inputs, reasons } = await provider.check("ApiToken", "ci", { name: "ci" });
      expect(reasons).toEqual([]);
      const made = await provider.create("ApiToken", "ci", inputs);
      expect(made).toMatchObject({ id: "t1", outputs: { name: "ci", token: secret("xaat-1") } });
      if (!("outputs" in made)) throw new Error(made.message);
      const read = await provider.read("ApiToken", "ci", made, inputs);
      expect(read.id).toBe("t1");
      for (const wire of [made, read].map((object) => JSON.stringify(object))) {
        expect(wire).not.toContain(`"${unknownText}"`);
        const signed = wire.split(`"${signatureKey}":"${secretSignature}"`);
        expect(wire.split(`"${signatureKey}":`)).toHaveLength(signed.length);
        expect(wire).toBe(wire.toWellFormed());
      }
      expect(service.calls.filter((call) => call.startsWith("POST"))).toHaveLength(1);
    },
  );

  test(`members of a response that are called as what objects inherit are recorded as members (${form})`, async () => {
    const members = `"datasetCapabilities": { "__proto__": { "query": ["read"] }, "constructor": { "query": ["read"] } }`;
    await using service = await startService(answer(`{ "id": "t1", "name": "ci", "token": "xaat-1", ${members} }`));
    await using provider = await startForm(form, settingsFor(service.url));
    const { inputs } = await provider.check("ApiToken", "ci", { name: "ci" });
    const made = await provider.create("ApiToken", "ci", inputs);
    expect(made).toMatchObject({ id: "t1", outputs: { token: secret("xaat-1") } });
    expect(({} as { query?: unknown }).query).toBeUndefined();
    if (!("outputs" in made)) throw new Error(made.message);
    expect(made.outputs.datasetCapabilities).toHaveProperty("constructor", { query: ["read"] });
  });

  test.each([unknownText, "t\ud800"])(
    `an id that the engine cannot record is an error that names it (${form}, %j)`,
    async (id) => {
      await using service = await startService(
        answer(`{ "id": ${JSON.stringify(id)}, "name": "ci", "token": "xaat-1" }`),
      );
      await using provider = await startForm(form, settingsFor(service.url));
      const { inputs } = await provider.check("ApiToken", "ci", { name: "ci" });
      const failure = await provider.create("ApiToken", "ci", inputs);
      expect(failure).toEqual({ message: expect.stringContaining(`with the id ${JSON.stringify(id)}`) });
      expect(JSON.stringify(failure)).not.toContain("xaat-1");
    },
  );
}
