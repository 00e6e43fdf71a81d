import { spawn } from "node:child_process";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { AuditFolder, credential } from "../support/auditFolder";
import { builtCli } from "../support/build";
import { start } from "../support/command";
import { ContainedProcess, containerOf, hasContainers, seesWholeMachine } from "../support/container";
import { json, type ScriptedService, startService } from "../support/service";

let folder: AuditFolder;
let backend: string;

beforeEach(async () => {
  folder = await AuditFolder.create();
  backend = `file://${folder.path}/backend`;
  await mkdir(path.join(folder.path, "backend/.pulumi"), { recursive: true });
});

afterEach(() => folder[Symbol.asyncDispose]());

const recover = (service: ScriptedService, ...args: readonly string[]) => folder.run(["recover", ...args], service);

const cancel = "pulumi cancel --yes --stack organization/web/prod";
const locks = "backend/.pulumi/locks/organization/web/prod";

const listLocks = () => readdir(path.join(folder.path, locks));

/** Elsewhere nothing can tell that an update ended, so every lock is kept. */
const testWhereJudged = seesWholeMachine ? test : test.skip;
const testWithContainers = hasContainers ? test : test.skip;

testWhereJudged("a leftover lock is removed, after the damage that makes every command fail", async () => {
  await using service = await startService(json(200, []));
  await folder.write("backend/.pulumi/stacks/web/prod.json.attrs", "");
  await folder.write(`${locks}/1.json`, { pid: 4_194_304, hostname: hostname(), timestamp: new Date() });
  const shown = await recover(service, "--backend", backend, "--stack", "prod");
  expect(shown.code).toBe(1);
  expect(shown.stdout).toMatch(
    /attrs is empty.*\n {2}rm .*\n.*leftover lock of an update that ended\n {2}PULUMI_BACKEND_URL=\S+ pulumi cancel --yes --stack organization\/web\/prod\n/,
  );
  const applied = await recover(service, "--backend", backend, "--stack", "prod", "--apply", "--state", "state.json");
  expect(applied.stdout.match(/ {2}# done: /g)).toHaveLength(2);
  expect(await listLocks()).toEqual([]);
});

test("a lock of another machine is kept, because it is unknown whether its update still runs", async () => {
  await using service = await startService(json(200, []));
  await folder.write(`${locks}/1.json`, { pid: 1, hostname: "elsewhere.example" });
  const { code, stdout } = await recover(service, "--backend", backend, "--apply");
  expect(code).toBe(1);
  // Whoever hands the indented lines to a shell must not cancel the update of another machine.
  expect(stdout).toContain(
    [
      "locked by an update on elsewhere.example: this process cannot tell whether it is still running",
      `  # make sure that it ended; then: PULUMI_BACKEND_URL=file://${folder.path}/backend ${cancel}\n`,
    ].join("\n"),
  );
  expect(stdout).not.toMatch(/^ {2}[^#]*pulumi cancel/m);
  expect(await listLocks()).toEqual(["1.json"]);
});

test("a lock of a running process is kept", async () => {
  await using service = await startService(json(200, []));
  await folder.write(`${locks}/1.json`, { pid: process.pid, hostname: hostname() });
  const halfWritten = await folder.write("backend/.pulumi/stacks/web/prod.json", '{"version":');
  await folder.write("backend/.pulumi/stacks/web/prod.json.bak", { version: 3 });
  const { code, stdout } = await recover(service, "--backend", backend, "--apply");
  expect(code).toBe(1);
  expect(stdout).toContain(`locked by process ${process.pid}, which is running`);
  // A file that it is writing may look truncated.
  expect(stdout).toContain(
    "prod.json is truncated: its .bak has the previous state\n  # a lock below belongs to an update",
  );
  expect(stdout).not.toMatch(/^ {2}cp|# done/m);
  // Nothing else can be run before: the damage keeps "pulumi cancel" from working, too.
  expect(stdout).toMatch(/make sure that it ended; then: cp .*prod\.json\.broken && cp /);
  expect(await readFile(halfWritten, "utf8")).toBe('{"version":');
  expect(await listLocks()).toEqual(["1.json"]);
});

testWhereJudged("a lock is stale if its process id now belongs to another process", async () => {
  await using service = await startService(json(200, []));
  const lock = { pid: process.pid, hostname: hostname(), timestamp: "2026-01-01T00:00:00Z" };
  await folder.write(`${locks}/1.json`, lock);
  await folder.write(`${locks}/2.json`, { ...lock, timestamp: new Date() });
  const { stdout } = await recover(service, "--backend", backend, "--apply");
  expect(stdout).toContain(`locked by process ${process.pid}, which is running`);
  expect(await listLocks()).toEqual(["2.json"]);
});

testWithContainers("a lock of an update in a container that has this host's name is kept", async () => {
  await using service = await startService(json(200, []));
  await using update = await ContainedProcess.start();
  await folder.write(`${locks}/1.json`, { pid: update.pid, hostname: hostname(), timestamp: new Date() });
  const { stdout } = await recover(service, "--backend", backend, "--apply");
  expect(stdout).toContain(
    `locked by an update on ${hostname()}: this process cannot tell whether it is still running`,
  );
  expect(stdout).toContain(`  # make sure that it ended; then: PULUMI_BACKEND_URL=${backend} ${cancel}\n`);
  expect(await listLocks()).toEqual(["1.json"]);
});

testWithContainers("in a container that has the host's name, a lock of an update outside is kept", async () => {
  await using service = await startService(json(200, []));
  await folder.write(`${locks}/1.json`, { pid: process.pid, hostname: hostname(), timestamp: new Date() });
  const args = [process.execPath, builtCli(), "recover", "--backend", backend, "--apply"];
  const env = { PATH: process.env.PATH, EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: credential };
  const { stdout } = await (await start(...containerOf(...args), { cwd: folder.path, env })).done;
  expect(stdout).toContain(
    `locked by an update on ${hostname()}: this process cannot tell whether it is still running`,
  );
  expect(await listLocks()).toEqual(["1.json"]);
});

testWhereJudged(
  "an engine that looks younger than its lock, because the clock was set forward, is running",
  async () => {
    await using service = await startService(json(200, []));
    const engine = spawn(await folder.write("pulumi", "#!/bin/sh\nread line\n", 0o755), {
      stdio: ["pipe", "ignore", "ignore"],
    });
    const lock = { pid: engine.pid, hostname: hostname(), timestamp: new Date(Date.now() - 3_600_000) };
    await folder.write(`${locks}/1.json`, lock);
    const { stdout } = await recover(service, "--backend", backend, "--apply");
    engine.stdin.end();
    expect(stdout).toContain(`locked by process ${engine.pid}, which is running`);
    expect(await listLocks()).toEqual(["1.json"]);
  },
);

testWhereJudged(
  "an update that is running in another project is not a problem, and a leftover lock is one",
  async () => {
    await using service = await startService(json(200, []));
    await folder.write("infra/Pulumi.yaml", "name: infra\n");
    const lock = { pid: process.pid, hostname: hostname(), timestamp: new Date() };
    await folder.write("backend/.pulumi/locks/organization/running/prod/1.json", lock);
    await folder.write("backend/.pulumi/locks/organization/elsewhere/prod/1.json", { ...lock, hostname: "another" });
    await folder.write("backend/.pulumi/locks/organization/ended/prod/1.json", { ...lock, pid: 2 ** 30 });
    const { stderr } = await recover(service, "--backend", backend, "--cwd", "infra", "--stack", "prod");
    expect(stderr).toContain("left out: organization/ended/prod has problems too");
    expect(stderr).not.toMatch(/running|elsewhere/);
  },
);
