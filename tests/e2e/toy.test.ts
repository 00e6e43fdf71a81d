import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { password, startCounterService } from "../framework/counterService";
import { buildToy, headOf, schema } from "../framework/toyPackage";
import { createWorkspace } from "../support/engine";
import { type Form, forms } from "../support/program";
import { stateFile } from "../support/stack";

// The provider of another service, deployed: nothing of this package's own service is in it.

const project = "name: toy-test\nruntime: nodejs\n";

let built: Awaited<ReturnType<typeof buildToy>>;
beforeAll(async () => {
  built = await buildToy();
});
afterAll(() => built[Symbol.asyncDispose]());

const programOf = (form: Form, declared: string) => `${headOf(form)}const visits = new Counter("visits", ${declared});
exports.key = visits.secretKey;`;

test.each(forms)("a counter of the toy lives in the %s form as its lifecycle says", async (form) => {
  await using service = await startCounterService();
  const program = (declared: string, more = "") => `${programOf(form, declared)}\n${more}`;
  const { files, PATH } = built;
  await using workspace = await createWorkspace({
    program: { "index.js": program(`{ start: 3, label: "home" }`), "Pulumi.yaml": project, ...files },
    env: { PATH },
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
