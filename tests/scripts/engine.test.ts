import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import {
  cacheFolder,
  cacheKey,
  ensureEngine,
  isNewEnough,
  PIECES,
  parseVersion,
  WAYS,
  type Way,
} from "../../scripts/engine.mjs";

const checkout = path.resolve(__dirname, "../..");
const said: string[] = [];
const log = (line: string) => void said.push(line);

let sandbox: string;
beforeEach(async () => {
  said.length = 0;
  sandbox = await mkdtemp(path.join(os.tmpdir(), "event-datasets-scripts-"));
});
afterEach(() => rm(sandbox, { recursive: true }));

/** A folder for PATH with small shell scripts in it. */
async function tools(name: string, scripts: Record<string, string>): Promise<string> {
  const folder = path.join(sandbox, name);
  await mkdir(folder, { recursive: true });
  for (const [tool, body] of Object.entries(scripts)) {
    await writeFile(path.join(folder, tool), `#!/bin/sh\n${body}\n`);
    await chmod(path.join(folder, tool), 0o755);
  }
  return folder;
}

const engineThatSays = (version: string) => ({ pulumi: `echo ${version}`, ...plugins });
const plugins = { "pulumi-language-nodejs": "exit 0", "pulumi-resource-pulumi-nodejs": "exit 0" };
const environment = (...folders: string[]) => ({
  PATH: folders.join(":"),
  XDG_CACHE_HOME: path.join(sandbox, "cache"),
});

/** A way that makes an engine out of shell scripts, and counts how often it is gone. */
function stubWay(pieces = PIECES) {
  const way = {
    source: "download" as const,
    name: "the stub",
    calls: 0,
    async make(folder: string) {
      way.calls++;
      await tools("made", Object.fromEntries(pieces.map((piece) => [piece, "echo v3.259.0"])));
      await cp(path.join(sandbox, "made"), path.join(folder, "bin"), { recursive: true });
    },
  };
  return way;
}

const failingWay = (source: Way["source"], name: string, reason: string): Way => ({
  source,
  name,
  make: () => Promise.reject(new Error(reason)),
});

test.each([
  ["v3.259.0\n", "3.259.0", true],
  ["3.216.0", "3.216.0", true],
  ["v4.0.0", "4.0.0", true],
  ["v3.217.0-dev.0+abc", "3.217.0-dev.0+abc", true],
  ["warning: something is new\nv3.215.9\n", "3.215.9", false],
  ["v2.300.0", "2.300.0", false],
])("the version in %j is %s", (printed, version, newEnough) => {
  expect(parseVersion(printed)).toBe(version);
  expect(isNewEnough(version)).toBe(newEnough);
});

test("a text that is not a version gives none", () => {
  expect(parseVersion("command not found")).toBeUndefined();
});

describe("the engine on PATH", () => {
  test("is taken as it is when it is new enough and has its plugins", async () => {
    const dir = await tools("installed", engineThatSays("v3.300.1"));
    expect(await ensureEngine({ log, env: environment(dir, "/bin"), ways: [] })).toEqual({
      dir,
      version: "3.300.1",
      source: "PATH",
    });
  });

  test.each([
    ["is too old", { ...plugins, pulumi: "echo v3.215.0" }, "3.215.0; 3.216 or newer is needed"],
    ["has no host for Node programs", { pulumi: "echo v3.300.0" }, "has no pulumi-language-nodejs beside it"],
    ["says no version", { ...plugins, pulumi: "echo hello" }, 'does not say its version but "hello"'],
    ["does not run", { ...plugins, pulumi: "echo broken >&2; exit 3" }, "exit code 3\n    broken"],
  ])("is passed over when it %s, and the reason is given", async (_, scripts, reason) => {
    const dir = await tools("installed", scripts);
    await expect(ensureEngine({ log, env: environment(dir, "/bin"), ways: [] })).rejects.toThrow(reason);
  });
});

test("an engine is made once and then found in the cache, under a name that its modules decide", async () => {
  const way = stubWay();
  const env = environment("/bin");
  const dir = path.join(cacheFolder(env), "engine", await cacheKey(checkout), "bin");

  expect(await ensureEngine({ log, env, ways: [way] })).toEqual({ dir, version: "3.259.0", source: "download" });
  expect(await ensureEngine({ log, env, ways: [way] })).toEqual({ dir, version: "3.259.0", source: "cache" });
  expect(way.calls).toBe(1);
  expect(await readdir(path.dirname(path.dirname(dir)))).toEqual([await cacheKey(checkout)]);
});

