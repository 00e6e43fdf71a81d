import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import { storedProvider, tokensOf } from "../../framework/package";
import { resourceDefinitions } from "../../provider/eventDatasets";
import { thisPackage } from "../../provider/shared/strings";
import { version } from "../../sdk";

const root = join(__dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("requests name the package's version", () => {
  expect(version).toBe(manifest.version);
});

test("the emulator has the same version, and the package accepts it and later ones", () => {
  const emulator = JSON.parse(readFileSync(join(root, "emulator/package.json"), "utf8"));
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  expect(emulator.version).toBe(manifest.version);
  expect(manifest.peerDependencies[emulator.name]).toBe(`^${manifest.version}`);
  expect(manifest.peerDependenciesMeta[emulator.name]).toEqual({ optional: true });
  expect(lock.packages.emulator.version).toBe(manifest.version);
  expect(emulator.engines).toEqual(manifest.engines);
});

test("what is installed requires no package but its dependencies, which others may have installed beside it", () => {
  const { dependencies, peerDependencies } = manifest;
  const folders = ["audit", "cli", "framework", "gate", "provider", "sdk", "values"].map((folder) =>
    join(root, "dist", folder),
  );
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, `${name}`)),
  );
  const scripts = files.filter((name) => name.endsWith(".js") && !name.includes("/native/"));
  const required = scripts.flatMap((name) => [...readFileSync(name, "utf8").matchAll(/\brequire\("([^.$"][^"]*)"\)/g)]);
  const names = required.map(([, name = ""]) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? "");
  const known = Object.keys({ ...dependencies, ...peerDependencies });
  expect(names.filter((name) => !name.startsWith("node:") && !known.includes(name))).toEqual([]);
  expect(names).toContain("undici");
});

test("there are two run-time dependencies and no install script", () => {
  expect(Object.keys(manifest.dependencies)).toEqual(["undici", "valibot"]);
  expect(Object.keys(manifest.scripts)).not.toEqual(expect.arrayContaining([expect.stringMatching(/install|prepare/)]));
});

test("the lockfile names no registry", () => {
  expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toMatch(/"resolved": "http/);
});

test("the lockfile has the packages of every platform, or a fresh clone cannot install", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const absent = Object.entries<{ optionalDependencies?: Record<string, string> }>(packages).flatMap(
    ([place, locked]) =>
      Object.keys(locked.optionalDependencies ?? {}).filter((name) => !isLocked(packages, place, name)),
  );
  expect(absent).toEqual([]);
});

/** Whether a package finds another one in its own `node_modules` or in one above. */
function isLocked(packages: object, place: string, name: string): boolean {
  if (`${place}/node_modules/${name}`.replace(/^\//, "") in packages) return true;
  return place !== "" && isLocked(packages, place.slice(0, Math.max(0, place.lastIndexOf("node_modules") - 1)), name);
}

test("the code that the engine stores is short, constant and permanent", () => {
  const stored = Object.values(resourceDefinitions).map((definition) => [
    ...tokensOf(thisPackage, definition),
    storedProvider(thisPackage, definition),
  ]);
  const provider = (module: string) => `module.exports=require("pulumi-event-datasets/v1/${module}")`;
  expect(stored).toEqual([
    ["pulumi-nodejs:event-datasets:Annotation", "event-datasets:index:Annotation", provider("annotation")],
    ["pulumi-nodejs:event-datasets:ApiToken", "event-datasets:index:ApiToken", provider("api-token")],
    ["pulumi-nodejs:event-datasets:Dataset", "event-datasets:index:Dataset", provider("dataset")],
    [
      "pulumi-nodejs:event-datasets:DeploymentAnnotation",
      "event-datasets:index:DeploymentAnnotation",
      provider("deployment-annotation"),
    ],
    ["pulumi-nodejs:event-datasets:QueryGate", "event-datasets:index:QueryGate", provider("query-gate")],
  ]);
});

test("the package has the emulator's complete page, small and with its licences", () => {
  const page = join(root, "emulator/dist/page");
  expect(readdirSync(page).sort()).toEqual([
    "THIRD-PARTY-NOTICES.txt",
    "icon.svg",
    "index.html",
    "page.css",
    "page.js",
  ]);
  const [script, style] = ["page.js", "page.css"].map((file) => readFileSync(join(page, file), "utf8"));
  expect(readFileSync(join(page, "THIRD-PARTY-NOTICES.txt"), "utf8")).toMatch(/uplot .*\n(.*\n)*.*MIT/);
  expect(script?.length).toBeLessThan(90_000);
  expect(style?.length).toBeLessThan(15_000);
  expect(`${script}${style}`).not.toMatch(/sourceMappingURL|url\(|@import/);
});

test("the root's tsconfig.json takes no JavaScript for source: with it the engine's compiler refuses the demo (TS5011)", () => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  expect(config.include).toContain("index.ts");
  expect(config.compilerOptions).not.toHaveProperty("allowJs");
});
