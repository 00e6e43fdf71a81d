import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { build } from "esbuild";
import { Declarations } from "../../framework/schema/declarations";
import { schemaOf } from "../../framework/schema/schema";
import { type CounterService, password, startCounterService } from "../framework/counterService";
import { toy } from "../framework/toy";
import { createWorkspace, type Workspace } from "../support/engine";
import { type Form, forms } from "../support/program";

// The provider of another service, deployed: nothing of this package's own service is in it.

const root = join(__dirname, "../..");
const file = "tests/framework/toy.ts";

const project = "name: toy-test\nruntime: nodejs\n";

/** The package schema of the toy. */
const makeSchema = () =>
  schemaOf({ declarations: new Declarations(root, [file]), provider: toy, entry: file, fileOf: () => file });

const toyModule = JSON.stringify(join(root, file));
const framework = (name: string) => JSON.stringify(join(root, "framework", name));
/** By its place, the source of each file of the package. */
const sources = {
  "node_modules/toy-counters/index.js": `export * from ${toyModule};`,
  "node_modules/toy-counters/v1/counter.js": `import { dynamicForm } from ${framework("dynamic/adapter")};
import { toy } from ${toyModule};
module.exports = dynamicForm(toy.connect, toy.resources.Counter);`,
  "pulumi-resource-toy": `import { engineAddress } from ${framework("engineWatch")};
import { serve } from ${framework("native/server")};
import { toy } from ${toyModule};
serve(toy, JSON.parse(process.env.TOY_SCHEMA ?? "{}"), engineAddress()).then(({ port }) => console.log(port));`,
};

const files: Record<string, string> = {};
let plugins: string;
beforeAll(async () => {
  plugins = await mkdtemp(join(tmpdir(), "toy-"));
  for (const [name, contents] of Object.entries(sources)) {
    const isPlugin = name === "pulumi-resource-toy";
    const bundled = await build({
      stdin: { contents, resolveDir: root, loader: "ts" },
      bundle: true,
      write: false,
      platform: "node",
      target: "node22",
      external: isPlugin ? [] : ["@pulumi/pulumi"],
      banner: isPlugin ? { js: "#!/usr/bin/env node" } : {},
      logLevel: "error",
    });
    const text = bundled.outputFiles[0]?.text ?? "";
    if (isPlugin) await writeFile(join(plugins, name), text, { mode: 0o755 });
    else files[name] = text;
  }
});
afterAll(() => rm(plugins, { recursive: true, force: true }));

/** The class of the native form: only its type differs. */
const native = `class extends pulumi.CustomResource {
  constructor(name, args, options) { super("toy:index:Counter", name, { ...args, secretKey: undefined }, options); }
}`;

const programOf = (form: Form, declared: string) => `const pulumi = require("@pulumi/pulumi");
const Counter = ${form === "dynamic" ? `require("toy-counters").Counter` : native};
const visits = new Counter("visits", ${declared});
exports.key = visits.secretKey;`;

describe.each(forms)("in the %s form", (form) => {
  let service: CounterService;
  let workspace: Workspace;

  beforeAll(async () => {
    service = await startCounterService();
    const program = { "index.js": programOf(form, `{ start: 3, label: "home" }`), "Pulumi.yaml": project, ...files };
    const PATH = [plugins, process.env.PATH].join(delimiter);
    workspace = await createWorkspace({ program, env: { PATH, TOY_SCHEMA: JSON.stringify(makeSchema()) } });
    await workspace.setConfig("toy:address", service.address);
    await workspace.setConfig("toy:password", password, { secret: true });
  });
  afterAll(async () => {
    await workspace?.[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  const stateOf = async (name: string) =>
    (await workspace.export()).deployment.resources?.find(({ urn }) => urn.endsWith(`Counter::${name}`));

  test("a counter is created, changed in place, replaced; its key is a secret", async () => {
    await workspace.up();
    expect(service.calls).toEqual(["POST c1"]);
    expect(await workspace.outputs({ showSecrets: true })).toEqual({ key: "key-of-c1" });
    expect(JSON.stringify(await workspace.export())).not.toContain("key-of-c1");
    await workspace.writeFile("index.js", programOf(form, `{ start: 3, label: "homes" }`));
    await workspace.up();
    expect(service.counters.get("c1")).toEqual({ start: 3, label: "homes" });
    await workspace.writeFile("index.js", programOf(form, `{ start: 4, label: "homes" }`));
    await workspace.up();
    expect([...service.counters]).toEqual([["c2", { start: 4, label: "homes" }]]);
    await workspace.refresh({ args: ["--expect-no-changes"] });
  });

  test("a wrong argument fails the preview, and names what there is", async () => {
    await workspace.writeFile("index.js", programOf(form, `{ start: "4", colour: "red" }`));
    const { stdout } = await workspace.preview({ expectFailure: true });
    expect(stdout).toContain("start must be a number");
    expect(stdout).toContain("colour is not known; the inputs are start, label");
  });

  test("a state of an earlier version is migrated", async () => {
    const exported = join(workspace.root, "state.json");
    await workspace.run(["stack", "export", "--file", exported]);
    const old = (await readFile(exported, "utf8")).replace(/"record": \{[^}]*\}/g, '"record": { "length": 5 }');
    await writeFile(exported, old);
    await workspace.run(["stack", "import", "--file", exported]);
    await workspace.writeFile("index.js", programOf(form, `{ start: 4, label: "home" }`));
    await workspace.up();
    expect((await stateOf("visits"))?.outputs?.record).toEqual({ labelLength: 4, seen: true, version: 1 });
  });

  test("a create whose response was lost is sent once", async () => {
    service.losesResponses = true;
    const before = service.calls.length;
    const lost = `${programOf(form, `{ start: 4, label: "home" }`)}\nnew Counter("lost", { start: 1 });`;
    await workspace.writeFile("index.js", lost);
    const { stdout } = await workspace.up({ expectFailure: true });
    expect(stdout).toContain("a counter may exist");
    expect(service.calls.slice(before).filter((call) => call.startsWith("POST"))).toHaveLength(1);
    service.losesResponses = false;
  });

  test("a counter that exists is taken over as it is", async () => {
    service.counters.set("c9", { start: 9 });
    if (form === "native") {
      await workspace.run(["import", "toy:index:Counter", "theirs", "c9", "--yes", "--generate-code=false"]);
    } else {
      const found = `exports.found = Counter.get("theirs", "c9").start;`;
      await workspace.writeFile("index.js", `${programOf(form, `{ start: 4, label: "home" }`)}\n${found}`);
      await workspace.up();
    }
    expect((await stateOf("theirs"))?.outputs).toMatchObject({ start: 9 });
  });
});

test("the schema has the doc comments, the secrets and what replaces", () => {
  const { resources, provider } = makeSchema();
  expect(resources).toMatchObject({
    "toy:index:Counter": {
      description: "A number that only grows.",
      inputProperties: { start: { type: "number", description: "The first number.", willReplaceOnChanges: true } },
      requiredInputs: ["start"],
      properties: { secretKey: { type: "string", secret: true } },
      aliases: [{ type: "pulumi-nodejs:toy:Counter" }],
    },
  });
  expect(provider.inputProperties).toMatchObject({
    password: { description: "Password of the account.", secret: true },
  });
});
