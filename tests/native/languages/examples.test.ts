import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { CHECKOUT, type ProgramSource } from "../../support/program";
import { createNativeDeployment, goRuntime, languagePrograms } from "./workspace";

const folderOf = (language: string) => join(CHECKOUT, "examples/languages", language);

/** The examples with what they need on PATH. Python there has the SDK, and the Go program is compiled: nothing is installed. */
const examples: Readonly<Record<string, () => Promise<readonly [ProgramSource, ...string[]]>>> = {
  yaml: async () => [folderOf("yaml")],
  python: async () => {
    const main = await readFile(join(folderOf("python"), "__main__.py"), "utf8");
    const project = "name: event-datasets-python\nruntime: python\n";
    return [{ "Pulumi.yaml": project, "__main__.py": main }, (await languagePrograms()).python];
  },
  go: async () => {
    const { goExample } = await languagePrograms();
    const project = await readFile(join(folderOf("go"), "Pulumi.yaml"), "utf8");
    return [{ "Pulumi.yaml": project.replace(/^runtime: go$/m, goRuntime(goExample)) }, goExample];
  },
};

test.each(Object.entries(examples))("the example in %s deploys a token whose secret shows nowhere", async (_, read) => {
  const [program, ...folders] = await read();
  await using deployment = await createNativeDeployment({ program }, folders);
  const { workspace } = deployment;
  await workspace.up();
  expect(await workspace.outputs()).toMatchObject({
    token: "[secret]",
    fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
  });
  const { token } = await workspace.outputs({ showSecrets: true });
  expect(await deployment.traces(String(token))).toEqual([]);
});
