import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { builtCli } from "../support/checkout";
import { cli } from "../support/cli";
import { refusedUrl } from "../support/client";
import { type CommandResult, type RunningCommand, start } from "../support/command";
import { startTemporaryEmulator } from "../support/deployment";
import { hangUp, startService } from "../support/service";

const MAIN = builtCli();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "annotate-"));
});
afterAll(() => rm(folder, { recursive: true }));

type Target = Pick<Emulator, "url" | "rootToken">;

const connection = ({ url, rootToken }: Target) => ({
  EVENT_DATASETS_BASE_URL: url,
  EVENT_DATASETS_ACCESS_TOKEN: rootToken,
});

/** In a process of its own, for what signals and standard input do. */
const launch = (target: Target, args: readonly string[], leadsGroup = false): Promise<RunningCommand> =>
  start(process.execPath, [MAIN, "annotate", ...args], {
    cwd: folder,
    leadsGroup,
    env: { PATH: process.env.PATH, ...connection(target) },
    stdin: "from standard input\n",
  });

const annotate = (target: Target, args: readonly string[], env = {}): Promise<CommandResult> =>
  cli(["annotate", ...args], { cwd: folder, env: { ...connection(target), ...env } });

/** A Node program as a command line. */
const node = (program: string) => ["--", process.execPath, "-e", program];

const nowhere = async (): Promise<Target> => ({ url: refusedUrl, rootToken: "xaat-1" });

const duration = ({ time, endTime }: Record<string, unknown>) => Date.parse(String(endTime)) - Date.parse(String(time));

test("a command's output, input and exit code pass through, and its time is recorded as a deployment", async () => {
  await using service = await startTemporaryEmulator();
  const program = `process.stdin.pipe(process.stdout); console.error("complaint"); setTimeout(() => {}, 300)`;
  const running = await launch(service, [
    "--dataset",
    "deploys",
    "--dataset",
    "web",
    "--title",
    "1.4",
    ...node(program),
  ]);
  const result = await running.done;
  const [made] = service.annotations.list();
  expect(result.code).toBe(0);
  expect(result.stdout).toBe("from standard input\n");
  expect(result.stderr).toBe(`complaint\nevent-datasets: recorded annotation ${made?.id}\n`);
  expect(made).toMatchObject({ datasets: ["deploys", "web"], title: "1.4", type: "deploy" });
  expect(duration(made ?? {})).toBeGreaterThanOrEqual(300);
});

test("a command that fails is recorded as a failed deployment, and its exit code passes through", async () => {
  await using service = await startTemporaryEmulator();
  expect((await annotate(service, ["--dataset", "deploys", "--title", "1.4", "--", "false"])).code).toBe(1);
  expect(service.annotations.list()).toEqual([
    expect.objectContaining({ type: "deploy-failed", title: "1.4", description: "Failed with exit code 1" }),
  ]);
  expect(
    (await annotate(service, ["--dataset", "deploys", "--type", "release", ...node("process.exit(7)")])).code,
  ).toBe(7);
  expect(service.annotations.list().at(-1)).toMatchObject({ type: "release-failed" });
});

