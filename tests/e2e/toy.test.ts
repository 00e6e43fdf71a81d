import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { build } from "esbuild";
import { Declarations } from "../../framework/schema/declarations";
import { schemaOf } from "../../framework/schema/schema";
import { password, startCounterService } from "../framework/counterService";
import { toy } from "../framework/toy";
import { createWorkspace } from "../support/engine";
import { type Form, forms } from "../support/program";
import { stateFile } from "../support/stack";

// The provider of another service, deployed: nothing of this package's own service is in it.

const root = join(__dirname, "../..");
const file = "tests/framework/toy.ts";

const project = "name: toy-test\nruntime: nodejs\n";

/** The package schema of the toy. */
const schema = schemaOf({
  declarations: new Declarations(root, [file]),
  provider: toy,
  entry: file,
  fileOf: () => file,
});

const toyModule = JSON.stringify(join(root, file));
const framework = (name: string) => JSON.stringify(join(root, "framework", name));
/** By its place, the source of each file of the package. */
const sources = {
  "node_modules/toy-counters/index.js": `export * from ${toyModule};`,
  "node_modules/toy-counters/v1/counter.js": `import { dynamicForm } from ${framework("dynamic/adapter")};
import { toy } from ${toyModule};
export const handler = () => dynamicForm(toy.connect, toy.resources.Counter);`,
  "pulumi-resource-toy": `import { engineAddress } from ${framework("engineWatch")};
import { serve } from ${framework("native/server")};
import { toy } from ${toyModule};
serve(toy, JSON.parse(process.env.TOY_SCHEMA ?? "{}"), engineAddress()).then(({ port }) => console.log(port));`,
};

const files: Record<string, string> = {};
let plugins: string;
beforeAll(async () => {
  plugins = await mkdtemp(join(tmpdir(), "toy-"));
  await symlink(join(root, "node_modules"), join(plugins, "node_modules"));
  for (const [name, contents] of Object.entries(sources)) {
    const isPlugin = name === "pulumi-resource-toy";
    const bundled = await build({
      stdin: { contents, resolveDir: root, loader: "ts" },
      bundle: true,
      write: false,
      platform: "node",
      target: "node22",
      packages: "external",
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

test.each(forms)("a counter of the toy lives in the %s form as its lifecycle says", async (form) => {
  await using service = await startCounterService();
  const program = (declared: string, more = "") => `${programOf(form, declared)}\n${more}`;
  const PATH = [plugins, process.env.PATH].join(delimiter);
  await using workspace = await createWorkspace({
    program: { "index.js": program(`{ start: 3, label: "home" }`), "Pulumi.yaml": project, ...files },
    env: { PATH, TOY_SCHEMA: JSON.stringify(schema) },
  });
  const declare = (declared: string, more?: string) => workspace.writeFile("index.js", program(declared, more));
  const outputsOf = async (name: string) =>
    (await workspace.export()).deployment.resources?.find(({ urn }) => urn.endsWith(`Counter::${name}`))?.outputs;
  const settings = ["--plaintext", `toy:address=${service.address}`, "--secret", `toy:password=${password}`];
  await workspace.run(["config", "set-all", ...settings]);

  // It is created, and its key is a secret.
  await workspace.up();
  expect(service.calls).toEqual(["POST c1"]);
  expect(await workspace.outputs({ showSecrets: true })).toEqual({ key: "key-of-c1" });
  expect(JSON.stringify(await workspace.export())).not.toContain("key-of-c1");

  // It is changed in place, and what an earlier version recorded is migrated.
  const state = await stateFile(workspace);
  await writeFile(state, (await readFile(state, "utf8")).replace(/"record": \{[^}]*\}/g, '"record": { "length": 5 }'));
  await declare(`{ start: 3, label: "homes" }`);
  await workspace.up();
  expect(service.counters.get("c1")).toEqual({ start: 3, label: "homes" });
  expect((await outputsOf("visits"))?.record).toEqual({ labelLength: 5, seen: true, version: 1 });

  // A wrong argument fails the preview, which names the arguments.
  await declare(`{ start: "4", colour: "red" }`);
  const { stdout } = await workspace.preview({ expectFailure: true });
  expect(stdout).toContain("start must be a number");
  expect(stdout).toContain("colour is not known; the inputs are start, label");

  await declare(`{ start: 4, label: "homes" }`);
  await workspace.up();
  expect([...service.counters]).toEqual([["c2", { start: 4, label: "homes" }]]);
  await workspace.refresh({ args: ["--expect-no-changes"] });

  // A create whose response was lost is sent once, and a counter that exists is taken over as it is.
  service.losesResponses = true;
  service.counters.set("c9", { start: 9 });
  const before = service.calls.length;
  const found = form === "dynamic" ? `Counter.get("theirs", "c9");` : "";
  await declare(`{ start: 4, label: "homes" }`, `new Counter("lost", { start: 1 });\n${found}`);
  const lost = await workspace.up({ args: ["--continue-on-error"], expectFailure: true });
  expect(lost.stdout).toContain("a counter may exist");
  expect(service.calls.slice(before).filter((call) => call.startsWith("POST"))).toHaveLength(1);
  if (form === "native")
    await workspace.run(["import", "toy:index:Counter", "theirs", "c9", "--yes", "--generate-code=false"]);
  expect(await outputsOf("theirs")).toMatchObject({ start: 9 });
});

test("the schema has the doc comments, the secrets and what replaces", () => {
  const { resources, provider } = schema;
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
