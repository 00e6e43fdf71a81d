import { describe, expect, test } from "@jest/globals";
import { createDeployment, type Deployment } from "../support/deployment";
import { forms, inForm, moduleOf } from "../support/forms";

describe.each(forms)("in the %s form,", (form) => {
  const program = (args: string, options = "{}") => ({
    "index.ts": `import { ApiToken } from "${moduleOf(form)}";
const ci = new ApiToken("ci", ${args}, ${options});
export const { id, name, token } = ci;
`,
  });

  const spec = `{ expiresAt: "2030-01-01T00:00:00Z", orgCapabilities: { apiTokens: ["create", "read"], annotations: ["create"] } }`;

  /** The secret as a consumer gets it. */
  const secretOf = async ({ workspace }: Deployment) => String((await workspace.outputs({ showSecrets: true })).token);

  /** What the service answers to a token. */
  const statusFor = async ({ service }: Deployment, token: string) =>
    (await fetch(`${service.url}/v2/tokens`, { headers: { authorization: `Bearer ${token}` } })).status;

  test("a token is created once, works, stays a secret everywhere, and a second update changes nothing", async () => {
    await using deployment = await createDeployment(inForm(form, { program: program(spec) }));
    const { workspace, service } = deployment;
    await workspace.up();
    const token = await secretOf(deployment);

    expect(await statusFor(deployment, token)).toBe(200);
    expect((await workspace.outputs()).token).toBe("[secret]");
    expect(service.tokens.list()).toEqual([
      {
        id: expect.any(String),
        name: expect.stringMatching(/^ci-[0-9a-f]{7}$/),
        expiresAt: "2030-01-01T00:00:00Z",
        orgCapabilities: { apiTokens: ["create", "read"], annotations: ["create"] },
      },
    ]);
    await workspace.preview({ args: ["--expect-no-changes"] });
    await workspace.up({ args: ["--expect-no-changes"] });
    await workspace.refresh({ args: ["--expect-no-changes"] });
    expect(await secretOf(deployment)).toBe(token);
    expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);

    const { inputs, outputs } = await deployment.resource("ApiToken", "ci");
    expect(outputs?.token).toEqual(expect.objectContaining({ ciphertext: expect.any(String) }));
    expect(inputs).not.toHaveProperty("token");
    expect(String(inputs?.__provider).length).toBeLessThan(100);
    expect(await deployment.traces(token)).toEqual([]);
    expect(await deployment.traces(service.rootToken)).toEqual([]);
  });

  test("another order of actions and keys and another spelling of the expiry change nothing", async () => {
    await using deployment = await createDeployment(inForm(form, { program: program(spec) }));
    await deployment.workspace.up();
    for (const expiresAt of ["2030-01-01T00:00:00.000Z", "2030-01-01T00:00:00+00:00", "2030-01-01T01:00:00+01:00"]) {
      const respelled = `{ orgCapabilities: { annotations: ["create"], apiTokens: ["read", "create"] }, expiresAt: "${expiresAt}" }`;
      await deployment.workspace.writeFile("index.ts", program(respelled)["index.ts"]);
      await deployment.workspace.up({ args: ["--expect-no-changes"] });
    }
    expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);
  });

  test("a change makes the new token before the old one goes, and the documented profile says what stays valid", async () => {
    await using deployment = await createDeployment(inForm(form, { program: program(spec) }));
    const { workspace, service } = deployment;
    await workspace.up();
    const [old] = service.tokens.list();
    const secret = await secretOf(deployment);

    await workspace.writeFile("index.ts", program(spec.replace('"create", "read"', '"read"'))["index.ts"]);
    expect((await workspace.preview()).stdout).toMatch(/ApiToken ci replace \[diff: .*orgCapabilities.*\]/);
    const { stdout } = await workspace.up();
    expect(stdout).toContain(
      `warning: API token "${old?.name}" (id ${old?.id}) is no longer managed here, but it stays valid until 2030-01-01T00:00:00Z`,
    );
    expect(deployment.writes()).toEqual(["POST /v2/tokens 200", "POST /v2/tokens 200"]);
    const renewed = await secretOf(deployment);
    expect(renewed).not.toBe(secret);
    expect([await statusFor(deployment, secret), await statusFor(deployment, renewed)]).toEqual([200, 200]);
    expect([...(await deployment.traces(secret)), ...(await deployment.traces(renewed))]).toEqual([]);
  });

  test("the extended profile revokes the old token after the new one was made, and the last one on destroy", async () => {
    await using deployment = await createDeployment(
      inForm(form, {
        program: program(spec),
        serviceOptions: { profile: "extended" },
        env: { EVENT_DATASETS_PROFILE: "extended" },
      }),
    );
    const { workspace, service } = deployment;
    await workspace.up();
    const [old] = service.tokens.list();
    await workspace.writeFile("index.ts", program(spec.replace("2030", "2031"))["index.ts"]);
    await workspace.up();
    const [renewed] = service.tokens.list();
    await workspace.destroy();
    expect(deployment.writes()).toEqual([
      "POST /v2/tokens 200",
      "POST /v2/tokens 200",
      `DELETE /v2/tokens/${old?.id} 204`,
      `DELETE /v2/tokens/${renewed?.id} 204`,
    ]);
    expect(service.tokens.list()).toEqual([]);
  });

  test("a destroy in the documented profile forgets the token and warns with its id and expiry", async () => {
    await using deployment = await createDeployment(inForm(form, { program: program(`{ name: "fixed" }`) }));
    const { workspace, service } = deployment;
    await workspace.up();
    const [live] = service.tokens.list();
    const { stdout } = await workspace.destroy();
    expect(stdout).toContain(
      `API token "fixed" (id ${live?.id}) is no longer managed here, but it has no expiry and stays valid`,
    );
    expect((await workspace.export()).deployment.resources ?? []).toEqual([]);
    expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);
  });

  test("ApiToken.get reads a token without managing it", async () => {
    await using deployment = await createDeployment(inForm(form, { program: program(spec) }));
    const { workspace, service } = deployment;
    await workspace.up();
    const [live] = service.tokens.list();
    await workspace.writeFile(
      "index.ts",
      `import { ApiToken } from "${moduleOf(form)}";
new ApiToken("ci", ${spec});
const found = ApiToken.get("found", "${live?.id}");
export const { id, name, orgCapabilities } = found;
`,
    );
    await workspace.up();
    expect(await workspace.outputs()).toEqual({
      id: live?.id,
      name: live?.name,
      orgCapabilities: live?.orgCapabilities,
    });
    const { stdout } = await workspace.destroy();
    const summary = stdout.slice(stdout.indexOf("Diagnostics:"));
    expect(summary.match(/warning: API token/g)).toHaveLength(1);
    expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);
  });
});
