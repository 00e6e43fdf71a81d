import { spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";

const root = join(__dirname, "../..");
const { layers } = require(join(root, "scripts/layers.cjs")) as { layers: Record<string, readonly string[]> };

const parts = Object.keys(layers);
const libraries = [
  "undici",
  "valibot",
  "@duckdb/node-api",
  "re2js",
  "csv-parse",
  "age-encryption",
  "libsodium-wrappers",
  "@pulumi/policy",
];
const modules = ["@pulumi/pulumi", ...libraries, "node:http", "node:child_process"];
const forms = ["values", "types"] as const;
type Form = (typeof forms)[number];

/** Every import that there can be: of each part by each other, and of what is not ours. */
const pairs = parts.flatMap((part) =>
  [...parts, ...modules].filter((target) => target !== part).map((target) => [part, target] as const),
);

function isAllowed(part: string, target: string, form: Form): boolean {
  const allowed = layers[part] ?? [];
  if (allowed.includes(target) || (target.startsWith("node:") && allowed.includes("node:*"))) return true;
  return form === "types" && allowed.includes(`types of ${target}`);
}

let folder: string;
/** Parts that are single files here, as they are in the project. */
let files: ReadonlySet<string>;
let refused: ReadonlySet<string>;

/** One of the names that a part's name stands for: of any folder this one, of several names the first. */
const exampleOf = (part: string) => part.replaceAll("*", "apiToken").replace(/\{(\w+)[^}]*\}/g, "$1");
const fileOf = (part: string) => `${exampleOf(part)}${files.has(part) ? ".ts" : "/probe.ts"}`;
/** The file with a part's imports: those of types have one of their own, because an import of a value hides one of its type. */
const importerOf = (part: string, form: Form) => (form === "values" ? fileOf(part) : `${exampleOf(part)}/types.ts`);
const asTarget = (target: string) => (parts.includes(target) ? fileOf(target) : target);

/** Has a tree checked in which each part imports everything that there is. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "layers-"));
  const isFile = (part: string) =>
    readFile(join(root, `${exampleOf(part)}.ts`)).then(
      () => [part],
      () => [],
    );
  files = new Set((await Promise.all(parts.map(isFile))).flat());
  await copyFile(join(root, "tsconfig.json"), join(folder, "tsconfig.json"));
  // Everything here is in a circle with everything else, which is another rule's concern and takes long to find.
  const config = `const config = require(${JSON.stringify(join(root, ".dependency-cruiser.cjs"))});
const forbidden = config.forbidden.filter(({ name }) => name.startsWith("imports of "));
module.exports = { ...config, forbidden, options: { ...config.options, skipAnalysisNotInRules: true } };`;
  await writeFile(join(folder, ".dependency-cruiser.cjs"), config);
  for (const part of parts) for (const form of forms) await writeProbe(part, form);
  refused = violationsIn(folder);
});

afterAll(() => rm(folder, { recursive: true }));

async function writeProbe(part: string, form: Form): Promise<void> {
  const own = importerOf(part, form);
  const imports = pairs
    .filter(([from]) => from === part)
    .map(([, target], i) => {
      const relative = posix.relative(posix.dirname(own), fileOf(target).slice(0, -".ts".length));
      const specifier = parts.includes(target) ? (relative.startsWith(".") ? relative : `./${relative}`) : target;
      return `import ${form === "types" ? "type " : ""}{ a${i} } from "${specifier}";`;
    });
  // A value that nobody uses would not be imported.
  if (form === "values") imports.push(`export const all = [${imports.map((_, i) => `a${i}`)}];`);
  await mkdir(dirname(join(folder, own)), { recursive: true });
  await writeFile(join(folder, own), imports.join("\n"));
}

/** "importing file → imported module", for each import that the rules refuse. */
function violationsIn(tree: string): ReadonlySet<string> {
  const command = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const folders = [...new Set(parts.map((part) => part.split("/")[0] ?? ""))];
  const { stdout, stderr } = spawnSync(process.execPath, [command, ...folders, "--output-type=json", "--no-progress"], {
    cwd: tree,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (stdout === "") throw new Error(stderr);
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: { from: string; to: string }[] };
  };
  return new Set(summary.violations.map(({ from, to }) => `${from} → ${nameOf(to)}`));
}

/** A module by its name, wherever it was resolved to. */
function nameOf(resolved: string): string {
  const [, name = resolved] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(resolved) ?? [];
  return ["http", "child_process"].includes(name) ? `node:${name}` : name;
}

test.each(forms)("each part may import exactly the %s of other parts that the table allows", (form) => {
  const isRefused = ([part, target]: (typeof pairs)[number]) =>
    refused.has(`${importerOf(part, form)} → ${asTarget(target)}`);
  const wrong = pairs.filter((pair) => isRefused(pair) === isAllowed(...pair, form));
  expect(wrong).toEqual([]);
  expect(pairs.filter(isRefused).length).toBeGreaterThan(pairs.length / 2);
});

test("every source file belongs to a part", async () => {
  const tops = new Set(parts.map((part) => part.split("/")[0]));
  const config = JSON.parse(await readFile(join(root, "tsconfig.build.json"), "utf8")) as { include: string[] };
  expect(config.include.filter((folder) => !tops.has(folder))).toEqual([]);
});
