import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { CommandName } from "../../cli/manuals";
import { cli } from "../support/cli";
import { aplAnswer } from "../support/queryAnswers";
import { type Behaviour, json, type ScriptedService, startService } from "../support/service";
import { exportOf } from "../support/states";

// Most suites run commands in a process that stays (tests/support/commandLineHost.js). What a command answers there must be what
// it answers to a user, who starts a process for it alone, whatever ran in that process before.

interface Sample {
  readonly args: readonly string[];
  readonly code: number;
  readonly answer: Behaviour;
  readonly env?: Readonly<Record<string, string>>;
}

const none = json(200, []);
const token = { id: "t1", name: "by hand", expiresAt: "2999-01-01T00:00:00Z" };

/** One that succeeds, or finds something; of what stays or needs more than this, one that is refused. */
const samples: Readonly<Record<CommandName, Sample>> = {
  audit: { args: ["--state", "state.json"], code: 1, answer: json(200, [token]) },
  annotate: { args: ["--dataset", "web", "--", "echo", "ran"], code: 0, answer: json(201, { id: "a1" }) },
  query: { args: ["web | count", "--output", "json"], code: 0, answer: json(200, aplAnswer) },
  "tokens list": { args: [], code: 0, answer: json(200, [token]) },
  "tokens adopt": { args: [], code: 0, answer: json(200, [token]) },
  "tokens find": { args: [], code: 2, answer: none },
  "tokens revoke": { args: ["--id", "t1"], code: 2, answer: none },
  open: { args: ["--identity", "none"], code: 2, answer: none },
  recover: { args: ["--state", "state.json"], code: 0, answer: none },
  doctor: { args: [], code: 0, answer: none },
  completion: { args: ["bash"], code: 0, answer: none },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "own-process-"));
  await writeFile(path.join(folder, "state.json"), JSON.stringify(exportOf({})));
});
afterAll(() => rm(folder, { recursive: true }));

const runs = Object.entries(samples);

/** A sample's run, with what it sent. */
async function run(name: string, { args, env = {} }: Sample, service: ScriptedService, ownProcess: boolean) {
  const before = service.calls.length;
  const connection = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "xapt-canary-7d21" };
  const { code, stdout, stderr } = await cli([...name.split(" "), ...args], {
    cwd: folder,
    env: { ...connection, ...env },
    ownProcess,
  });
  // How far a response's clock seems to be off depends on how long the response takes.
  const result = stdout.replace(/within \d+ s/, "within N s");
  return { code, stdout: result, stderr, calls: service.calls.slice(before) };
}

describe.each(runs)("event-datasets %s", (name, sample) => {
  test("has the same result in its own process and in one that ran other commands", async () => {
    await using service = await startService(sample.answer);
    const alone = await run(name, sample, service, true);
    expect(alone.code).toBe(sample.code);
    expect(await run(name, sample, service, false)).toEqual(alone);
    for (const [other, { args }] of runs)
      await cli([...other.split(" "), ...args, "--outptu"], { cwd: folder, ownProcess: false });
    expect(await run(name, sample, service, false)).toEqual(alone);
  });
});

test("the environment of a command is not visible to the next one", async () => {
  await using service = await startService(none);
  const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "xapt-canary-7d21" };
  const audit = ["audit", "--state", "state.json"];
  expect((await cli(audit, { cwd: folder, env })).code).toBe(0);
  expect((await cli(audit, { cwd: tmpdir(), env })).stderr).toContain("state.json: cannot be read (ENOENT)");
  expect((await cli(audit, { cwd: folder })).stderr).toContain("baseUrl is missing");
});

test("a process that runs many commands reports a command that a signal killed", async () => {
  await using service = await startService(json(201, { id: "a1" }));
  const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "xapt-canary-7d21" };
  const args = ["annotate", "--dataset", "web", "--", "sh", "-c", "kill -TERM $$"];
  await expect(cli(args, { cwd: folder, env })).rejects.toThrow("needs `ownProcess`");
  expect(await cli(args, { cwd: folder, env, ownProcess: true })).toMatchObject({ code: undefined, signal: "SIGTERM" });
});
