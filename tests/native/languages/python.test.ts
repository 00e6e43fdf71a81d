import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { makeByHand } from "../../support/deployment";
import { CHECKOUT } from "../../support/program";
import { createNativeDeployment, languagePrograms } from "./workspace";

const example = join(CHECKOUT, "examples", "languages", "python");

test("the Python example deploys, stays as it is, replaces, imports and destroys", async () => {
  const { python } = await languagePrograms();
  await using deployment = await createNativeDeployment({ program: example }, [python]);
  const { workspace, service } = deployment;
  // The Python on PATH has the SDK, so that no virtual environment has to be made.
  await workspace.writeFile("Pulumi.yaml", "name: event-datasets-python\nruntime: python\n");
  await workspace.up();
  const first = await workspace.outputs({ showSecrets: true });
  expect(await workspace.outputs()).toEqual({
    token: "[secret]",
    fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
    rotates_at: expect.any(String),
    expires_at: service.tokens.list()[0]?.expiresAt,
  });
  await workspace.preview({ args: ["--expect-no-changes"] });

  const theirs = await makeByHand(service, { name: "theirs", orgCapabilities: { users: ["read"] } });
  const program = await readFile(join(example, "__main__.py"), "utf8");
  const changed = `${program.replace('"api_tokens": ["read"]', '"api_tokens": ["read", "create"]')}
theirs = event_datasets.ApiToken(
    "theirs",
    name="theirs",
    org_capabilities={"users": ["read"]},
    opts=pulumi.ResourceOptions(import_="${theirs.id}"),
)
pulumi.export("theirs", theirs.name)
result = event_datasets.query_apl(apl="['web'] | count", start_time="now-1h", end_time="now")
pulumi.export("format", result.format)
`;
  await workspace.writeFile("__main__.py", changed);
  await service.ingest("web", [{ _time: new Date().toISOString(), status: 500 }]);
  const { stdout } = await workspace.up();
  expect(stdout).toMatch(/will be replaced, which creates a new secret: orgCapabilities/);
  expect(stdout).toMatch(/ApiToken theirs imported/);
  const second = await workspace.outputs({ showSecrets: true });
  expect(second).toMatchObject({
    theirs: "theirs",
    format: "legacy",
    fingerprint: expect.not.stringMatching(String(first.fingerprint)),
  });
  expect(service.tokens.list()).toHaveLength(2);
  expect([
    ...(await deployment.traces(String(first.token))),
    ...(await deployment.traces(String(second.token))),
  ]).toEqual([]);

  await workspace.destroy();
  // An imported token is owned like any other.
  expect(service.tokens.list().map(({ id }) => id)).toEqual([]);
  expect(deployment.writes().filter((call) => call.startsWith("POST /v2/tokens"))).toHaveLength(3);
});
