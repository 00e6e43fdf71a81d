import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { version } from "../../sdk/version";
import { createDeployment, makeByHand } from "../support/deployment";
import { createWorkspace } from "../support/engine";
import { CHECKOUT } from "../support/program";

const fixtures = join(CHECKOUT, "tests/fixtures/state");
const versions = readdirSync(fixtures);

const passphrase = "a passphrase of the fixtures";
/** Nobody listens there: an update without a change sends nothing, and in the documented profile neither does a destroy. */
const address = "https://service.invalid";

/** Deploys the program of the last version, and keeps what the engine stores for the tests of later versions. */
async function recordState(): Promise<void> {
  const last = versions.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1) ?? "";
  const names = ["Pulumi.yaml", "index.ts"];
  const program = Object.fromEntries(names.map((name) => [name, readFileSync(join(fixtures, last, name), "utf8")]));
  const env = { PULUMI_CONFIG_PASSPHRASE: passphrase };
  await using deployment = await createDeployment({ program, env, hosts: "engine" });
  const { workspace, service } = deployment;
  const adopted = await makeByHand(service, {
    name: "made by hand",
    expiresAt: "2999-01-01T00:00:00Z",
    orgCapabilities: { apiTokens: ["read"] },
  });
  for (const [key, value] of Object.entries({ url: service.url, adoptedId: adopted.id }))
    await workspace.setConfig(key, value);
  const secrets = {
    accessToken: service.rootToken,
    adopted: adopted.token,
    description: "a description that is a secret",
  };
  for (const [key, value] of Object.entries(secrets)) await workspace.setConfig(key, value, { secret: true });
  await workspace.up();
  // Source positions hold paths of this machine.
  const isKept = (key: string) => !["sourcePosition", "stackTrace"].includes(key);
  const state = JSON.stringify(await workspace.export(), (key, value) => (isKept(key) ? value : undefined));
  const config = readFileSync(join(workspace.program, "Pulumi.dev.yaml"), "utf8");
  const folder = join(fixtures, `v${version}`);
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries({ ...program, "stack.json": state, "Pulumi.dev.yaml": config }))
    await writeFile(join(folder, name), content.replaceAll(service.url, address));
}

// A step of a release: see design/maintaining.md.
if (process.env.EVENT_DATASETS_WRITE_STATE) test("records the state of this version", recordState);

test("there is a state of this version for the tests of later versions", () => {
  expect(versions).toContain(`v${version}`);
});

test.each(versions)("the state that %s wrote is taken over without a change, and can be destroyed", async (name) => {
  const folder = join(fixtures, name);
  await using workspace = await createWorkspace({
    program: folder,
    env: {
      EVENT_DATASETS_BASE_URL: address,
      EVENT_DATASETS_ACCESS_TOKEN: "xaat-of-nobody",
      PULUMI_CONFIG_PASSPHRASE: passphrase,
    },
  });
  const { deployment } = JSON.parse(readFileSync(join(folder, "stack.json"), "utf8"));
  await workspace.run(["stack", "import", "--file", "stack.json"]);
  const secrets = await workspace.outputs({ showSecrets: true });
  expect(secrets).toMatchObject({
    named: expect.stringMatching(/^xaat-/),
    rotated: expect.stringMatching(/^[0-9a-f]{12}$/),
  });

  await workspace.up({ args: ["--expect-no-changes"] });
  const resources = ({ urn, id, outputs }: Record<string, unknown>) => ({ urn, id, keys: Object.keys(outputs ?? {}) });
  const kept = (await workspace.export()).deployment.resources ?? [];
  expect(kept.map(resources)).toEqual(expect.arrayContaining(deployment.resources.map(resources)));

  const { stdout } = await workspace.destroy();
  for (const logicalName of ["named-", "rotated", "counted-", "made by hand", "elsewhere-"]) {
    expect(stdout).toContain(`API token "${logicalName}`);
  }
  expect((await workspace.export()).deployment.resources ?? []).toEqual([]);
});
