import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { builtCli } from "../support/build";
import { cli } from "../support/cli";
import { type CommandResult, type RunningCommand, start } from "../support/command";

const MAIN = builtCli();
const rootToken = "root-token-of-the-dataset-tests";

let folder: string;
let url: string;
const running: RunningCommand[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "serve-datasets-"));
});

afterEach(async () => {
  for (const command of running.splice(0)) {
    command.kill("SIGKILL");
    await command.done;
  }
  await rm(folder, { recursive: true, force: true });
});

async function serve(...args: string[]): Promise<RunningCommand> {
  const env = { EVENT_DATASETS_ROOT_TOKEN: rootToken };
  const line = [MAIN, "serve", "--data", "data", "--port", "0", ...args];
  const command = await start(process.execPath, line, { cwd: folder, env });
  running.push(command);
  return command;
}

async function waitUntilListening(service: RunningCommand): Promise<void> {
  url = await service.printed(/listening on (\S+)\n/);
}

const query = (...args: string[]): Promise<CommandResult> =>
  cli(["query", ...args], {
    cwd: folder,
    env: { EVENT_DATASETS_BASE_URL: url, EVENT_DATASETS_ACCESS_TOKEN: rootToken },
  });

test("query finds the events that serve loads from files, and the files are loaded once", async () => {
  const events = [
    { at: "2026-11-20T10:00:00Z", service: "web", seconds: 12.5 },
    { at: "2026-11-20T11:00:00Z", service: "api", seconds: 30 },
    { at: "2026-11-21T09:00:00Z", service: "web", seconds: 7 },
  ];
  await writeFile(path.join(folder, "deploys.ndjson"), events.map((event) => JSON.stringify(event)).join("\n"));
  await writeFile(path.join(folder, "rooms.csv"), "at,name\n2026-11-20T00:00:00Z,red\n");
  const datasets = ["--dataset", "deploys=deploys.ndjson", "--dataset", "rooms=rooms.csv", "--time-field", "at"];
  for (const said of ["3 events loaded", "as it is in the data folder"]) {
    const service = await serve(...datasets);
    await waitUntilListening(service);

    const text = "deploys | summarize count(), max(seconds) by service | order by service asc";
    const { code, stdout } = await query(text, "--start", "2026-11-20T00:00:00Z", "--end", "now");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `service  count_  max_seconds
───────  ──────  ───────────
api           1           30
web           2         12.5
`,
    });
    const structured = { aggregations: [{ op: "count", field: "*", alias: "n" }], resolution: "1d" };
    await writeFile(path.join(folder, "request.json"), JSON.stringify({ ...structured, endTime: "now" }));
    const request = ["--request", "request.json", "--dataset", "deploys", "--start", "2026-11-20T00:00:00Z"];
    expect((await query(...request, "--output", "csv")).stdout).toBe(
      "_time,n\n2026-11-20T00:00:00Z,2\n2026-11-21T00:00:00Z,1\n",
    );
    expect((await query("rooms | project name", "--output", "ndjson")).stdout).toContain('"name":"red"');

    service.kill("SIGTERM");
    const { code: ended, stderr } = await service.done;
    expect(ended).toBe(0);
    expect(stderr).toContain(`dataset deploys: ${said}`);
  }
});

test("a query that the service refuses exits with 2, the place and the reason", async () => {
  const service = await serve();
  await waitUntilListening(service);
  for (const [text, message] of [
    ["['deploys']\n| frobnicate", "line 2, column 3"],
    ["['absent'] | count", "absent"],
  ] as const) {
    const { code, stdout, stderr } = await query(text);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  }
});

test.each([
  ["deploys", "--dataset: must be <name>=<file>"],
  ["=x.json", "--dataset: must be <name>=<file>"],
  ["deploys=no-such.json", "dataset deploys: cannot load no-such.json: "],
])("serve --dataset %s ends with 2 and a sentence", async (dataset, message) => {
  const { code, stderr, stdout } = await (await serve("--dataset", dataset)).done;
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
});
