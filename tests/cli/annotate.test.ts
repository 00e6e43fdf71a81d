import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { useAuditFolder } from "../support/auditFolder";
import { builtCli } from "../support/checkout";
import { refusedUrl } from "../support/client";
import { type CommandResult, type RunningCommand, start } from "../support/command";
import { startTemporaryEmulator } from "../support/deployment";
import { hangUp, startService } from "../support/service";

const MAIN = builtCli();
const folder = useAuditFolder();

type Target = Pick<Emulator, "url" | "rootToken">;

const nowhere: Target = { url: refusedUrl, rootToken: "xaat-1" };

const connection = ({ url, rootToken }: Target) => ({
  EVENT_DATASETS_BASE_URL: url,
  EVENT_DATASETS_ACCESS_TOKEN: rootToken,
});

/** In a process of its own, for what signals and standard input do. */
const launch = (target: Target, args: readonly string[], leadsGroup = false, env = {}): Promise<RunningCommand> =>
  start(process.execPath, [MAIN, "annotate", "--dataset", "deploys", ...args], {
    cwd: folder.path,
    leadsGroup,
    env: { PATH: process.env.PATH, ...connection(target), ...env },
    stdin: "from standard input\n",
  });

const annotate = (target: Target, args: readonly string[], env = {}): Promise<CommandResult> =>
  folder.run(["annotate", ...args], target, { ...connection(target), ...env });

const web = ["--dataset", "web"];

/** A Node program as a command line. */
const node = (program: string) => ["--", process.execPath, "-e", program];

test("a command's output, input and exit code pass through, and its time is recorded as a deployment", async () => {
  await using service = await startTemporaryEmulator();
  const program = `process.stdin.pipe(process.stdout); console.error("complaint"); setTimeout(() => {}, 300)`;
  const running = await launch(service, [...web, "--title", "1.4", ...node(program)]);
  const { code, stdout, stderr } = await running.done;
  const made = service.annotations.list()[0] as Record<string, unknown>;
  expect([code, stdout]).toEqual([0, "from standard input\n"]);
  expect(stderr).toBe(`complaint\npulumi-event-datasets: recorded annotation ${made.id}\n`);
  expect(made).toMatchObject({ datasets: ["deploys", "web"], title: "1.4", type: "deploy" });
  expect(Date.parse(String(made.endTime)) - Date.parse(String(made.time))).toBeGreaterThanOrEqual(300);
});

test("a command that fails is recorded as a failed deployment, and its exit code passes through", async () => {
  await using service = await startTemporaryEmulator();
  expect(await annotate(service, [...web, "--title", "1.4", "--", "false"])).toMatchObject({ code: 1 });
  const type = ["--type", "release"];
  expect(await annotate(service, [...web, ...type, ...node("process.exit(7)")])).toMatchObject({ code: 7 });
  expect(service.annotations.list()).toMatchObject([
    { type: "deploy-failed", title: "1.4", description: "Failed with exit code 1" },
    { type: "release-failed" },
  ]);
});

/** Node.js loads this first, in annotate and in a Node program that it runs. */
const preload = async (code: string) => ({ NODE_OPTIONS: `--require ${await folder.write("preload.cjs", code)}` });

