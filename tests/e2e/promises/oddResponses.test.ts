import { expect, test } from "@jest/globals";
import { forms } from "../../support/program";
import { type Behaviour, startService } from "../../support/service";
import { useWarmHosts } from "../../support/warmHosts";
import { deploy } from "./world";

useWarmHosts();

const marker = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const signature = "4dabf18193072939515e22adb298388d";

/** By the name of a token, members of its response that the engine cannot record as they are, as JSON text. */
const odd: Readonly<Record<string, string>> = {
  marker: `"description": "${marker}"`,
  "marker-of-a-list": `"orgCapabilities": { "users": ["6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"] }`,
  signature: `"datasetCapabilities": { "web": { "${signature}": "1b47061264138c4ac30d75fd1eb44270", "value": ["read"] } }`,
  "half-in-a-text": `"description": "\\ud83d"`,
  "half-in-a-key": `"viewCapabilities": { "\\udc00": ["read"] }`,
};
const answer: Behaviour = (response, { call, body }) => {
  const { name = "" } = call === "GET /v2/tokens" ? {} : JSON.parse(body);
  const members = [`"id": "t-${name}", "name": "${name}", "token": "xaat-${name}"`, odd[name.replace(/^\w+?-/, "")]];
  const text = name === "" ? "[]" : `{ ${members.join(", ")} }`;
  response.writeHead(200, { "content-type": "application/json" }).end(text);
};

test("in both forms: whatever else a response contains, the token's id and secret are recorded", async () => {
  await using service = await startService(answer);
  const program = `const names = ${JSON.stringify(Object.keys(odd))};
export const secrets = inBothForms((form, { ApiToken }) =>
  names.map((name) => new ApiToken(form + "-" + name, { name: form + "-" + name }).token)).flat();`;
  await using it = await deploy("both", program, { env: { EVENT_DATASETS_BASE_URL: service.url } });
  await it.workspace.up();
  const names = forms.flatMap((form) => Object.keys(odd).map((name) => `${form}-${name}`));
  expect((await it.workspace.outputs({ showSecrets: true })).secrets).toEqual(names.map((name) => `xaat-${name}`));
  for (const name of names) expect((await it.resource("ApiToken", name)).id).toBe(`t-${name}`);
  expect(service.calls.filter((call) => call.startsWith("POST"))).toHaveLength(names.length);
});

test("in both forms: a token whose create got no response is tracked, however much it declares", async () => {
  const program = `const datasets = Array.from({ length: 3_000 }, (_, n) => ["dataset-" + n, { query: ["read"] }]);
inBothForms((form, { ApiToken }) => new ApiToken(form + "-big", { datasetCapabilities: Object.fromEntries(datasets) }));`;
  await using it = await deploy("both", program);
  it.service.inject({ method: "POST", path: "/v2/tokens", times: 2, action: { kind: "close-before-response" } });
  const { stdout } = await it.workspace.up({ args: ["--continue-on-error"], expectFailure: true });
  expect(stdout).toContain("its secret never arrived");
  for (const form of forms) {
    const { id, outputs } = await it.resource("ApiToken", `${form}-big`);
    expect(it.service.tokens.list().map((token) => token.id)).toContain(id);
    expect(outputs).toMatchObject({ record: { lost: true } });
  }
});
