import { expect, test } from "@jest/globals";
import { makeByHand } from "../../support/deployment";
import { createNativeDeployment } from "./workspace";

const rights = { orgCapabilities: { users: ["read"] } };

/** A program with these tokens, by name. */
const program = (tokens: Readonly<Record<string, object>>) => ({
  "Pulumi.yaml": [
    "name: web",
    "runtime: yaml",
    Object.keys(tokens).length > 0 ? "resources:" : "resources: {}",
    ...Object.entries(tokens).map(
      ([name, token]) => `  ${name}: ${JSON.stringify({ type: "event-datasets:ApiToken", ...token })}`,
    ),
  ].join("\n"),
});

test("100 tokens in one stack are created once each, stay as they are, and are all revoked by a destroy", async () => {
  const names = Array.from({ length: 100 }, (_, n) => `token${n}`);
  const tokens = Object.fromEntries(names.map((name) => [name, { properties: rights }]));
  await using deployment = await createNativeDeployment({ program: program(tokens) });
  const { workspace, service } = deployment;
  await workspace.up();
  const live = service.tokens.list().map(({ name }) => String(name).replace(/-\w{7}$/, ""));
  expect(live.sort()).toEqual([...names].sort());
  await workspace.preview({ args: ["--expect-no-changes"] });
  await workspace.destroy();
  expect(service.tokens.list()).toEqual([]);
  expect(deployment.writes().filter((call) => call.startsWith("POST"))).toHaveLength(100);
});

test("a dataset that is called __proto__ is kept, in requests and in the state", async () => {
  const datasetCapabilities = JSON.parse(
    '{ "__proto__": { "query": ["read"] }, "constructor": { "query": ["read"] } }',
  );
  await using deployment = await createNativeDeployment({
    program: program({ ci: { properties: { datasetCapabilities } } }),
  });
  const { workspace, service } = deployment;
  await workspace.up();
  expect(JSON.stringify(service.tokens.list()[0]?.datasetCapabilities)).toBe(JSON.stringify(datasetCapabilities));
  expect(JSON.stringify((await deployment.resource("ApiToken", "ci")).outputs)).toContain(
    `"datasetCapabilities":${JSON.stringify(datasetCapabilities)}`,
  );
  await workspace.up({ args: ["--refresh", "--expect-no-changes"] });
});

test("the preview of an import shows arguments and outputs only", async () => {
  await using deployment = await createNativeDeployment({ program: program({}) });
  const { workspace, service } = deployment;
  const { id } = await makeByHand(service, { name: "theirs", ...rights });
  const internal = /^\W*(key|record|secretRecord|secretInputs|chosenName|__provider)\s*:/m;
  const args = ["import", "event-datasets:index:ApiToken", "theirs", id];
  const command = await workspace.run([...args, "--preview-only", "--diff"]);
  expect(command.stdout).toMatch(/name\s*: "theirs"/);
  expect(command.stdout).not.toMatch(internal);

  const declared = { theirs: { properties: { name: "theirs", ...rights }, options: { import: id } } };
  await workspace.writeFile("Pulumi.yaml", program(declared)["Pulumi.yaml"]);
  const { stdout } = await workspace.preview({ args: ["--diff"] });
  expect(stdout).toMatch(/name\s*: "theirs"/);
  expect(stdout).not.toMatch(internal);
});
