import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { modules, storedProvider, typeToken } from "../../provider/dynamic/strings";
import { version } from "../../sdk";

const root = join(__dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("the version that requests name is the package's", () => {
  expect(version).toBe(manifest.version);
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

test("what the engine stores is short, constant and permanent", () => {
  expect(Object.keys(modules).map((type) => typeToken(type as keyof typeof modules))).toEqual([
    "pulumi-nodejs:event-datasets:ApiToken",
    "pulumi-nodejs:event-datasets:Annotation",
    "pulumi-nodejs:event-datasets:DeploymentMarker",
    "pulumi-nodejs:event-datasets:QueryGate",
  ]);
  expect(storedProvider("ApiToken")).toBe('exports.handler=()=>require("pulumi-event-datasets/dynamic/v1/api-token")');
  expect(storedProvider("Annotation")).toBe(
    'exports.handler=()=>require("pulumi-event-datasets/dynamic/v1/annotation")',
  );
  expect(storedProvider("DeploymentMarker")).toBe(
    'exports.handler=()=>require("pulumi-event-datasets/dynamic/v1/deployment-marker")',
  );
  expect(storedProvider("QueryGate")).toBe(
    'exports.handler=()=>require("pulumi-event-datasets/dynamic/v1/query-gate")',
  );
});

test("a program that imports the package loads neither undici nor a lifecycle", () => {
  const script = "require('pulumi-event-datasets'); console.log(Object.keys(require.cache).join('\\n'))";
  const loaded = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
  expect(loaded).toContain(join("dist", "provider", "resources", "apiToken.js"));
  expect(loaded).not.toContain("undici");
  expect(loaded).not.toContain(join("lifecycle", "token", "apiToken"));
  expect(loaded).toContain(join("lifecycle", "seal", "recipients"));
  expect(loaded).not.toMatch(/age-encryption|libsodium|seal[\\/](libraries|seal|open)/);
});

test("the emulator's page is in the package: small, whole, and with the licence of what is in it", () => {
  expect(manifest.files).toContain("dist");
  const page = join(root, "dist/emulator/page");
  expect(readdirSync(page).sort()).toEqual(["icon.svg", "index.html", "page.css", "page.js"]);
  const [script, style] = ["page.js", "page.css"].map((file) => readFileSync(join(page, file), "utf8"));
  expect(script).toMatch(/^\/\*! With uPlot:\nThe MIT License \(MIT\)/);
  expect(script?.length).toBeLessThan(90_000);
  expect(style?.length).toBeLessThan(15_000);
  expect(`${script}${style}`).not.toMatch(/sourceMappingURL|url\(|@import/);
});

test("the audit can be used without Pulumi", () => {
  const script = "require('pulumi-event-datasets/audit'); console.log(Object.keys(require.cache).join('\\n'))";
  const loaded = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
  expect(loaded).toContain(join("dist", "audit", "index.js"));
  expect(loaded).not.toContain("@pulumi");
});
