import { execFile } from "node:child_process";
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import schema from "../../../schema.json";
import { readProgram } from "../../../scripts/generate/languageExamples.mjs";
import { buildFlags } from "../../../scripts/steps/goBuild.mjs";
import { CHECKOUT } from "../../support/program";
import { makeFolder } from "../../support/suite";
import { languagePrograms, makeGoModule } from "./workspace";

const run = promisify(execFile);
const namesOf = (nouns: object) => Object.keys(nouns).map((token) => token.slice(token.lastIndexOf(":") + 1));
const functions = namesOf(schema.functions);
const resources = [...namesOf(schema.resources), "Provider"];

const folder = makeFolder();
let programs: Awaited<ReturnType<typeof languagePrograms>>;

beforeAll(async () => {
  programs = await languagePrograms();
});

/** The examples in the descriptions of the schema in one language, each a whole program, by the name of their resource or function. */
const examplesIn = (language: "typescript" | "go") =>
  Object.entries({ ...schema.resources, ...schema.functions, Provider: schema.provider }).map(
    ([token, { description }]) => {
      const [, code = ""] = new RegExp(`\\n\`\`\`${language}\\n(.*?)\\n\`\`\``, "s").exec(description) ?? [];
      return [token.slice(token.lastIndexOf(":") + 1), code] as const;
    },
  );

/** Compiles the SDK for Node.js with more files, by name, that use it. */
async function compileNodeSdk(sdk: string, more: Readonly<Record<string, string>>): Promise<void> {
  await cp(join(programs.sdks, "nodejs"), sdk, { recursive: true });
  await symlink(join(CHECKOUT, "node_modules"), join(sdk, "node_modules"));
  for (const [name, content] of Object.entries(more)) await writeFile(join(sdk, name), content);
  const file = join(sdk, "tsconfig.json");
  const settings = JSON.parse((await readFile(file, "utf8")).replace(/^ *\/\/.*$/gm, ""));
  await writeFile(file, JSON.stringify({ ...settings, files: [...settings.files, ...Object.keys(more)] }));
  await run(process.execPath, [join(CHECKOUT, "node_modules/typescript/lib/tsc.js"), "-p", sdk]);
  await cp(join(sdk, "package.json"), join(sdk, "bin/package.json"));
}

test("the SDK for Node.js compiles, with lookups of known types, and loads", async () => {
  const use = `import { ApiToken, getToken, getTokensOutput } from "./index";
export const expiry: Promise<string | undefined> = getToken({ name: "ci" }).then(({ expiresAt }) => expiresAt);
export const ids = getTokensOutput({}).apply(({ tokens }) => tokens.map(({ id }) => id.length));
// @ts-expect-error a lookup has no such argument
export const wrong = getToken({ naem: "ci" });
// @ts-expect-error nor has a token
export const misspelt = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] }, expiresOn: "90d" });
// @ts-expect-error the words of an enum are known
export const unknown = new ApiToken("ci", { retire: "revok" });
`;
  const sdk = join(folder, "nodejs");
  const program = (await readProgram(CHECKOUT, "typescript")).replace("pulumi-event-datasets-native", "./index");
  const examples = examplesIn("typescript").map(([name, code]) => [
    `${name}Example.ts`,
    `${code.replace("pulumi-event-datasets-native", "./index")}\nexport {};\n`,
  ]);
  expect(examples).toHaveLength(resources.length + functions.length);
  await compileNodeSdk(sdk, { "use.ts": use, "program.ts": program, ...Object.fromEntries(examples) });
  const list = "console.log(JSON.stringify(Object.entries(require('./bin')).map(([k, v]) => k + ': ' + typeof v)))";
  const exported = JSON.parse((await run(process.execPath, ["-e", list], { cwd: sdk })).stdout);
  const expected = [...resources, ...functions, ...functions.map((name) => `${name}Output`)];
  expect(exported).toEqual(expect.arrayContaining(expected.map((name) => `${name}: function`)));
});

test("every example in Go of the schema compiles", async () => {
  const examples = examplesIn("go");
  expect(examples).toHaveLength(resources.length + functions.length);
  const files = Object.fromEntries(examples.map(([name, code]) => [`${name}/main.go`, code]));
  const go = await makeGoModule(join(folder, "examples"), files);
  await go(["vet", ...buildFlags(), ...examples.map(([name]) => `./${name}`)]);
});

test("the SDK for Python has a README with an example and names in its own spelling, and that for Go a comment of its package", async () => {
  const python = join(programs.sdks, "python");
  const readme = await readFile(join(python, "README.md"), "utf8");
  expect(readme).toMatch(/^# .+Python\n/);
  expect(readme).toContain('expires_in="90d"');
  const module = await readFile(join(python, "pulumi_event_datasets/api_token.py"), "utf8");
  expect(module).toContain("`rotation.rotate_before`");
  // A GitHub key is an object without a type: its members are sent as they are.
  expect(new Set(module.match(/`[a-z]+[A-Z]\w*`/g))).toEqual(new Set(["`keyId`"]));
  const comment = await readFile(join(programs.sdks, "go/eventdatasets/doc.go"), "utf8");
  expect(comment).toMatch(/^\/\/ Package eventdatasets has Pulumi resources for Axiom: /);
});
