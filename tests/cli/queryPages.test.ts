import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { builtCli } from "../support/build";
import { cli } from "../support/cli";
import { start } from "../support/command";
import { aplAnswer } from "../support/queryAnswers";
import { json, type ScriptedService, startService } from "../support/service";

const events = (...data: object[]) => ({
  ...aplAnswer,
  buckets: { series: [], totals: [] },
  matches: data.map((fields) => ({ _time: "2026-11-20T10:00:00Z", data: fields })),
});
const calm = { ...aplAnswer, status: {} };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "query-"));
  await writeFile(path.join(folder, "q.json"), "{}");
});
afterEach(() => rm(folder, { recursive: true }));

const run = ({ url }: ScriptedService, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  cli(["query", ...args], {
    cwd: folder,
    env: { EVENT_DATASETS_BASE_URL: url, EVENT_DATASETS_ACCESS_TOKEN: "t", ...env },
  });

const bodies = (service: ScriptedService) => service.requests.map(({ body }) => JSON.parse(body));

describe("all pages", () => {
  const page = (n: number, status: object) => json(200, { ...events({ n }), status });

  test("of a structured query are printed one by one, or as one list in the format json", async () => {
    const args = ["--request", "q.json", "--dataset", "web", "--all", "--output"];
    const messages = [{ msg: "slow", priority: "warn" }];
    const pages = () => [page(1, { continuationToken: "a", messages }), page(2, { messages })];
    await using service = await startService(...pages(), ...pages(), ...pages());
    const { stdout, stderr } = await run(service, [...args, "ndjson"]);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).n),
    ).toEqual([1, 2]);
    expect(stderr.match(/slow/g)).toHaveLength(1);
    expect(bodies(service)).toEqual([{}, { continuationToken: "a" }]);
    expect((await run(service, [...args, "csv"])).stdout).toBe(
      "_time,n\n2026-11-20T10:00:00Z,1\n2026-11-20T10:00:00Z,2\n",
    );
    expect(JSON.parse((await run(service, [...args, "json"])).stdout)).toHaveLength(2);
  });

  test("that fail in the middle are exit code 2, although some were printed", async () => {
    await using service = await startService(page(1, { continuationToken: "a" }), json(403, {}));
    const args = ["--request", "q.json", "--dataset", "web", "--all"];
    expect(await run(service, [...args, "--output", "ndjson"])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('"n":1'),
    });
  });

  test("are not fetched for a reader that went away", async () => {
    await using service = await startService(
      ...Array.from({ length: 300 }, (_, n) => page(n, { continuationToken: `${n}` })),
    );
    const command = '"$NODE" "$CLI" query --request q.json --dataset web --all --output ndjson --timeout 60 | head -1';
    const env = { PATH: process.env.PATH, NODE: process.execPath, CLI: builtCli() };
    const connection = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "t" };
    const { done } = await start("bash", ["-c", `${command}; echo "$PIPESTATUS"`], {
      cwd: folder,
      env: { ...env, ...connection },
    });
    expect((await done).stdout).toBe('{"_time":"2026-11-20T10:00:00Z","n":0}\n2\n');
    expect(service.calls.length).toBeLessThan(300);
  });

  test("of a query in text need the extended profile, and an error says so before anything is sent", async () => {
    await using service = await startService(page(1, {}));
    const { code, stderr } = await run(service, ["['web']", "--all"]);
    expect(code).toBe(2);
    expect(stderr).toContain("it needs the profile extended");
    expect(service.calls).toEqual([]);
    expect((await run(service, ["['web']", "--all"], { EVENT_DATASETS_PROFILE: "extended" })).code).toBe(0);
  });
});

describe("a parameter of the extended interface", () => {
  const extended = { EVENT_DATASETS_PROFILE: "extended" };
  const saving = ["['web']", "--save-as-kind", "view", "--save-as-dataset", "web", "--nocache"];

  test("is sent in that profile", async () => {
    await using service = await startService(json(200, calm));
    expect((await run(service, saving, extended)).code).toBe(0);
    await run(service, ["--request", "q.json", "--dataset", "web", "--nocache"], extended);
    expect(service.calls).toEqual([
      "POST /v1/datasets/_apl?format=legacy&nocache=true&saveAsKind=view&dataset_name=web",
      "POST /v1/datasets/web/query?nocache=true",
    ]);
  });

  test("is refused in the documented one", async () => {
    await using service = await startService(json(200, calm));
    const { code, stderr } = await run(service, ["['web']", "--nocache"]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      "the parameter nocache is not part of the documented interface: it needs the profile extended",
    );
    expect(service.calls).toEqual([]);
  });

  test("a query to save is sent once, even if it fails", async () => {
    await using service = await startService(json(503, {}));
    expect((await run(service, saving, extended)).code).toBe(2);
    expect(service.calls).toHaveLength(1);
  });

  test.each([
    [["['web']", "--all", "--totals"], "--totals: every page has its own"],
    [["['web']", "--all", "--save-as-kind", "view"], "--save-as-kind: a query is saved once"],
    [["['web']", "--save-as-dataset", "web"], "--save-as-dataset: goes with --save-as-kind"],
  ])("%j is a contradiction", async (args, message) => {
    await using service = await startService(json(200, calm));
    const { code, stderr } = await run(service, args, extended);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(service.calls).toEqual([]);
  });
});
