import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { ENGINE_VERSION, ensureEngine } from "../../scripts/engine.mjs";
import { cacheFolder } from "../../scripts/steps/cache.mjs";
import { defined } from "../../values/defined";
import { makeFolder } from "../support/suite";

const root = path.resolve(__dirname, "../..");
const said: string[] = [];
const log = (line: string) => void said.push(line);

let sandbox: string;
beforeEach(() => {
  said.length = 0;
  sandbox = makeFolder();
});

/** A folder for PATH with small shell scripts in it. */
async function tools(name: string, scripts: Record<string, string>): Promise<string> {
  const folder = path.join(sandbox, name);
  await mkdir(folder, { recursive: true });
  for (const [tool, body] of Object.entries(scripts)) {
    await writeFile(path.join(folder, tool), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  }
  return folder;
}

const plugins = { "pulumi-language-nodejs": "exit 0", "pulumi-resource-pulumi-nodejs": "exit 0" };
const engineThatSays = (version: string) => ({ pulumi: `echo "${version}"`, ...plugins });
const offline = { curl: "echo 'no network' >&2; exit 6" };
const withoutGo = { go: "exit 127" };
const failingGo = '[ "$1" = version ] && exit 0; echo "go.mod requires go >= 1.26.6" >&2; exit 1';

/** Finds or makes an engine where PATH has these folders and the system's. */
const ensure = (...folders: string[]) => ensureVersion(undefined, ...folders);
const ensureVersion = (version: string | undefined, ...folders: string[]) =>
  ensureEngine({
    root,
    log,
    ...defined({ version }),
    env: { PATH: [...folders, "/usr/bin", "/bin"].join(":"), XDG_CACHE_HOME: path.join(sandbox, "cache") },
  });
const cached = () => readdir(path.join(sandbox, "cache", "pulumi-event-datasets", "engine"));

describe("the engine on PATH", () => {
  test.each(["v3.300.1", "3.216.0", "v4.0.0", "v3.217.0-dev.0+abc", "warning: something is new\nv3.259.0"])(
    "is taken as it is when it says %j and has its plugins",
    async (version) => {
      const dir = await tools("installed", engineThatSays(version));
      expect(await ensure(dir)).toBe(dir);
    },
  );

  test.each([
    ["is too old", engineThatSays("v3.65.0"), "3.65.0; 3.216.0 or newer is needed"],
    ["has no host for Node programs", { pulumi: "echo v3.300.0" }, "has no pulumi-language-nodejs beside it"],
    ["says no version", engineThatSays("hello"), 'does not say its version but "hello"'],
    ["does not run", { ...plugins, pulumi: "echo broken >&2; exit 3" }, "exit code 3\n    broken"],
    ["is missing, and the build with Go fails", { go: failingGo }, "exit code 1\n    go.mod requires go >= 1.26.6"],
  ])("is passed over when it %s, and the reason is given", async (_, scripts, reason) => {
    const dir = await tools("installed", { ...offline, ...withoutGo, ...scripts });
    await expect(ensure(dir)).rejects.toThrow(reason);
    expect(await cached()).toEqual([]);
  });
});

/** A server's archive of an engine, and a `curl` that gives it out and records its address. */
async function download(scripts: Record<string, string>): Promise<string> {
  await tools("archive/pulumi", scripts);
  await promisify(execFile)("tar", [
    "-czf",
    path.join(sandbox, "archive.tar.gz"),
    "-C",
    `${sandbox}/archive`,
    "pulumi",
  ]);
  return tools("network", { curl: `echo "$@" >> ${sandbox}/asked; cat ${sandbox}/archive.tar.gz`, ...withoutGo });
}

test("an engine is downloaded once and then found in the cache, by two runs at once too", async () => {
  const network = await download(engineThatSays(`v${ENGINE_VERSION}`));
  const [dir, other] = await Promise.all([ensure(network), ensure(network)]);
  expect([other, await ensure(network)]).toEqual([dir, dir]);
  expect((await readdir(dir)).sort()).toEqual(["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);
  expect(await cached()).toEqual([path.basename(path.dirname(dir))]);
  const asked = (await readFile(path.join(sandbox, "asked"), "utf8")).trim().split("\n");
  expect(asked).toEqual([
    expect.stringMatching(/ https:\/\/get\.pulumi\.com\/releases\/sdk\/pulumi-v[\d.]+-\w+-\w+\.tar\.gz$/),
  ]);
});

test("when every way fails, the error names each with its reason, in order, and what to install", async () => {
  const failure = await ensure(await tools("empty", { ...offline, ...withoutGo })).catch((e: Error) => e.message);
  expect(failure).toMatch(
    new RegExp(
      [
        "no Pulumi engine was found and none could be made. Tried, in this order:",
        "  - the Pulumi CLI on PATH: there is none",
        "  - the official download: sh -c: exit code \\d+\n    no network\n[^]*",
        "  - a build from Go modules: Go is not installed \\(no working `go` on PATH\\)",
        "Install the Pulumi CLI, 3.216.0 or newer \\(https://www.pulumi.com/docs/install\\), or Go 1.26.6 or newer, and try again.$",
      ].join("\n"),
    ),
  );
  expect(await cached()).toEqual([]);
});

test("Go builds both programs from the pinned modules, with the version in the engine, if the download is broken", async () => {
  const network = await download({ pulumi: "exit 1" });
  const record = path.join(sandbox, "calls");
  const writesOutput = `while [ "$1" != -o ]; do shift; done; printf '#!/bin/sh\\necho v${ENGINE_VERSION}\\n' > "$2"; chmod +x "$2"`;
  const build = `echo "$(basename "$PWD") $*" >> ${record}; ${writesOutput}`;
  const go = await tools("go", { go: `case $1 in build) ${build} ;; esac` });
  const dir = await ensure(go, network);
  expect((await readdir(dir)).sort()).toEqual(["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]);
  const [engine, host] = (await readFile(record, "utf8")).trim().split("\n").sort();
  expect(engine).toMatch(/^cli build -mod=readonly .*version\.Version=v[\d.]+ .*\/pkg\/v3\/cmd\/pulumi$/);
  expect(host).toMatch(/^language-nodejs build -mod=readonly .*\/sdk\/v3\/nodejs\/cmd\/pulumi-language-nodejs$/);
  expect(said.join("\n")).toContain("about 4 minutes, only once");
});

describe("an engine of another version", () => {
  test("is the one on PATH if that has exactly this version, and else is downloaded", async () => {
    const installed = await tools("installed", engineThatSays("v3.259.0"));
    expect(await ensureVersion("3.259.0", installed)).toBe(installed);
    const network = await download(engineThatSays("v3.250.0"));
    expect(await ensureVersion("3.250.0", installed, network)).toMatch(/\/engine\/3\.250\.0-\w+\/bin$/);
    expect(await readFile(path.join(sandbox, "asked"), "utf8")).toContain("/pulumi-v3.250.0-");
  });

  test("is built from its own modules", async () => {
    const record = path.join(sandbox, "calls");
    const writesOutput = `while [ "$1" != -o ]; do shift; done; printf '#!/bin/sh\\n' > "$2"; chmod +x "$2"`;
    const build = `echo "$(basename "$PWD") $*" >> ${record}; ${writesOutput}`;
    const go = await tools("go", { ...offline, go: `case $1 in build) ${build} ;; esac` });
    await ensureVersion("3.216.0", go);
    expect(await readFile(record, "utf8")).toMatch(/^cli-3\.216\.0 build .*version\.Version=v3\.216\.0 /m);
  });

  test("without modules needs the download, and the error says so", async () => {
    const go = await tools("go", { ...offline, go: "exit 0" });
    await expect(ensureVersion("3.250.0", go)).rejects.toThrow(
      "a build from Go modules: there is no scripts/engine/cli-3.250.0",
    );
  });
});

test("the cache is where the XDG variable says, else in the home folder; a relative path does not count", () => {
  expect(cacheFolder({ XDG_CACHE_HOME: "/c" })).toBe("/c/pulumi-event-datasets");
  expect(cacheFolder({ XDG_CACHE_HOME: "c", HOME: "/h" })).toBe("/h/.cache/pulumi-event-datasets");
  expect(cacheFolder({ HOME: "/h" })).toBe("/h/.cache/pulumi-event-datasets");
});
