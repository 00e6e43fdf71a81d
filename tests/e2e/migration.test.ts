import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { CHECKOUT } from "../support/program";
import { findSecret } from "../support/secrets";

const example = join(CHECKOUT, "examples/migrate-dynamic");

test("the token of a hand-written dynamic provider is taken over unchanged, its secret gets encrypted, and the way back works", async () => {
  await using deployment = await createDeployment({ program: join(example, "before") });
  const { workspace, service } = deployment;
  await workspace.up();
  const before = await workspace.outputs({ showSecrets: true });
  const secret = String(before.token);
  const exported = (await workspace.run(["stack", "export"])).stdout;
  expect(exported).toContain(secret); // in plain text: what the migration mends

  await workspace.writeFile("index.ts", await readFile(join(example, "after/index.ts"), "utf8"));
  const preview = await workspace.preview();
  expect(preview.stdout).not.toMatch(/replace|create |delete/);
  await workspace.up();
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.refresh({ args: ["--expect-no-changes"] });
  expect(await workspace.outputs({ showSecrets: true })).toEqual(before);
  expect(await workspace.outputs()).toEqual({ ...before, token: "[secret]" });
  const now = (await workspace.run(["stack", "export"])).stdout;
  expect(await findSecret({ folders: [], texts: { "stack export": now } }, secret)).toEqual([]);

  // Back: the state from before is all that it takes.
  await workspace.writeFile("before.json", exported);
  await workspace.writeFile("index.ts", await readFile(join(example, "before/index.ts"), "utf8"));
  await workspace.run(["stack", "import", "--file", "before.json"]);
  await workspace.up({ args: ["--expect-no-changes"] });
  expect(service.tokens.list()).toHaveLength(1);
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200"]);
});
