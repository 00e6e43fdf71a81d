import { expect, test } from "@jest/globals";
import { makeByHand } from "../../support/deployment";
import { createNativeDeployment, rights, yamlProgram, yamlToken } from "./workspace";

const type = "event-datasets:index:ApiToken";
const ci = yamlToken("ci", { name: "ci", ...rights });
const copyOf = (options = {}) => yamlToken("copy", { name: "ci", ...rights }, options);
const textOf = (...parts: readonly string[]) => String(yamlProgram(...parts)["Pulumi.yaml"]);

test("a copy of a token that the stack has fails an update, does not revoke the token when it is removed, and a destroy of it says that it does", async () => {
  await using it = await createNativeDeployment({ program: yamlProgram(ci) });
  const { workspace, service } = it;
  await workspace.up();
  const { id = "", urn } = await it.resource("ApiToken", "ci");
  const liveIds = () => service.tokens.list().map((token) => token.id);
  const isTwice = `ApiToken ${id} also belongs to another resource of this update: only one can have it.`;

  await workspace.writeFile("Pulumi.yaml", textOf(ci, copyOf({ import: id })));
  expect((await workspace.up({ expectFailure: true })).stdout).toContain(isTwice);
  await workspace.writeFile("Pulumi.yaml", textOf(ci));
  expect((await workspace.up()).stdout).toContain(
    `${id} is left alone, because another resource of this update has it.`,
  );

  const { stdout } = await workspace.run(["import", type, "copy", id, "--protect=false", "--yes", "--skip-preview"]);
  expect(stdout).toContain(
    'If the stack has this token already, remove the copy with "pulumi state delete": its deletion revokes the token',
  );
  await workspace.writeFile("Pulumi.yaml", textOf(ci, copyOf()));
  expect((await workspace.up({ expectFailure: true })).stdout).toContain(isTwice);
  await workspace.up({ args: ["--target", urn] });
  expect(liveIds()).toEqual([id]);

  // No hook sees the other resource in a destroy.
  const copy = (await it.resource("ApiToken", "copy")).urn;
  const destroyed = await workspace.destroy({ args: ["--target", copy] });
  expect(destroyed.stdout).toContain(`API token "ci" (id ${id}) was revoked.`);
  expect(liveIds()).toEqual([]);
});

test("a rotation fails while the option import is declared, and says to remove it; afterwards the option would import the old token again", async () => {
  await using it = await createNativeDeployment({ program: yamlProgram(ci) });
  const { workspace, service } = it;
  const { id } = await makeByHand(service, { name: "theirs", ...rights });
  const declare = (more: object, options: object) =>
    workspace.writeFile("Pulumi.yaml", textOf(yamlToken("theirs", { name: "theirs", ...rights, ...more }, options)));
  await declare({}, { import: id });
  await workspace.up();
  const rotated = { rotation: { triggers: { round: 2 } } };
  await declare(rotated, { import: id });
  const advice = "please remove the `import` declaration from your program";
  expect((await workspace.preview()).stdout).toContain(advice);
  expect((await workspace.up({ expectFailure: true })).stdout).toContain(advice);
  await declare(rotated, {});
  await workspace.up();
  const { id: successor } = await it.resource("ApiToken", "theirs");
  expect(service.tokens.list().map((token) => token.id)).toEqual([successor]);

  await declare(rotated, { import: id });
  expect((await workspace.up({ expectFailure: true })).stdout).toContain(
    `${id}: there is no ApiToken with this id. It was deleted, or it belongs to an account other than that of the provider's settings. If it was imported and has been replaced since, remove the option import.`,
  );
  expect(service.tokens.list().map((token) => token.id)).toEqual([successor]);
});
