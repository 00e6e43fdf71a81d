import { afterEach, describe, expect, test } from "@jest/globals";
import { createWorkspace, type StateResource } from "../support/engine";
import { CHECKOUT } from "../support/program";
import { findSecret } from "../support/secrets";

const canary = "cnry-5f2a77c1d90e4b38";

/** A dynamic provider in the form that the engine stores: a string which requires a module of the program's folder. */
const provider = `exports.create = async (inputs) => ({ id: "thing-1", outs: { ...inputs, made: true } });
exports.update = async (id, olds, news) => ({ outs: { ...news, made: true } });
exports.diff = async (id, olds, news) => ({ changes: olds.size !== news.size });
`;

const thing = (file: string) => `{ __provider: 'exports.handler=()=>require("./${file}")', size: 3, made: undefined }`;

const typeScript = `import * as pulumi from "@pulumi/pulumi";
class Thing extends pulumi.CustomResource {
  declare readonly size: pulumi.Output<number>;
  constructor(name: string) {
    super("pulumi-nodejs:event-datasets:Thing", name, ${thing("provider.js")});
  }
}
const made = new Thing("one");
export const stack: string = pulumi.getStack();
export const size = made.size;
export const hidden = pulumi.secret("${canary}");
`;

const script = (file: string) => `class Thing extends pulumi.CustomResource {
  constructor(name) {
    super("pulumi-nodejs:event-datasets:Thing", name, ${thing(file)});
  }
}
const made = new Thing("one");
`;

const programs: [kind: string, files: Record<string, string>][] = [
  ["TypeScript", { "index.ts": typeScript, "provider.js": provider }],
  [
    "TypeScript with a tsconfig.json of today",
    {
      "index.ts": typeScript,
      "provider.js": provider,
      "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, target: "es2022", module: "nodenext" } }),
    },
  ],
  [
    "a CommonJS script",
    {
      "index.js": `const pulumi = require("@pulumi/pulumi");\n${script("provider.js")}
module.exports = { stack: pulumi.getStack(), size: made.size, hidden: pulumi.secret("${canary}") };\n`,
      "provider.js": provider,
    },
  ],
  [
    "an ES module",
    {
      "package.json": JSON.stringify({ name: "e2e", type: "module" }),
      "index.js": `import * as pulumi from "@pulumi/pulumi";\n${script("provider.cjs")}
export const stack = pulumi.getStack(), size = made.size, hidden = pulumi.secret("${canary}");\n`,
      "provider.cjs": provider,
    },
  ],
];

describe.each(programs)("%s", (_, program) => {
  test("goes up, stays as it is, and comes down", async () => {
    // As users run it: with its types checked.
    await using workspace = await createWorkspace({ program, env: { PULUMI_NODEJS_TRANSPILE_ONLY: undefined } });

    expect((await workspace.preview()).stdout).toContain("+ 2 to create");
    expect((await workspace.up()).stdout).toContain("+ 2 created");
    await workspace.preview({ args: ["--expect-no-changes"] });
    const { resources = [] } = (await workspace.export()).deployment;
    expect(resources.find(isThing)).toMatchObject({ id: "thing-1", outputs: { size: 3, made: true } });
    expect((await workspace.destroy()).stdout).toContain("- 2 deleted");
    expect((await workspace.export()).deployment.resources ?? []).toEqual([]);
  });
});

const isThing = (resource: StateResource) => resource.type === "pulumi-nodejs:event-datasets:Thing";

test("a program that has the packed package installed runs as a linked one does", async () => {
  const program = {
    "index.js": `const pulumi = require("@pulumi/pulumi");
exports.place = require.resolve("pulumi-event-datasets");
exports.oneSdk = require.resolve("@pulumi/pulumi", { paths: [exports.place] }) === require.resolve("@pulumi/pulumi");`,
  };
  await using workspace = await createWorkspace({ program, installation: "packed" });

  await workspace.up();

  const { place, oneSdk } = await workspace.outputs();
  expect(place).toMatch(/node_modules\/pulumi-event-datasets\/dist\/provider\/index\.js$/);
  expect(place).not.toContain(CHECKOUT);
  expect(oneSdk).toBe(true);
});

test("a program's outputs come back, its secret only when asked for, and nothing written holds the secret", async () => {
  await using workspace = await createWorkspace({ program: { "index.js": secretFromConfig } });
  await workspace.setConfig("e2e:hidden", canary, { secret: true });
  await workspace.setConfig("e2e:shown", "-5 apples");

  await workspace.up();

  expect(await workspace.outputs()).toEqual({ hidden: "[secret]", shown: "-5 apples" });
  expect(await workspace.outputs({ showSecrets: true })).toEqual({ hidden: canary, shown: "-5 apples" });
  await workspace.refresh();
  const upOnly = workspace.commands.filter((command) => !command.line.includes("--show-secrets"));
  const texts = Object.fromEntries(upOnly.map((command) => [command.line, command.stdout + command.stderr]));
  expect(await findSecret({ folders: [workspace.root], texts }, canary)).toEqual([]);
});

const secretFromConfig = `const pulumi = require("@pulumi/pulumi");
const config = new pulumi.Config();
exports.hidden = config.requireSecret("hidden");
exports.shown = config.require("shown");
`;

afterEach(() => {
  delete process.env.EVENT_DATASETS_BASE_URL;
});

test("the environment of a command reaches the program, and the caller's own does not", async () => {
  process.env.EVENT_DATASETS_BASE_URL = "http://the-developers.own";
  await using workspace = await createWorkspace({
    program: { "index.js": "exports.url = process.env.EVENT_DATASETS_BASE_URL ?? 'none';" },
  });

  await workspace.up();
  expect(await workspace.outputs()).toEqual({ url: "none" });
  await workspace.up({ env: { EVENT_DATASETS_BASE_URL: "http://127.0.0.1:1" } });
  expect(await workspace.outputs()).toEqual({ url: "http://127.0.0.1:1" });
});

test("a failure says what the engine printed; an expected one gives it back", async () => {
  await using workspace = await createWorkspace({ program: { "index.js": "throw new Error('on purpose')" } });

  await expect(workspace.up()).rejects.toThrow("on purpose");
  const result = await workspace.up({ expectFailure: true });
  expect(result.stdout).toContain("on purpose");
  await expect(workspace.run(["whoami"], { expectFailure: true })).rejects.toThrow("should have failed");
});

test("a killed engine leaves plugins behind only until the workspace goes, and it takes nobody else's", async () => {
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
