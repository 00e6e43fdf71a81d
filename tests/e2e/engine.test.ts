import { appendFile, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createWorkspace, type Workspace } from "../support/engine";
import { keyProvider } from "../support/keyService";
import { CHECKOUT } from "../support/program";
import { findSecret } from "../support/secrets";
import { stateFile } from "../support/stackFiles";

const canary = "cnry-5f2a77c1d90e4b38";

/** A dynamic provider in the form that the engine stores: a string which requires a module of the program's folder. */
const provider = `exports.create = async (inputs) => ({ id: "thing-" + inputs.size, outs: { ...inputs, made: true } });
`;

const program = `import * as pulumi from "@pulumi/pulumi";
class Thing extends pulumi.CustomResource {
  declare readonly size: pulumi.Output<number>;
  constructor(name: string, size: number) {
    const args = { __provider: 'exports.handler=()=>require("./provider.cjs")', size, made: undefined };
    super("pulumi-nodejs:event-datasets:Thing", name, args);
  }
}
const made = new Thing("configured", 2);
export const stack: string = pulumi.getStack();
export const size = made.size;
`;

// The quick start has a tsconfig.json, too; npm run matrix deploys ES modules.
test("a program in TypeScript goes up with a tsconfig.json of today, and its types are checked", async () => {
  const compilerOptions = { strict: true, target: "es2022", module: "nodenext" };
  const files = { "index.ts": program, "provider.cjs": provider, "tsconfig.json": JSON.stringify({ compilerOptions }) };
  await using workspace = await createWorkspace({ program: files });
  // As users run it: with its types checked, which takes seconds.
  const { stdout } = await workspace.up({ env: { PULUMI_NODEJS_TRANSPILE_ONLY: undefined } });
  expect(stdout).toContain("+ 2 created");
  const { resources } = (await workspace.export()).deployment;
  const things = resources?.filter(({ type }) => type === "pulumi-nodejs:event-datasets:Thing");
  expect(things).toMatchObject([{ id: "thing-2", outputs: { size: 2, made: true } }]);
  expect(await workspace.outputs()).toEqual({ stack: "dev", size: 2 });

  // Not by `workspace.writeFile`, which keeps each program for the check of all types.
  await appendFile(path.join(workspace.program, "index.ts"), "export const wrong: number = stack;\n");
  const refused = await workspace.up({ env: { PULUMI_NODEJS_TRANSPILE_ONLY: undefined }, expectFailure: true });
  expect(refused.stdout + refused.stderr).toContain("Type 'string' is not assignable to type 'number'");
});

describe("a program that has the packed package installed", () => {
  const program = {
    "index.js": `const pulumi = require("@pulumi/pulumi");
const config = new pulumi.Config();
exports.place = require.resolve("pulumi-event-datasets");
exports.oneSdk = require.resolve("@pulumi/pulumi", { paths: [exports.place] }) === require.resolve("@pulumi/pulumi");
exports.hidden = config.requireSecret("hidden");
exports.shown = config.require("shown");
exports.url = process.env.EVENT_DATASETS_BASE_URL ?? "none";
exports.given = process.env.EVENT_DATASETS_ACCOUNT ?? "none";
`,
  };
  let workspace: Workspace;
  beforeAll(async () => {
    process.env.EVENT_DATASETS_BASE_URL = "http://the-developers.own";
    workspace = await createWorkspace({ program, installation: "packed" });
    await workspace.setConfig("e2e:hidden", canary, { secret: true });
    await workspace.setConfig("e2e:shown", "-5 apples");
    await workspace.up({ env: { EVENT_DATASETS_ACCOUNT: "of the command" } });
  });
  afterAll(async () => {
    delete process.env.EVENT_DATASETS_BASE_URL;
    await workspace?.[Symbol.asyncDispose]();
  });

  test("runs as a linked one does", async () => {
    const { place, oneSdk } = await workspace.outputs();
    expect(place).toMatch(/node_modules\/pulumi-event-datasets\/dist\/provider\/index\.js$/);
    expect(place).not.toContain(CHECKOUT);
    expect(oneSdk).toBe(true);
  });

  test("returns its outputs, its secret only on request, and no written file contains the secret", async () => {
    expect(await workspace.outputs()).toMatchObject({ hidden: "[secret]", shown: "-5 apples" });
    expect(await workspace.outputs({ showSecrets: true })).toMatchObject({ hidden: canary, shown: "-5 apples" });
    await workspace.refresh();
    const texts = Object.fromEntries(
      workspace.commands.map((command) => [command.line, command.stdout + command.stderr]),
    );
    expect(await findSecret({ folders: [workspace.root], texts }, canary)).toEqual([]);
  });

  test("gets the environment that the command was given, not the caller's", async () => {
    expect(await workspace.outputs()).toMatchObject({ url: "none", given: "of the command" });
  });
});

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

test("a failure contains the engine's output; an expected failure returns it", async () => {
  await using workspace = await createWorkspace({ program: { "index.js": "" } });

  const select = ["stack", "select", "another"];
  await expect(workspace.run(select)).rejects.toThrow("no stack named 'another'");
  const result = await workspace.run(select, { expectFailure: true });
  expect(result.stderr).toContain("no stack named 'another'");
  await expect(workspace.run(["whoami"], { expectFailure: true })).rejects.toThrow("should have failed");
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
