import { describe, expect, test } from "@jest/globals";
import { forms } from "../../support/forms";
import { type Behaviour, startService } from "../../support/service";
import { useWarmHosts } from "../../support/warmHosts";
import { deploy } from "./world";

useWarmHosts();

const marker = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const signature = "4dabf18193072939515e22adb298388d";

/** By the name of a token, members of its response that the engine cannot record as they are, as JSON text. */
const odd = {
  marker: `"description": "${marker}"`,
  "marker-of-a-list": `"orgCapabilities": { "users": ["6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"] }`,
  signature: `"datasetCapabilities": { "web": { "${signature}": "1b47061264138c4ac30d75fd1eb44270", "value": ["read"] } }`,
  "half-in-a-text": `"description": "\\ud83d"`,
  "half-in-a-key": `"viewCapabilities": { "\\udc00": ["read"] }`,
};
/** By the name of a token, its id and its secret, where these themselves are odd. */
const names: Readonly<Record<string, readonly [id: string, secret: string]>> = {
  "odd-id": ["t\\ud800", "xaat-odd-id-0123456789"],
  "marker-id": [marker, "xaat-marker-id-0123456789"],
  "odd-secret": ["t-odd-secret", "xaat-\\ud83d-0123456789"],
};

const answer: Behaviour = (response, { call, body }) => {
  if (call === "GET /v2/tokens") return void response.writeHead(200, { "content-type": "application/json" }).end("[]");
  const { name } = JSON.parse(body);
  const [id, secret] = names[name] ?? [`t-${name}`, `xaat-${name}`];
  const members = [`"id": "${id}", "name": "${name}", "token": "${secret}"`, odd[name as keyof typeof odd] ?? `"a": 1`];
  response.writeHead(200, { "content-type": "application/json" }).end(`{ ${members.join(", ")} }`);
};

const token = (name: string) => `new ApiToken("${name}", { name: "${name}" })`;

describe.each(forms)("in the %s form", (form) => {
  test("whatever else a response contains, the token's id and secret are recorded, with a warning", async () => {
    await using service = await startService(answer);
    const rows = Object.keys(odd);
    const text = `export const secrets = [${rows.map(token).join(", ")}].map(({ token }) => token);`;
    await using it = await deploy(form, text, { env: { EVENT_DATASETS_BASE_URL: service.url } });
    const { stdout, stderr } = await it.workspace.up();
    const { secrets } = await it.workspace.outputs({ showSecrets: true });
    expect(secrets).toEqual(rows.map((name) => `xaat-${name}`));
    for (const name of rows) {
      expect((await it.resource("ApiToken", name)).id).toBe(`t-${name}`);
      expect(stdout + stderr).toContain(`ApiToken t-${name}: the service's response holds text in`);
    }
    expect(service.calls.filter((call) => call.startsWith("POST"))).toHaveLength(rows.length);
  });

  test("an id or a secret that cannot be recorded is named", async () => {
    await using service = await startService(answer);
    const text = Object.keys(names).map(token).join(";\n");
    await using it = await deploy(form, text, { env: { EVENT_DATASETS_BASE_URL: service.url } });
    const { stdout, stderr } = await it.workspace.up({ args: ["--continue-on-error"], expectFailure: "either" });
    const said = (stdout + stderr).split("\n");
    const problem = /that the engine cannot record; it is recorded in an altered form|is not tracked/;
    for (const [id] of Object.values(names))
      expect(said.filter((line) => line.includes(id))).toContainEqual(expect.stringMatching(problem));
    expect(service.calls.filter((call) => call.startsWith("POST"))).toHaveLength(Object.keys(names).length);
  });

  test("a token whose create got no response is tracked, however much it declares", async () => {
    const datasets = `Array.from({ length: 3_000 }, (_, n) => ["dataset-" + n, { query: ["read"] }])`;
    await using it = await deploy(
      form,
      `new ApiToken("big", { datasetCapabilities: Object.fromEntries(${datasets}) });`,
    );
    it.service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "close-before-response" } });
    const { stdout } = await it.workspace.up({ expectFailure: true });
    expect(stdout).toContain("its secret never arrived");
    const { id, outputs } = await it.resource("ApiToken", "big");
    expect(id).toBe(it.service.tokens.list()[0]?.id);
    expect(outputs).toMatchObject({ record: { lost: true } });
  });
});