test("SIGINT reaches the command, which may exit in its own way, and then the annotation is recorded", async () => {
  await using service = await startTemporaryEmulator();
  const program = `process.on("SIGINT", () => { console.log("saving"); setTimeout(() => process.exit(3), 100) });
    setInterval(Date, 1e6); console.log("ready")`;
  const running = await launch(service, ["--dataset", "deploys", ...node(program)]);
  await running.printed("ready");
  running.kill("SIGINT");
  const { code, stdout } = await running.done;
  expect([code, stdout]).toEqual([3, "ready\nsaving\n"]);
  expect(service.annotations.list()).toEqual([expect.objectContaining({ type: "deploy-failed" })]);
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s for the whole process group reaches the command once: a second one would make Pulumi stop without saving",
  async (signal) => {
    await using service = await startTemporaryEmulator();
    const program = `let times = 0; process.on("${signal}", () => { if (++times === 1) setTimeout(end, 1000) });
    const end = () => { console.log("times: " + times); process.exit() };
    setInterval(Date, 1e6); console.log("ready")`;
    const running = await launch(service, ["--dataset", "deploys", ...node(program)], true);
    await running.printed("ready");
    // Two signals at once would count as one, so annotate gets its own later than the rest of its group.
    running.kill("SIGSTOP");
    process.kill(-running.pid, signal);
    await sleep(200);
    running.kill("SIGCONT");
    const { code, stdout } = await running.done;
    expect([code, stdout]).toEqual([0, "ready\ntimes: 1\n"]);
  },
);

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s that npx passes on, although annotate got it itself, reaches the command once",
  async (signal) => {
    await using service = await startTemporaryEmulator();
    const program = `let times = 0; process.on("${signal}", () => console.log("times: " + ++times));
    process.on("SIGUSR2", () => process.exit()); setInterval(Date, 1e6); console.log("ready")`;
    const running = await launch(service, ["--dataset", "deploys", ...node(program)]);
    await running.printed("ready");
    running.kill(signal);
    await running.printed("times: 1");
    running.kill(signal);
    await sleep(100);
    running.kill("SIGUSR2");
    const { code, stdout } = await running.done;
    expect([code, stdout]).toEqual([0, "ready\ntimes: 1\n"]);
  },
);

test("if a signal kills the command, annotate exits by the same signal", async () => {
  await using service = await startTemporaryEmulator();
  const args = ["--dataset", "deploys", ...node(`console.log("ready"); setInterval(Date, 1e6)`)];
  const running = await launch(service, args);
  await running.printed("ready");
  running.kill("SIGTERM");
  const { code, signal } = await running.done;
  expect([code, signal]).toEqual([undefined, "SIGTERM"]);
  expect(service.annotations.list()).toEqual([expect.objectContaining({ description: "Ended by SIGTERM" })]);
});

test("a killed command has the exit code that a shell reports", async () => {
  await using service = await startTemporaryEmulator();
  const running = await launch(service, ["--dataset", "deploys", ...node(`process.kill(process.pid, "SIGKILL")`)]);
  const { code } = await running.done;
  expect(code).toBe(137);
  expect(service.annotations.list()).toEqual([expect.objectContaining({ type: "deploy-failed" })]);
});

test("a service that is down does not change the command's exit code, unless the annotation is required", async () => {
  const target = await nowhere();
  const result = await annotate(target, ["--dataset", "deploys", "--", "true"]);
  expect(result.code).toBe(0);
  expect(result.stderr).toMatch(/^event-datasets: the annotation was not recorded: .*could not connect/m);
  expect((await annotate(target, ["--dataset", "deploys", "--required", "--", "true"])).code).toBe(2);
  expect((await annotate(target, ["--dataset", "deploys", "--required", "--", "false"])).code).toBe(1);
});

test("an annotation that may have arrived is not sent again", async () => {
  await using service = await startService(hangUp);
  const result = await annotate({ url: service.url, rootToken: "xaat-1" }, ["--dataset", "deploys", "--", "true"]);
  expect(result.stderr).toContain("The annotation may exist; it was not sent again.");
  expect(service.calls).toEqual(["POST /v2/annotations"]);
});

test("a missing command is reported as by a shell, and nothing is recorded", async () => {
  await using service = await startTemporaryEmulator();
  expect((await annotate(service, ["--dataset", "deploys", "--", "./no-such-command"])).code).toBe(127);
  expect(service.calls).toEqual([]);
});

test("without a command one annotation is recorded and its id printed", async () => {
  await using service = await startTemporaryEmulator();
  const range = ["--time", "2026-01-31T13:00:00+01:00", "--end-time", "2026-01-31T12:30:00Z"];
  const { code, stdout } = await annotate(service, ["--dataset", "deploys", "--title", "1.4", ...range]);
  expect([code, stdout]).toEqual([0, `${service.annotations.list()[0]?.id}\n`]);
  expect(service.annotations.list()).toEqual([
    expect.objectContaining({ time: "2026-01-31T12:00:00Z", endTime: "2026-01-31T12:30:00Z", type: "deploy" }),
  ]);
  expect((await annotate(await nowhere(), ["--dataset", "deploys"])).code).toBe(2);
});