test.each([
  ["without a terminal", "SIGINT", "", {}],
  ["on the terminal of a CI system", "SIGTERM", "process.stdout.isTTY = true", { CI: "true" }],
] as const)(
  "%s a signal for the whole process group reaches the command once: a second one would make Pulumi stop without saving",
  async (_, signal, first, ci) => {
    await using service = await startTemporaryEmulator();
    const program = `let times = 0; process.on("${signal}", () => { if (++times === 1) setTimeout(end, 1000) });
    const end = () => { console.log("times: " + times); process.exit() };
    setInterval(Date, 1e6); console.log("ready")`;
    const running = await launch(service, ["--title", "1.4", ...node(program)], true, {
      ...ci,
      ...(await preload(first)),
    });
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

test("a signal that the system does not deliver, as to a command of another user, is not taken for a failed start", async () => {
  await using service = await startTemporaryEmulator();
  // As Node.js does it: https://nodejs.org/api/child_process.html#subprocesskillsignal
  const env = await preload(`require("node:child_process").ChildProcess.prototype.kill = function () {
      this.emit("error", Object.assign(new Error("kill EPERM"), { code: "EPERM" })); return false; }`);
  const running = await launch(
    service,
    node(`console.log("ready"); setTimeout(() => process.exit(3), 1000)`),
    false,
    env,
  );
  await running.printed("ready");
  running.kill("SIGTERM");
  expect(await running.done).toMatchObject({ code: 3 });
  expect(service.annotations.list()).toMatchObject([{ description: "Failed with exit code 3" }]);
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s reaches the command once, though npx passes it on as well, and the command may exit in its own way",
  async (signal) => {
    await using service = await startTemporaryEmulator();
    const program = `let times = 0; process.on("${signal}", () => console.log("times: " + ++times));
    process.on("SIGUSR2", () => process.exit(3)); setInterval(Date, 1e6); console.log("ready")`;
    const running = await launch(service, node(program));
    await running.printed("ready");
    running.kill(signal);
    await running.printed("times: 1");
    running.kill(signal);
    await sleep(100);
    running.kill("SIGUSR2");
    const { code, stdout } = await running.done;
    expect([code, stdout]).toEqual([3, "ready\ntimes: 1\n"]);
    expect(service.annotations.list()).toMatchObject([{ type: "deploy-failed" }]);
  },
);

test("a signal that comes while the command starts reaches it, and does not end annotate alone", async () => {
  await using service = await startTemporaryEmulator();
  const env = await preload(`const { spawn } = require("node:child_process");
    require("node:child_process").spawn = (...args) => { const child = spawn(...args); process.kill(process.pid, "SIGTERM"); return child; };`);
  const running = await launch(service, ["--", "sleep", "5"], false, env);
  expect(await running.done).toMatchObject({ signal: "SIGTERM" });
  expect(service.annotations.list()).toMatchObject([{ description: "Ended by SIGTERM" }]);
});

test.each([
  ["SIGTERM", { code: undefined, signal: "SIGTERM" }],
  ["SIGKILL", { code: 137, signal: undefined }], // as a shell reports it
])("if %s kills the command, annotate ends in the same way", async (signal, ending) => {
  await using service = await startTemporaryEmulator();
  const running = await launch(service, node(`process.kill(process.pid, "${signal}")`));
  expect(await running.done).toMatchObject(ending);
  expect(service.annotations.list()).toMatchObject([{ type: "deploy-failed", description: `Ended by ${signal}` }]);
});

test("a service that is down does not change the command's exit code, unless the annotation is required", async () => {
  const { code, stderr } = await annotate(nowhere, [...web, "--", "true"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^pulumi-event-datasets: the annotation was not recorded: .*could not connect/m);
  expect(await annotate(nowhere, [...web, "--required", "--", "true"])).toMatchObject({ code: 2 });
  expect(await annotate(nowhere, [...web, "--required", "--", "false"])).toMatchObject({ code: 1 });
});

test("an annotation that may have arrived is not sent again", async () => {
  await using service = await startService(hangUp);
  const { stderr } = await annotate({ url: service.url, rootToken: "xaat-1" }, [...web, "--", "true"]);
  expect(stderr).toContain("The annotation may exist; it was not sent again.");
  expect(service.calls).toEqual(["POST /v2/annotations"]);
});

test("a missing command is reported as by a shell, and nothing is recorded", async () => {
  await using service = await startTemporaryEmulator();
  expect(await annotate(service, [...web, "--", "plumi", "up"])).toMatchObject({
    code: 127,
    stderr: expect.stringContaining('"plumi" could not be started (it was not found on PATH)'),
  });
  expect(service.calls).toEqual([]);
});

test("without a command one annotation is recorded, for each dataset once, and its id printed", async () => {
  await using service = await startTemporaryEmulator();
  const range = ["--time", "2026-01-31T13:00:00+01:00", "--end-time", "2026-01-31T12:30:00Z"];
  const { code, stdout } = await annotate(service, ["--dataset", "web, api", ...web, "--title", "1.4", ...range]);
  expect([code, stdout]).toEqual([0, `${service.annotations.list()[0]?.id}\n`]);
  expect(service.annotations.list()).toMatchObject([
    { datasets: ["web", "api"], time: "2026-01-31T12:00:00Z", endTime: "2026-01-31T12:30:00Z", type: "deploy" },
  ]);
  expect(await annotate(nowhere, web)).toMatchObject({ code: 2 });
});

const early = "2026-01-01T00:00:00Z";
const ran = node(`console.log("ran")`);

test.each<[string[], string, Target?]>([
  [ran, "--dataset is missing"],
  [["--dataset", "", ...ran], "--dataset: is empty"],
  [[...web, "--time", "2026-01-02T00:00:00Z", "--end-time", early, ...ran], "--end-time must not be before --time"],
  [[...web, "--end-time", early], "--end-time must not be before --time (default: now)"],
  [[...web, "--time", "noon", ...ran], "--time must be an RFC 3339 timestamp"],
  [[...web, "--type", "Deploy!", ...ran], "--type must consist of lower-case letters, digits and hyphens"],
  [[...web, "--time", early, ...ran], "cannot be used with a command"],
  [[...web, "--"], 'missing after "--"'],
  [[...web, ...ran], "EVENT_DATASETS_BASE_URL", { url: "", rootToken: "" }],
])("a mistake in %j is found before the command runs", async (args, complaint, target = nowhere) => {
  const { code, stdout, stderr } = await annotate(target, args, { EVENT_DATASETS_PROFILE: "extended" });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(complaint);
});

test("a text that is too long is shortened with a warning, and the deployment starts", async () => {
  await using service = await startTemporaryEmulator({ profile: "extended" });
  const texts = { title: 257, description: 513, type: 300 };
  const options = Object.entries(texts).flatMap(([name, length]) => [`--${name}`, "a".repeat(length)]);
  const args = [...web, ...options, "--url", `https://a.example.com/${"b".repeat(600)}`];
  const command = node(`console.log("ran"); process.exit(3)`);
  const extended = { EVENT_DATASETS_PROFILE: "extended" };
  const { code, stdout, stderr } = await annotate(service, [...args, ...command], extended);
  expect([code, stdout]).toEqual([3, "ran\n"]);
  for (const name of Object.keys(texts)) expect(stderr).toMatch(new RegExp(`--${name} is longer .*: it is shortened`));
  expect(stderr).toContain("--url is longer than 512 characters: it is left out");
  const [made] = service.annotations.list();
  expect(made).toMatchObject({ title: `${"a".repeat(255)}…`, type: `${"a".repeat(249)}-failed` });
  expect(made).not.toHaveProperty("url");
});

test("the user name and the password of an address are left out of the annotation, with a warning", async () => {
  await using service = await startTemporaryEmulator();
  const { stderr } = await annotate(service, [...web, "--url", "https://ann:cnry-5c7e@ci.example.com/run/1"]);
  expect(service.annotations.list()).toMatchObject([{ url: "https://ci.example.com/run/1" }]);
  expect(stderr).toContain("--url has a user name or password: both are left out");
  expect(stderr).not.toContain("cnry");
});

test("missing values come from the CI system, unless --commit names another one; without any commit one line says so", async () => {
  await using service = await startTemporaryEmulator();
  const env = { GITLAB_CI: "true", CI_COMMIT_SHA: "c".repeat(40), CI_PROJECT_URL: "https://gitlab.com/acme/web" };
  await annotate(service, web, env);
  await annotate(service, [...web, "--commit", "d".repeat(40)], env);
  expect(service.annotations.list()).toMatchObject([
    { title: "Deploy web (ccccccc)" },
    { title: "Deploy web (ddddddd)" },
  ]);
  const { stderr } = await annotate(service, web, { PATH: "" });
  expect(stderr).toBe(
    "pulumi-event-datasets: no commit was found in the variables of a CI system or with git: give --commit or --title\n",
  );
});
