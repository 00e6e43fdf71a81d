import { expect, test } from "@jest/globals";
import { secretSignature, signatureKey, toRecordable, unknownText } from "../../framework/engineValues";
import { forms } from "../support/forms";
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

/** Responses as JSON text: the members of a token beside its id and secret, and the path that is warned of. */
const odd: readonly (readonly [string, string, string])[] = [
  ["the mark of an unknown text", `"description": ${JSON.stringify(unknownText)}`, "description"],
  [
    "the mark of an unknown list",
    `"orgCapabilities": { "users": ["6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"] }`,
    "orgCapabilities.users[0]",
  ],
  [
    "the mark of a secret",
    `"datasetCapabilities": { "web": { "${signatureKey}": "${secretSignature}", "value": ["read"] } }`,
    `datasetCapabilities.web.(${signatureKey})`,
  ],
  ["half of a character", `"description": "\\ud83d"`, "description"],
  [
    "half of a character in a name of a member",
    `"viewCapabilities": { "\\udc00": ["read"] }`,
    "viewCapabilities.\ufffd",
  ],
];

for (const form of forms) {
  test.each(odd)(
    `a create whose response holds %s is recorded with id, secret and one warning (${form})`,
    async (...row) => {
      const [, members, path] = row;
      await using service = await startService(answer(`{ "id": "t1", "name": "ci", "token": "xaat-1", ${members} }`));
      await using provider = await startForm(form, settingsFor(service.url));
      const { inputs, reasons } = await provider.check("ApiToken", "ci", { name: "ci" });
      expect(reasons).toEqual([]);
      const made = await provider.create("ApiToken", "ci", inputs);
      expect(made).toMatchObject({ id: "t1", outputs: { name: "ci", token: secret("xaat-1") } });
      const wire = JSON.stringify(made);
      expect(wire).not.toContain(`"${unknownText}"`);
      expect(wire.split(`"${signatureKey}":`)).toHaveLength(
        wire.split(`"${signatureKey}":"${secretSignature}"`).length,
      );
      expect(wire).toBe(wire.toWellFormed());
      const told = provider.told().filter((line) => line.includes("cannot record"));
      expect(told).toEqual([expect.stringContaining(`ApiToken t1: the service's response holds text in ${path} that`)]);
      expect(service.calls).toEqual(["GET /v2/tokens", "POST /v2/tokens"]);
    },
  );

  test.each(odd)(`a refresh whose response holds %s records it, with one warning (${form})`, async (...row) => {
    const [, members, path] = row;
    const token = `{ "id": "t1", "name": "ci", ${members} }`;
    const answers: Record<string, string> = {
      "POST /v2/tokens": `{ "id": "t1", "name": "ci", "token": "xaat-1" }`,
      "GET /v2/tokens": `[${token}]`,
    };
    await using service = await startService((response, request, socket) =>
      answer(answers[request.call] ?? token)(response, request, socket),
    );
    await using provider = await startForm(form, settingsFor(service.url));
    const { inputs } = await provider.check("ApiToken", "ci", { name: "ci" });
    const made = await provider.create("ApiToken", "ci", inputs);
    if (!("outputs" in made)) throw new Error(made.message);
    const wire = JSON.stringify(await provider.read("ApiToken", "ci", made, inputs));
    expect(wire).toContain('"t1"');
    expect(wire).not.toContain(`"${unknownText}"`);
    expect(wire.split(`"${signatureKey}":`)).toHaveLength(wire.split(`"${signatureKey}":"${secretSignature}"`).length);
    expect(wire).toBe(wire.toWellFormed());
    const told = provider.told().filter((line) => line.includes("cannot record"));
    expect(told).toEqual([expect.stringContaining(`ApiToken t1: the service's response holds text in ${path} that`)]);
  });

  test(`a warning about a response to secret inputs has no names of members (${form})`, async () => {
    const members = `"datasetCapabilities": { "cnry\\ud83d": { "query": ["read"] } }`;
    await using service = await startService(answer(`{ "id": "t1", "name": "ci", "token": "xaat-1", ${members} }`));
    await using provider = await startForm(form, settingsFor(service.url));
    const datasetCapabilities = secret({ cnry: { query: ["read"] } });
    const { inputs } = await provider.check("ApiToken", "ci", { name: "ci", datasetCapabilities });
    await provider.create("ApiToken", "ci", inputs);
    expect(provider.told().join()).toMatch(
      /holds text in (record, )?datasetCapabilities that the engine cannot record/,
    );
    expect(provider.told().join()).not.toContain("cnry");
  });

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

test("every value that the engine can record stays as it is, and no other does", () => {
  const fine = JSON.parse(`{ "__proto__": { "a": 1 }, "text": "\\ud83d\\ude00", "list": [null, true, 7, [""]] }`);
  expect(toRecordable(fine)).toEqual({ value: fine, altered: [] });
  expect(Object.keys(toRecordable(fine).value as object)).toEqual(["__proto__", "text", "list"]);
  const value = { a: [unknownText, "x"], [signatureKey]: { value: "\udfff" } };
  expect(toRecordable(value)).toEqual({
    value: { a: [`(${unknownText})`, "x"], [`(${signatureKey})`]: { value: "\ufffd" } },
    altered: ["a[0]", `(${signatureKey})`, `(${signatureKey}).value`],
  });
});