test("an end before now needs a time, and is refused before any request", async () => {
  await using service = await startTemporaryEmulator();
  const result = await annotate(service, ["--dataset", "deploys", "--end-time", "2026-01-31T12:30:00Z"]);
  expect(result.code).toBe(2);
  expect(result.stderr).toContain("--end-time must not be before --time (default: now)");
  expect(service.calls).toEqual([]);
});

test("missing values come from the CI system", async () => {
  await using service = await startTemporaryEmulator();
  const env = { GITLAB_CI: "true", CI_COMMIT_SHA: "c".repeat(40), CI_PROJECT_URL: "https://gitlab.com/acme/web" };
  await annotate(service, ["--dataset", "deploys"], env);
  expect(service.annotations.list()).toEqual([expect.objectContaining({ title: "Deploy web (ccccccc)" })]);
});

test.each([
  [[], "--dataset is missing"],
  [["--dataset", ""], "--dataset: is empty"],
  [
    ["--dataset", "d", "--time", "2026-01-02T00:00:00Z", "--end-time", "2026-01-01T00:00:00Z"],
    "--end-time must not be before --time",
  ],
  [["--dataset", "deploys", "--time", "noon"], "--time must be an RFC 3339 instant"],
  [["--dataset", "deploys", "--type", "Deploy!"], "--type must be lower-case letters, digits and hyphens"],
  [["--dataset", "deploys", "--time", "2026-01-01T00:00:00Z"], "a command has its own time"],
])("a mistake in %j is found before the command runs", async (options, complaint) => {
  const env = { EVENT_DATASETS_PROFILE: "extended" };
  const command = node(`console.log("ran")`);
  const { code, stdout, stderr } = await annotate(await nowhere(), [...options, ...command], env);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(complaint);
});

test("a text that is too long is shortened with a warning, and the deployment starts", async () => {
  await using service = await startTemporaryEmulator({ profile: "extended" });
  const texts = { title: 257, description: 513, type: 300 };
  const options = Object.entries(texts).flatMap(([name, length]) => [`--${name}`, "a".repeat(length)]);
  const args = ["--dataset", "deploys", ...options, "--url", `https://a.example.com/${"b".repeat(600)}`];
  const { code, stdout, stderr } = await annotate(service, [...args, ...node(`console.log("ran"); process.exit(3)`)], {
    EVENT_DATASETS_PROFILE: "extended",
  });
  expect([code, stdout]).toEqual([3, "ran\n"]);
  for (const name of Object.keys(texts)) expect(stderr).toMatch(new RegExp(`--${name} is longer .*: it is shortened`));
  expect(stderr).toContain("--url is longer than 512 characters: it is left out");
  const [made] = service.annotations.list();
  expect(made).toMatchObject({ title: `${"a".repeat(255)}…`, type: `${"a".repeat(249)}-failed` });
  expect(made).not.toHaveProperty("url");
});

test("datasets can be separated by commas, and one that is named twice is one", async () => {
  await using service = await startTemporaryEmulator();
  await annotate(service, ["--dataset", "web, api", "--dataset", "web", "--title", "1.4"]);
  expect(service.annotations.list()).toMatchObject([{ datasets: ["web", "api"] }]);
});

test("--commit names what is deployed, as for a rollback; without any commit one line says so", async () => {
  await using service = await startTemporaryEmulator();
  const env = { GITLAB_CI: "true", CI_COMMIT_SHA: "c".repeat(40), CI_PROJECT_URL: "https://gitlab.com/acme/web" };
  await annotate(service, ["--dataset", "deploys", "--commit", "d".repeat(40)], env);
  expect(service.annotations.list()).toMatchObject([{ title: "Deploy web (ddddddd)" }]);
  const { stderr } = await annotate(service, ["--dataset", "deploys"], { PATH: "" });
  expect(stderr).toBe(
    "event-datasets: no commit was found in the variables of a CI system or with git: give --commit or --title\n",
  );
});

test("missing settings are found before the command runs, and a missing command is named", async () => {
  const args = ["--dataset", "d", ...node(`console.log(1)`)];
  const { code, stdout, stderr } = await annotate({ url: "", rootToken: "" }, args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("EVENT_DATASETS_BASE_URL");
  expect((await annotate(await nowhere(), ["--dataset", "deploys", "--"])).stderr).toContain('missing after "--"');
});
