import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { readMarkdown } from "../docs/markdown";
import { requireBuild } from "../support/checkout";
import { type Packed, packedPackage } from "../support/packages";
import { CHECKOUT } from "../support/program";
import { makeFolder } from "../support/suite";

const run = promisify(execFile);

const folder = makeFolder();
let packed: Packed;
let files: ReadonlySet<string>;

beforeAll(async () => {
  requireBuild();
  packed = await packedPackage();
  files = new Set(packed.files.map((file) => file.path));
});

test("the package has the listed folders and kinds of files, and no others", () => {
  const kinds = new Set([...files].map((file) => file.replace(/\/.*$/, "/")));
  expect([...kinds].sort()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "action.yml",
    "audit/",
    "dist/",
    "docs/",
    "examples/",
    "package.json",
    "schemas/",
  ]);
  const unwanted = [...files].filter((file) =>
    /(^|\/)(tests?|node_modules|\.vitepress|\.cache)\/|\.(map|tsbuildinfo|tgz|pem|key)$|^dist\/.*(?<!\.d)\.ts$|\.env/.test(
      file,
    ),
  );
  expect(unwanted).toEqual([]);
  const inDocs = [...files].filter((file) => file.startsWith("docs/"));
  expect([...new Set(inDocs.map((file) => path.extname(file)))].sort()).toEqual([".md"]);
});

test("every path that the manifest names is in the package", async () => {
  const { exports, main, types, bin, typesVersions } = JSON.parse(
    await readFile(path.join(CHECKOUT, "package.json"), "utf8"),
  );
  const named =
    JSON.stringify({ exports, main, types, bin, typesVersions }).match(/\.?\/?[\w./*-]+\.(?:json|js|d\.ts)/g) ?? [];
  expect(named.length).toBeGreaterThan(8);
  const missing = named
    .map((file) => file.replace(/^\.\//, ""))
    .filter((file) => !file.includes("*") && !files.has(file));
  expect(missing).toEqual([]);
});

/** The files that only the repository has: pictures, pages about how we test, and pages of its site, which a release gives their address. */
const inRepository =
  /^(?:\.\.\/\.\.\/(?:actions|security)\/.*|(?:design|bench|audit\/schemas)\/.*|.*\.(?:png|svg)|(?:CONTRIBUTING|CODE_OF_CONDUCT)\.md)$/;

test("no link of what is published leads out of the package, except to what only the repository has", () => {
  const pages = [...files].filter((file) => file.endsWith(".md")).map(readMarkdown);
  expect(pages.length).toBeGreaterThan(20);
  const dead = pages.flatMap(({ file, links }) =>
    links
      .filter((link) => !/^([a-z]+:|#)/i.test(link))
      .map((link) => path.posix.join(path.posix.dirname(file), link.replace(/#.*$/, "")))
      .filter((target) => !files.has(target) && ![...files].some((one) => one.startsWith(`${target}/`)))
      .filter((target) => !inRepository.test(target))
      .map((target) => `${file}: ${target}`),
  );
  expect(dead).toEqual([]);
});

test('publint and "are the types wrong?" find nothing', async () => {
  const script = path.join(CHECKOUT, "scripts/packageChecks.mjs");
  const { stdout } = await run(process.execPath, [script, packed.file], {
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  expect(JSON.parse(stdout)).toEqual([]);
});

test("two builds are the same byte by byte", async () => {
  const again = path.join(folder, "dist");
  // In a separate process, because a bundler does not work among jest's modules.
  const script = `import(${JSON.stringify(path.join(CHECKOUT, "scripts/steps/build.mjs"))})`;
  for (const [compile, dist, least] of [
    ["compile", "dist", 300],
    ["compileEmulator", "emulator/dist", 200],
  ] as const) {
    const program = `${script}.then((build) => build.${compile}(...process.argv.slice(1)))`;
    // The types are checked already. This halves the time, and a declaration that depends on the order of the checks is found: give it
    // its type in the source.
    await run(process.execPath, ["-e", program, CHECKOUT, path.join(again, compile), "--noCheck"], {
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    const built = await contentsOf(path.join(CHECKOUT, dist));
    const rebuilt = await contentsOf(path.join(again, compile));
    expect(rebuilt.size).toBeGreaterThan(least);
    expect([...rebuilt.keys()].sort()).toEqual([...built.keys()].sort());
    const different = [...rebuilt].filter(([file, content]) => !built.get(file)?.equals(content));
    expect(different.map(([file]) => file)).toEqual([]);
  }
});

async function contentsOf(root: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(found.map(async (file) => [path.relative(root, file), await readFile(file)] as const)),
  );
}

test("the package stays small: half of it is the plugin for other languages", async () => {
  expect((await stat(packed.file)).size).toBeLessThan(1_000_000);
});

test("there is no address of a repository in the tree: a release gets it from one setting", async () => {
  const manifest = JSON.parse(await readFile(path.join(CHECKOUT, "package.json"), "utf8"));
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(["repository"]));
  const release = path.join(folder, "release");
  await run("mkdir", [release]);
  const copied = ["package.json", "README.md", "SECURITY.md"].map((file) => path.join(CHECKOUT, file));
  await run("cp", [...copied, release]);
  const script = path.join(CHECKOUT, "scripts/release.mjs");
  const stamp = (repository: string, tag = `v${manifest.version}`) =>
    run(process.execPath, [script, release], { env: { EVENT_DATASETS_REPOSITORY: repository, GITHUB_REF_NAME: tag } });
  for (const wrong of [
    "",
    "github.com/acme/events",
    "http://git.example.com/acme/events",
    "https://git.example.com/acme",
  ]) {
    await expect(stamp(wrong)).rejects.toThrow("https://HOST/OWNER/NAME");
  }
  await expect(stamp("https://git.example.com/acme/events", "v9.9.9")).rejects.toThrow("is not v and the version");
  await stamp("https://git.example.com/acme/events");
  const stamped = JSON.parse(await readFile(path.join(release, "package.json"), "utf8"));
  expect(stamped).toEqual({
    ...manifest,
    author: "acme",
    repository: { type: "git", url: "git+https://git.example.com/acme/events.git" },
    homepage: "https://git.example.com/acme/events#readme",
    bugs: { url: "https://git.example.com/acme/events/issues" },
  });
  const pages = await Promise.all(
    ["README.md", "SECURITY.md"].map((file) => readFile(path.join(release, file), "utf8")),
  );
  expect(pages.join()).toContain("](https://git.example.com/acme/events/security/advisories/new)");
  expect(pages.join()).not.toContain("](../../");
  await stamp("https://github.com/acme/events");
  expect(JSON.parse(await readFile(path.join(release, "package.json"), "utf8"))).toMatchObject({
    config: { pluginDownloadURL: "github://api.github.com/acme/events" },
  });
});
