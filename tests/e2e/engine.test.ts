import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { createWorkspace } from "../support/engine";
import { keyProvider, stateFile } from "../support/stack";

test("the stack that a workspace begins with is selected, and named and set up as the engine's own", async () => {
  await using workspace = await createWorkspace({ program: { "index.js": "" } });
  const { backend, program, stack } = workspace;
  expect((await workspace.run(["stack", "--show-name"])).stdout.trim()).toBe(stack);
  await workspace.run(["stack", "init", "own", "--secrets-provider", keyProvider]);
  const read = async (name: string) => {
    const { version, checkpoint } = JSON.parse(
      await readFile(await stateFile({ backend, program, stack: name }), "utf8"),
    );
    const settings = await readFile(path.join(program, `Pulumi.${name}.yaml`), "utf8");
    const [, key = ""] = /^encryptedkey: (\S+)$/m.exec(settings) ?? [];
    return {
      version,
      stack: checkpoint.stack.replace(name, "NAME"),
      settings: settings.replace(key, "KEY"),
      wrapped: Buffer.from(Buffer.from(key, "base64").toString().replace("vault:v1:", ""), "base64").length,
    };
  };
  const own = await read("own");
  expect(own.wrapped).toBe(32);
  expect(await read(stack)).toEqual(own);
});

test("plugins that a killed engine leaves behind end with their workspace, and no other process does", async () => {
  const neighbour = await createWorkspace({ program: { "index.js": "setInterval(() => {}, 1000)" } });
  const running = await neighbour.start(["up", "--yes", "--skip-preview"]);
  await running.printed("creating");
  const others = await neighbour.processes();
  expect(others.length).toBeGreaterThan(1);
  {
    await using workspace = await createWorkspace({ program: { "index.js": "setInterval(() => {}, 1000)" } });
    const up = await workspace.start(["up", "--yes", "--skip-preview"]);
    await up.printed("creating");
    up.kill("SIGKILL");
    expect(await up.done).toMatchObject({ signal: "SIGKILL" });
  }
  expect(await neighbour.processes()).toEqual(others);

  await neighbour[Symbol.asyncDispose]();
  expect(await neighbour.processes()).toEqual([]);
});
