import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { cli } from "../support/cli";
import { json, startService } from "../support/service";
import { exportOf, generatedFrom } from "../support/states";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "recover-"));
  await write(
    "state.json",
    exportOf({
      tokens: [
        { name: "a", id: "t1" },
        { name: "b", id: "t2" },
      ],
      pending: [{ name: "c-0a1b2c3", inputs: generatedFrom("c") }],
    }),
  );
});
afterEach(() => rm(folder, { recursive: true }));

async function write(name: string, content: unknown): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const run = (url: string, more: Readonly<Record<string, string>> | string, ...args: string[]) =>
  cli(["recover", ...(typeof more === "string" ? [more] : []), ...args], {
    cwd: folder,
    env: {
      ...(typeof more === "string" ? {} : more),
      EVENT_DATASETS_BASE_URL: url,
      EVENT_DATASETS_ACCESS_TOKEN: "xaat-canary-of-recover",
    },
  });

/** The list shows t1 and the token of the create that never finished; t2 is gone. */
const afterKill = () =>
  startService(
    json(200, [
      { id: "t1", name: "a" },
      { id: "t9", name: "c-0a1b2c3" },
    ]),
    json(404, {}),
  );

const cancel = "pulumi cancel --yes --stack organization/web/prod";
const refreshAll = "pulumi refresh --yes --clear-pending-creates --stack prod";

test.each([
  ["extended", `npx event-datasets tokens revoke --id t9 --stack prod --state state.json && ${refreshAll}`],
  // Where nothing can be revoked, a command that fails would keep the next one from being run.
  ["documented", refreshAll],
])(
  "names the token of a create that never finished, and a recorded one that is gone, with what mends each (%s)",
  async (profile, remedy) => {
    await using service = await afterKill();
    const env = { EVENT_DATASETS_PROFILE: profile };
    const { code, stdout } = await run(service.url, env, "--state", "state.json", "--stack", "prod");
    expect(code).toBe(1);
    // Before the create is cleared: it is the proof that the token was left behind.
    expect(stdout).toMatch(
      /^first, for the record\n {2}# once a create .*\n {2}npx event-datasets audit --stack prod --state state.json\n/,
    );
    expect(stdout).toContain(
      `ApiToken::c-0a1b2c3 never finished; its token is alive, and nobody has its secret: t9\n  ${remedy}\n`,
    );
    expect(stdout).toMatch(
      /ApiToken::b is recorded with id t2, which the service does not have\n {2}# with the credential .*\n {2}pulumi refresh --yes --stack prod\n/,
    );
    expect(stdout).toMatch(
      /\n {2}pulumi refresh --stack prod && pulumi up --stack prod\n.*\n {2}npx event-datasets audit --stack prod --state state.json\n$/,
    );
    expect(service.calls).toEqual(["GET /v2/tokens", "GET /v2/tokens/t2"]);
  },
);

