import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createDeployment, type Deployment } from "../support/deployment";
import { forms, inForm, moduleOf } from "../support/forms";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

// One stack a form: each test goes on where the one before it ended, since the engine takes seconds for each command.

const capabilities = { apiTokens: ["create", "read"], annotations: ["create"] };
const expiresAt = "2030-01-01T00:00:00Z";

/** The expiry of each token that has one: as it is declared first, and other ways to write it. */
const spellings = {
  ci: "2030-01-01T00:00:00.000Z",
  utc: "2030-01-01T00:00:00+00:00",
  zoned: "2030-01-01T01:00:00+01:00",
};

describe.each(forms)("in the %s form and the documented profile,", (form) => {
  const first = (key: keyof typeof spellings, orgCapabilities = capabilities) =>
    `const ${key} = new ApiToken("${key}", ${JSON.stringify({ expiresAt, orgCapabilities })});\n`;
  const respell = (key: keyof typeof spellings) =>
    `const ${key} = new ApiToken("${key}", ${JSON.stringify({
      orgCapabilities: { annotations: ["create"], apiTokens: ["read", "create"] },
      expiresAt: spellings[key],
    })});\n`;
  const changed = first("ci", { ...capabilities, apiTokens: ["read"] });

  const program = (title: string, ...parts: string[]) => `import { Annotation, ApiToken } from "${moduleOf(form)}";
new Annotation("deployed", { datasets: ["web"], type: "deploy", title: "${title}" });
new ApiToken("fixed", { name: "fixed" });
${parts.join("")}
export const { id, name, token } = ci;
`;

  // The create and the destroy run as a user's do. leakScan has failures in the engine's own hosts, and the examples replace a token.
  const engineHosts = form === "dynamic" ? ({ hosts: "engine" } as const) : {};

  let deployment: Deployment;
  /** Of the first `ci`. */
  let secret: string;
  let firstId: string | undefined;
  /** The result of the program's lookup. */
  let found: unknown;

  /** The secret as a consumer gets it. */
  const readSecret = async () => String((await deployment.workspace.outputs({ showSecrets: true })).token);

  /** The status with which the service responds to a token. */
  const statusFor = async (token: string) =>
    (await fetch(`${deployment.service.url}/v2/tokens`, { headers: { authorization: `Bearer ${token}` } })).status;

  const liveTokens = (name: string) =>
    deployment.service.tokens.list().filter((live) => String(live.name).replace(/-[0-9a-f]{7}$/, "") === name);

  const created = ["POST /v2/annotations 201", ...Array<string>(4).fill("POST /v2/tokens 200")];

  beforeAll(async () => {
    const files = { "index.ts": program("1.4", first("ci"), first("utc"), first("zoned")) };
    deployment = await createDeployment(inForm(form, { program: files }));
    await deployment.workspace.up(engineHosts);
    secret = await readSecret();
    firstId = liveTokens("ci")[0]?.id;
  });
  afterAll(async () => deployment?.[Symbol.asyncDispose]());

  test("a token is created once, works, stays a secret everywhere, and a second preview and a refresh change nothing", async () => {
    const { workspace, service } = deployment;
    expect(await statusFor(secret)).toBe(200);
    expect((await workspace.outputs()).token).toBe("[secret]");
    expect(liveTokens("ci")).toEqual([
      {
        id: expect.any(String),
        name: expect.stringMatching(/^ci-[0-9a-f]{7}$/),
        expiresAt,
        orgCapabilities: capabilities,
      },
    ]);
    await workspace.preview({ args: ["--expect-no-changes"] });
    await workspace.refresh({ args: ["--expect-no-changes"] });
    expect(await readSecret()).toBe(secret);
    expect(deployment.writes().sort()).toEqual(created);

    const { inputs, outputs } = await deployment.resource("ApiToken", "ci");
    expect(outputs?.token).toEqual(expect.objectContaining({ ciphertext: expect.any(String) }));
    expect(inputs).not.toHaveProperty("token");
    expect(String(inputs?.__provider).length).toBeLessThan(100);
    expect(await deployment.traces(secret, service.rootToken)).toEqual([]);
  });

  test("a second update changes nothing, even with another order of actions and keys or another spelling of the expiry", async () => {
    const files = program("1.4", respell("ci"), respell("utc"), respell("zoned"));
    await deployment.workspace.writeFile("index.ts", files);
    await deployment.workspace.up({ args: ["--expect-no-changes"] });
    expect(await readSecret()).toBe(secret);
    expect(deployment.writes().sort()).toEqual(created);
  });

  test("a change creates the new token first, and says which token stays valid", async () => {
    const { workspace } = deployment;
    const [old] = liveTokens("ci");
    const lookup = `export const found = ApiToken.get("found", "${liveTokens("utc")[0]?.id}");\n`;
    const files = program("1.5", changed, respell("utc"), respell("zoned"), lookup);
    await workspace.writeFile("index.ts", files);
    expect((await workspace.preview()).stdout).toMatch(/ApiToken ci replace \[diff: .*orgCapabilities.*\]/);
    const { stdout } = await workspace.up();
    found = (await workspace.outputs()).found;
    expect(stdout).toContain(
      `warning: API token "${old?.name}" (id ${old?.id}) is no longer managed here, but it stays valid until ${expiresAt}`,
    );
    expect(deployment.writes().sort()).toEqual(["POST /v2/annotations 201", ...created, "POST /v2/tokens 200"]);
    const renewed = await readSecret();
    expect(renewed).not.toBe(secret);
    expect([await statusFor(secret), await statusFor(renewed)]).toEqual([200, 200]);
    expect(await deployment.traces(secret, renewed)).toEqual([]);
  });

  test("a change of an annotation creates another one, and Annotation.get is refused", async () => {
    const { workspace, service } = deployment;
    expect(service.annotations.list().map(({ title }) => title)).toEqual(["1.4", "1.5"]);
    const lookup = `Annotation.get("found", "ann_1");\n`;
    const before = program("1.5", changed, respell("utc"), respell("zoned"), lookup);
    await workspace.writeFile("index.ts", before);
    const { stdout } = await workspace.up({ expectFailure: true });
    expect(stdout).toContain("annotation ann_1 cannot be looked up: the documented interface has no way to read");
  });

  test("ApiToken.get reads a token without managing it", () => {
    const [live] = liveTokens("utc");
    const { id, name, orgCapabilities } = { ...live };
    expect(found).toMatchObject({ id, name, orgCapabilities });
    expect(id).toBeDefined();
  });

  test("a destroy forgets the tokens and warns with their ids and expiries", async () => {
    const { workspace } = deployment;
    const writes = deployment.writes();
    const managed = ["ci", "fixed", "utc", "zoned"].flatMap(liveTokens).filter(({ id }) => id !== firstId);
    expect(managed).toHaveLength(4);
    const { stdout } = await workspace.destroy(engineHosts);
    const summary = stdout.slice(stdout.indexOf("Diagnostics:"));
    for (const { id, name, expiresAt: end } of managed) {
      const valid = end === undefined ? "it has no expiry and stays valid" : `it stays valid until ${end}`;
      expect(summary).toContain(`API token "${name}" (id ${id}) is no longer managed here, but ${valid}`);
    }
    // None of what was only looked at.
    expect(summary.match(/warning: API token/g)).toHaveLength(managed.length);
    expect((await workspace.export()).deployment.resources ?? []).toEqual([]);
    expect(deployment.writes()).toEqual(writes);
  });
});
