import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import type { Manifest } from "../../../scripts/releaseFiles.mjs";
import { createDeployment } from "../../support/deployment";
import { packedEmulator, packedPackage } from "../../support/packages";
import { CHECKOUT } from "../../support/program";
import { listen } from "../../support/service";
import { makeFolder } from "../../support/suite";
import { releaseFiles, repository } from "./releaseFiles";

const run = promisify(execFile);

let release: string;
const folder = makeFolder();
let manifest: Manifest;
beforeAll(async () => {
  release = await releaseFiles();
  manifest = JSON.parse(await readFile(path.join(release, "manifest.json"), "utf8"));
});

/** This machine's, as the engine names it. */
const platform = `${process.platform} ${process.arch === "x64" ? "amd64" : process.arch}`;

const fileOf = (language: string) => manifest.files.find((file) => file.language === language)?.file ?? "";

test("a release has the packages, a plugin for each platform and the SDKs; the manifest and the checksums name every file", async () => {
  const { version } = JSON.parse(await readFile(path.join(CHECKOUT, "package.json"), "utf8"));
  expect(manifest).toMatchObject({
    name: "pulumi-event-datasets",
    version,
    repository,
    goModule: "github.com/acme/events/sdk/go",
    pluginServer: "github://api.github.com/acme/events",
  });
  const files = [
    ...["amd64", "arm64"].flatMap((arch) =>
      ["darwin", "linux"].map((os) => `pulumi-resource-event-datasets-v${version}-${os}-${arch}.tar.gz`),
    ),
    `event-datasets-emulator-${version}.tgz`,
    `pulumi-event-datasets-${version}.tgz`,
    `pulumi-event-datasets-go-v${version}.tar.gz`,
    `pulumi-event-datasets-native-${version}.tgz`,
    `pulumi_event_datasets-${version}-py3-none-any.whl`,
    "schema.json",
    "sbom.cdx.json",
  ].sort();
  expect(manifest.files.map(({ file }) => file).sort()).toEqual(files);
  expect((await readdir(release)).sort()).toEqual([...files, "SHA256SUMS", "go", "manifest.json"].sort());
  const { stdout } = await run("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: release });
  expect(stdout.match(/: OK$/gm)).toHaveLength(files.length + 1);
});

test("the bill of materials has what npm installs with the package and what the plugin contains, each with hash and licence", async () => {
  const bom = JSON.parse(await readFile(path.join(release, "sbom.cdx.json"), "utf8"));
  const components: { "bom-ref": string; licenses: object[]; hashes: object[] }[] = bom.components;
  const { dependencies } = JSON.parse(await readFile(path.join(CHECKOUT, "package.json"), "utf8"));
  const installed = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
  const notices = await readFile(path.join(CHECKOUT, "dist/native/THIRD-PARTY-NOTICES.txt"), "utf8");
  const bundled = [...notices.matchAll(/^={80}\n(\S+) (\S+) \(/gm)].map(([, name, version]) => `${name}@${version}`);
  const refs = components.map((one) => one["bom-ref"]);
  expect(bundled.length).toBeGreaterThan(10);
  expect(refs.toSorted()).toEqual([...new Set([...installed, ...bundled])].sort());
  expect(components.filter(({ licenses, hashes }) => !licenses || !hashes)).toEqual([]);
  const known = [...refs, `pulumi-event-datasets@${manifest.version}`];
  const named = bom.dependencies.flatMap(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [
    ref,
    ...dependsOn,
  ]);
  expect(named.filter((ref: string) => !known.includes(ref))).toEqual([]);
  expect([bom.serialNumber, bom.metadata.timestamp]).toEqual([undefined, undefined]);
});

test("a package that is packed a second time is the same, byte for byte", async () => {
  for (const { file, integrity } of [await packedPackage(), await packedEmulator()]) {
    const again = createHash("sha512").update(await readFile(path.join(release, path.basename(file))));
    expect(`sha512-${again.digest("base64")}`).toBe(integrity);
  }
});

test("an engine downloads the plugin from a server that has the archives", async () => {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const found = manifest.files.find(({ file }) => url === `/${file}`);
    if (!found) return response.writeHead(404).end();
    return void readFile(path.join(release, found.file)).then((content) => response.end(content));
  });
  const address = `http://127.0.0.1:${await listen(server)}`;
  try {
    await using deployment = await createDeployment({ program: {} });
    const install = ["plugin", "install", "resource", "event-datasets", manifest.version, "--server", address];
    await deployment.workspace.run(install);
    expect(asked).toEqual([`/${manifest.files.find(({ os, arch }) => `${os} ${arch}` === platform)?.file}`]);
    const { stdout } = await deployment.workspace.run(["plugin", "ls", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject([{ name: "event-datasets", version: manifest.version }]);
  } finally {
    server.close();
  }
});

test("the Go SDK of a release is a complete module, and a tag that leaves the branch alone has it", async () => {
  const [clone, remote] = [path.join(folder, "clone"), path.join(folder, "remote.git")];
  const git = async (...args: string[]) => (await run("git", ["-C", clone, ...args])).stdout.trim();
  await run("git", ["init", "--quiet", "--bare", remote]);
  await run("git", ["init", "--quiet", clone]);
  await run("cp", ["-R", path.join(CHECKOUT, ".ci"), clone]);
  await git("config", "user.name", "Release");
  await git("config", "user.email", "release@example.com");
  await git("remote", "add", "origin", remote);
  await git("add", ".ci");
  await git("commit", "--quiet", "-m", "all: start");
  const head = await git("rev-parse", "HEAD");
  await run(path.join(clone, ".ci/tagGoSdk"), [path.join(release, "go"), `v${manifest.version}`]);
  const tag = `sdk/go/v${manifest.version}`;
  const { stdout } = await run("git", ["-C", remote, "ls-tree", "-r", "--name-only", tag]);
  const files = ["LICENSE", "eventdatasets/apiToken.go", "go.mod", "go.sum"].map((file) => `sdk/go/${file}`);
  expect(stdout.trim().split("\n")).toEqual(expect.arrayContaining([".ci/run", ...files]));
  expect(await git("rev-parse", "HEAD", `${tag}^`)).toBe(`${head}\n${head}`);

  const module = path.join(folder, "pulumi-event-datasets-go");
  await run("tar", ["xzf", path.join(release, fileOf("go")), "-C", folder]);
  expect(await readFile(path.join(module, "go.mod"), "utf8")).toContain(`module ${manifest.goModule}\n`);
  const env = { ...process.env, GOWORK: "off", GOFLAGS: "-trimpath -buildvcs=false '-ldflags=-s -w'" };
  await run("go", ["build", "-mod=readonly", "./..."], { cwd: module, env });
});