test("two runs at once make one engine", async () => {
  const way = stubWay();
  const options = { log, env: environment("/bin"), ways: [way] };
  const sources = (await Promise.all([ensureEngine(options), ensureEngine(options)])).map((engine) => engine.source);
  expect(sources.sort()).toEqual(["cache", "download"]);
  expect(way.calls).toBe(1);
});

test("an engine that lacks a piece is not kept, and the next way is tried", async () => {
  const ways = [
    { ...stubWay(["pulumi"]), name: "half" },
    { ...stubWay(), source: "build" as const },
  ];
  expect(await ensureEngine({ log, env: environment("/bin"), ways })).toMatchObject({ source: "build" });
});

test("a way that is not likely to work is tried last", async () => {
  const unlikely = { ...failingWay("download", "the official download", "no network"), isLikely: async () => false };
  const failure = await ensureEngine({
    log,
    env: environment("/bin"),
    ways: [unlikely, failingWay("build", "a build", "no Go")],
  }).catch((e: Error) => e.message);
  expect(failure).toMatch(/a build: no Go\n {2}- the official download: no network/);
});

test("when every way fails, the error names each with its reason, in order, and what to install", async () => {
  const ways = [
    failingWay("download", "the official download", "no network"),
    failingWay("build", "a build", "line 1\nline 2"),
  ];
  const failure = await ensureEngine({ log, env: environment("/bin"), ways }).catch((e: Error) => e.message);
  expect(failure).toBe(
    [
      "no Pulumi engine was found and none could be made. Tried, in this order:",
      "  - the Pulumi CLI on PATH: there is none",
      "  - the official download: no network",
      "  - a build: line 1",
      "    line 2",
      "Install the Pulumi CLI, 3.216 or newer (https://www.pulumi.com/docs/install), or Go 1.25.11 or newer, and try again.",
    ].join("\n"),
  );
  expect(await readdir(path.join(sandbox, "cache", "pulumi-event-datasets", "engine"))).toEqual([]);
});

describe("the build with Go", () => {
  const [, build] = WAYS;
  const ways = build ? [build] : [];

  test("says so when there is no Go", async () => {
    const env = environment(await tools("empty", {}));
    await expect(ensureEngine({ log, env, ways })).rejects.toThrow("a build from Go modules: Go is not installed");
  });

  test("gives what Go says when it fails, and leaves nothing behind", async () => {
    const go = await tools("go", {
      go: '[ "$1" = version ] && exit 0; echo "go.mod requires go >= 1.25.11" >&2; exit 1',
    });
    const env = environment(go, "/bin");
    await expect(ensureEngine({ log, env, ways })).rejects.toThrow("exit code 1\n    go.mod requires go >= 1.25.11");
    expect(await readdir(path.join(sandbox, "cache", "pulumi-event-datasets", "engine"))).toEqual([]);
  });

  test("builds both programs from the pinned modules, with the version in the engine", async () => {
    const record = path.join(sandbox, "calls");
    const writesOutput = `while [ "$1" != -o ]; do shift; done; printf '#!/bin/sh\\necho v3.259.0\\n' > "$2"; chmod +x "$2"`;
    const go = await tools("go", {
      go: `[ "$1" = build ] || exit 0; echo "$(basename "$PWD") $*" >> ${record}; ${writesOutput}`,
    });
    const env = environment(go, "/usr/bin", "/bin");
    expect(await ensureEngine({ log, env, ways })).toMatchObject({ source: "build" });

    const [host, engine] = (await readFile(record, "utf8")).trim().split("\n");
    expect(host).toMatch(/^language-nodejs build -mod=readonly .*\/sdk\/v3\/nodejs\/cmd\/pulumi-language-nodejs$/);
    expect(engine).toMatch(/^cli build -mod=readonly .*version\.Version=v3\.259\.0 .*\/pkg\/v3\/cmd\/pulumi$/);
    expect(said.join("\n")).toContain("about 4 minutes, only once");
  });
});

test("the cache is where the XDG variable says, else in the home folder; a relative path does not count", () => {
  expect(cacheFolder({ XDG_CACHE_HOME: "/c" })).toBe("/c/pulumi-event-datasets");
  expect(cacheFolder({ XDG_CACHE_HOME: "c", HOME: "/h" })).toBe("/h/.cache/pulumi-event-datasets");
  expect(cacheFolder({ HOME: "/h" })).toBe("/h/.cache/pulumi-event-datasets");
});