test("revokes no token whose name proves nothing: one that the stack has, one of another stack, one to be adopted", async () => {
  const tokens = [{ name: "ci", id: "t1" }];
  const pending = [
    { name: "ci" },
    { name: "legacy", inputs: { adopt: { name: "legacy" } } },
    { name: "web-0a1b2c3" }, // chosen, though it looks like a generated one
  ];
  await write("chosen.json", exportOf({ tokens, pending }));
  await using service = await startService(
    json(200, [
      { id: "t1", name: "ci" },
      { id: "t2", name: "legacy" },
      { id: "t3", name: "web-0a1b2c3" },
    ]),
  );
  const env = { EVENT_DATASETS_PROFILE: "extended" };
  const { stdout } = await run(service.url, env, "--state", "chosen.json");
  expect(stdout).toContain('ci never finished; no token that this stack does not have is named "ci"\n');
  expect(stdout).toContain("legacy never finished; it was to adopt a token, and made none\n");
  expect(stdout).toMatch(/never finished; it may have made a live token .*: t3\n {2}# another stack may have made it/);
  expect(stdout).not.toMatch(/revoke --id|nobody has its secret/);
});

test.each([
  [401, "EVENT_DATASETS_ACCESS_TOKEN"],
  [403, "lacks a capability"],
])("could not tell where the credential is answered with %s", async (status, said) => {
  await using service = await startService(json(status, {}));
  const { code, stderr } = await run(service.url, "--state", "state.json");
  expect(code).toBe(2);
  expect(stderr).toContain(said);
  expect(stderr).not.toContain("canary");
});

test("shows the damage of a backend's folder, and --apply mends what destroys nothing", async () => {
  await using service = await startService(json(200, []));
  const stacks = "backend/.pulumi/stacks/stacks";
  const [attributes, cutOff] = [
    await write(`${stacks}/prod.json.attrs`, ""),
    await write(`${stacks}/prod.json`, '{"version":'),
  ];
  await write(`${stacks}/prod.json.bak`, { version: 3, checkpoint: {} });
  const lock = await write("backend/.pulumi/locks/organization/web/prod/1.json", {
    pid: 4_194_304,
    hostname: hostname(),
  });
  const backend = `file://${folder}/backend`;

  const shown = await run(service.url, "--backend", backend, "--stack", "prod");
  expect(shown.code).toBe(1);
  expect(shown.stdout).toMatch(
    /prod\.json is cut off; its \.bak holds the state before\n {2}# an audit will report .*\n {2}mv .*\n.*attrs is empty.*\n {2}rm .*\n.*lock of an update that ended\n {2}PULUMI_BACKEND_URL=\S+ pulumi cancel --yes --stack organization\/web\/prod\n/,
  );
  expect(await readFile(cutOff, "utf8")).toBe('{"version":');

  const applied = await run(service.url, "--backend", backend, "--stack", "prod", "--apply", "--state", "state.json");
  expect(applied.stdout.match(/ {2}# done: /g)).toHaveLength(3);
  expect(JSON.parse(await readFile(cutOff, "utf8"))).toEqual({ version: 3, checkpoint: {} });
  expect(await readFile(`${cutOff}.broken`, "utf8")).toBe('{"version":');
  const left = await readdir(path.join(folder, "backend"), { recursive: true });
  for (const gone of [attributes, lock]) expect(left).not.toContain(path.relative(path.join(folder, "backend"), gone));
});

test("a state that is cut off like its backup is the newest whole one that an update left", async () => {
  await using service = await startService(json(200, []));
  const stacks = "backend/.pulumi/stacks/stacks";
  const cutOff = await write(`${stacks}/prod.json`, '{"version":');
  await write(`${stacks}/prod.json.bak`, "");
  const recover = () => {
    const backend = `file://${folder}/backend`;
    return run(service.url, "--backend", backend, "--stack", "prod", "--state", "state.json", "--apply");
  };
  const none = await recover();
  expect(none.stdout).toMatch(/is cut off, and so is its \.bak\n {2}# restore it from a copy of your own\n/);
  expect(await readFile(cutOff, "utf8")).toBe('{"version":');

  await write("backend/.pulumi/backups/stacks/prod/prod.1795308578915995691.json", { version: 3, age: "older" });
  // Not the greatest as text: its number is one digit shorter.
  await write("backend/.pulumi/history/stacks/prod/prod-995308578915995691.checkpoint.json", {
    version: 3,
    age: "oldest",
  });
  await write("backend/.pulumi/history/stacks/prod/prod-1795308578915995692.checkpoint.json", {
    version: 3,
    age: "newest",
  });
  await write("backend/.pulumi/history/web/prod/prod-1795308578915995693.checkpoint.json", '{"version":');
  await write("backend/.pulumi/history/web/other/other-1795308578915995699.checkpoint.json", { version: 3 });
  const mended = await recover();
  expect(mended.stdout).toContain("the state after an earlier update was kept\n  # done: mv ");
  expect(mended.stdout).toContain('\n  # an audit will report the tokens created since then as "undeclared"\n');
  expect(mended.stdout).not.toContain("no problems found");
  expect(JSON.parse(await readFile(cutOff, "utf8"))).toEqual({ version: 3, age: "newest" });
});

test("a lock of another machine is left alone: nothing here shows whether its update ended", async () => {
  await using service = await startService(json(200, []));
  await write("backend/.pulumi/locks/organization/web/prod/1.json", { pid: 1, hostname: "elsewhere.example" });
  const { code, stdout } = await run(service.url, "--backend", `file://${folder}/backend`, "--apply");
  expect(code).toBe(1);
  // Whoever hands the indented lines to a shell must not cancel the update of another machine.
  expect(stdout).toContain(
    [
      "locked by an update on elsewhere.example: whether it still runs cannot be seen from here",
      `  # make sure that it ended; then: PULUMI_BACKEND_URL=file://${folder}/backend ${cancel}\n`,
    ].join("\n"),
  );
  expect(stdout).not.toMatch(/^ {2}[^#]*pulumi cancel/m);
  expect(await readdir(path.join(folder, "backend/.pulumi/locks/organization/web/prod"))).toEqual(["1.json"]);
});

test("a lock of a process that is running is left alone", async () => {
  await using service = await startService(json(200, []));
  await write("backend/.pulumi/locks/organization/web/prod/1.json", { pid: process.pid, hostname: hostname() });
  const halfWritten = await write("backend/.pulumi/stacks/web/prod.json", '{"version":');
  await write("backend/.pulumi/stacks/web/prod.json.bak", { version: 3 });
  const { code, stdout } = await run(service.url, "--backend", `file://${folder}/backend`, "--apply");
  expect(code).toBe(1);
  expect(stdout).toContain(`locked by process ${process.pid}, which is running`);
  // What it is writing may look cut off.
  expect(stdout).toContain("prod.json is cut off; its .bak holds the state before\n  # a lock below is of an update");
  expect(stdout).not.toMatch(/^ {2}mv|# done/m);
  // Nothing else can be run before: the damage keeps "pulumi cancel" from working, too.
  expect(stdout).toMatch(/make sure that it ended; then: mv .*prod\.json\.broken && cp /);
  expect(await readFile(halfWritten, "utf8")).toBe('{"version":');
  expect(await readdir(path.join(folder, "backend/.pulumi/locks/organization/web/prod"))).toEqual(["1.json"]);
});

test("a lock of a process whose number was given anew is that of an update that ended", async () => {
  await using service = await startService(json(200, []));
  const lock = { pid: process.pid, hostname: hostname(), timestamp: "2026-01-01T00:00:00Z" };
  await write("backend/.pulumi/locks/organization/web/prod/1.json", lock);
  await write("backend/.pulumi/locks/organization/web/prod/2.json", { ...lock, timestamp: new Date() });
  const { stdout } = await run(service.url, "--backend", `file://${folder}/backend`, "--apply");
  expect(stdout).toContain(`locked by process ${process.pid}, which is running`);
  const left = process.platform === "linux" ? ["2.json"] : ["1.json", "2.json"];
  expect(await readdir(path.join(folder, "backend/.pulumi/locks/organization/web/prod"))).toEqual(left);
});

test("no problems are exit code 0", async () => {
  await using service = await startService(json(200, [{ id: "t1", name: "a" }]));
  await write("calm.json", exportOf({ tokens: [{ name: "a", id: "t1" }] }));
  const { code, stdout } = await run(service.url, "--state", "calm.json");
  expect([code, stdout.split("\n")[0]]).toEqual([0, "no problems found"]);
});
