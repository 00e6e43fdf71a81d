import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { AuditFolder } from "../support/auditFolder";
import { fakePulumi } from "../support/fakePulumi";
import { json, type ScriptedService, startService } from "../support/service";
import { exportOf, generatedFrom } from "../support/states";

let folder: AuditFolder;

beforeEach(async () => {
  folder = await AuditFolder.create();
  const tokens = [
    { name: "a", id: "t1" },
    { name: "b", id: "t2" },
  ];
  const pending = [{ name: "c-0a1b2c3", inputs: generatedFrom("c") }];
  await folder.write("state.json", exportOf({ tokens, pending }));
});

afterEach(() => folder[Symbol.asyncDispose]());

/** The backend is a service, so no file of it is inspected, and the Pulumi CLI need not name it. */
const hosted = { PULUMI_BACKEND_URL: "https://pulumi.example.com" };

const recover = (service: ScriptedService, args: readonly string[], env: Record<string, string> = {}) =>
  folder.run(["recover", ...args], service, { ...hosted, ...env });

/** The list shows t1 and the token of the create that never finished; t2 is gone. */
const afterKill = () =>
  startService(
    json(200, [
      { id: "t1", name: "a" },
      { id: "t9", name: "c-0a1b2c3" },
    ]),
    json(404, {}),
  );

/** The commands that were printed: the indented lines that are not comments, taken apart at "&&". */
const commandsIn = (stdout: string): string[] =>
  [...stdout.matchAll(/^ {2}(?!#)(.*)$/gm)].flatMap(([, line = ""]) => line.split(" && "));

const refreshAll = "pulumi refresh --yes --clear-pending-creates --stack prod";

test.each([
  ["extended", `npx pulumi-event-datasets tokens revoke --id t9 --state state.json && ${refreshAll}`],
  // Where nothing can be revoked, a command that fails would keep the next one from being run.
  ["documented", refreshAll],
])(
  "names the token of a create that never finished, and a recorded one that is gone, with the fix for each (%s)",
  async (profile, remedy) => {
    await using service = await afterKill();
    const env = { EVENT_DATASETS_PROFILE: profile };
    const { code, stdout } = await recover(service, ["--state", "state.json", "--stack", "prod"], env);
    expect(code).toBe(1);
    // Before the create is cleared: it is the proof that the token was left behind.
    expect(stdout).toMatch(
      /^first, while the pending creates are recorded\n {2}# after a create .*\n {2}npx pulumi-event-datasets audit --state state.json\n/,
    );
    expect(stdout).toContain(
      `ApiToken::c-0a1b2c3 never finished; its token is live, and nobody has the secret: t9\n  ${remedy}\n`,
    );
    expect(stdout).toMatch(
      /ApiToken::b is recorded with id t2, which does not exist at the service\n {2}# run this with a credential .*\n {2}pulumi refresh --yes --stack prod\n/,
    );
    expect(stdout).toMatch(
      /\n {2}pulumi refresh --stack prod && pulumi up --stack prod\n.*\n {2}npx pulumi-event-datasets audit --all-stacks\n$/,
    );
    expect(service.calls).toEqual(["GET /v2/tokens", "GET /v2/tokens/t2"]);
  },
);

test("a token that was retired for a replacement that did not finish needs an update, and no refresh", async () => {
  const tokens = [
    { name: "a", id: "t1" },
    { name: "b", id: "t2", more: { pendingReplacement: true } },
  ];
  await folder.write("replacing.json", exportOf({ tokens }));
  await using service = await startService(json(200, [{ id: "t1", name: "a" }]));
  const { code, stdout } = await recover(service, ["--state", "replacing.json", "--stack", "prod"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^\S+ApiToken::b with id t2 was retired for a replacement that did not finish\n {2}pulumi up --stack prod\nthen, /,
  );
  expect(service.calls).toEqual(["GET /v2/tokens"]);
});

test("revokes no token whose name proves nothing: a token of the stack, of another stack, or one to be adopted", async () => {
  const tokens = [{ name: "ci", id: "t1" }];
  const pending = [
    { name: "ci" },
    { name: "legacy", inputs: { adopt: { name: "legacy" } } },
    { name: "web-0a1b2c3" }, // chosen, though it looks like a generated one
  ];
  await folder.write("chosen.json", exportOf({ tokens, pending }));
  await using service = await startService(
    json(200, [
      { id: "t1", name: "ci" },
      { id: "t2", name: "legacy" },
      { id: "t3", name: "web-0a1b2c3" },
    ]),
  );
  const env = { EVENT_DATASETS_PROFILE: "extended" };
  const { stdout } = await recover(service, ["--state", "chosen.json"], env);
  expect(stdout).toContain('ci never finished; it left no token named "ci" behind\n');
  expect(stdout).toContain("legacy never finished; it adopts a token, so it left none behind\n");
  expect(stdout).toMatch(/never finished; a live token has its name .*: t3\n {2}# another stack may have created it/);
  expect(stdout).not.toMatch(/revoke --id|nobody has its secret/);
});

test.each([
  [401, "EVENT_DATASETS_ACCESS_TOKEN"],
  [403, "lacks a capability"],
])("could not tell where the credential is answered with %s", async (status, said) => {
  await using service = await startService(json(status, {}));
  const { code, stderr } = await recover(service, ["--state", "state.json"]);
  expect(code).toBe(2);
  expect(stderr).toContain(said);
  expect(stderr).not.toContain("canary");
});

test("no problems are exit code 0", async () => {
  await using service = await startService(json(200, [{ id: "t1", name: "a" }]));
  await folder.write("calm.json", exportOf({ tokens: [{ name: "a", id: "t1" }] }));
  const { code, stdout } = await recover(service, ["--state", "calm.json"]);
  expect([code, stdout.split("\n")[0]]).toEqual([0, "no problems found"]);
});

test("every command that is printed names the folder, the state or its stack, and the backend of this run", async () => {
  await using service = await afterKill();
  const env = { EVENT_DATASETS_PROFILE: "extended" };
  await mkdir(path.join(folder.path, "it's infra"));
  const options = ["--cwd", "it's infra", "--state", "state.json", "--backend", "s3://states"];
  const { stdout } = await recover(service, options, env);
  const commands = commandsIn(stdout);
  // The stack is the state's own: this folder may have another one selected.
  const own = "--stack prod --cwd 'it'\\''s infra'";
  const state = "--cwd 'it'\\''s infra' --state state.json";
  expect(commands).toEqual(
    [
      `npx pulumi-event-datasets audit ${state}`,
      `npx pulumi-event-datasets tokens revoke --id t9 ${state}`,
      `pulumi refresh --yes --clear-pending-creates ${own}`,
      `pulumi refresh --yes ${own}`,
      `pulumi refresh ${own}`,
      `pulumi up ${own}`,
      // By then the file is outdated.
      "npx pulumi-event-datasets audit --all-stacks --cwd 'it'\\''s infra'",
    ].map((command) => `PULUMI_BACKEND_URL=s3://states ${command}`),
  );
});

test("the first audit that is printed reports the orphaned token, although the stack cannot be exported", async () => {
  await using service = await afterKill();
  const env = await fakePulumi(folder, { stacks: [{ name: "acme/web/prod", broken: "EOF" }] });
  const { stdout } = await recover(service, ["--stack", "prod", "--state", "state.json"], env);
  const [audit = ""] = commandsIn(stdout);
  await using again = await afterKill();
  const { stdout: report } = await folder.run(audit.split(" ").slice(2), again, env);
  expect(report).toMatch(/orphaned .*c-0a1b2c3/);
});

test("a wrong base URL is named, and no command that would use it is recommended", async () => {
  await using service = await startService(json(200, [{ id: "other", name: "other" }]));
  const { code, stdout } = await recover(service, ["--state", "state.json", "--stack", "prod"]);
  expect(code).toBe(1);
  expect(stdout).toContain(
    `2 recorded tokens: nothing proves that ${service.url} with the present access token is their account\n  # set EVENT_DATASETS_BASE_URL and EVENT_DATASETS_ACCESS_TOKEN to those of that account; do not refresh before\n`,
  );
  expect(commandsIn(stdout)).toEqual(["npx pulumi-event-datasets recover --stack prod --state state.json"]);
  expect(service.calls).toEqual(["GET /v2/tokens"]);
});

test("tokens of a second account are named, and the others are diagnosed as usual", async () => {
  const record = { credential: undefined };
  const tokens = [
    { name: "a", id: "t1" },
    { name: "eu", id: "e1", record },
  ];
  await folder.write("state.json", exportOf({ tokens }));
  await using service = await startService(json(200, [{ id: "t1", name: "a" }]));
  const { code, stdout } = await recover(service, ["--state", "state.json"]);
  expect(code).toBe(1);
  expect(stdout).toContain("1 recorded token: nothing proves that");
  expect(stdout).toContain(
    "  # to diagnose them, set EVENT_DATASETS_BASE_URL and EVENT_DATASETS_ACCESS_TOKEN to those",
  );
  expect(commandsIn(stdout)).toContain("pulumi up --stack prod");
  expect(service.calls).toEqual(["GET /v2/tokens"]);
});

test("a renamed address is not wrong if one of the recorded tokens is found there", async () => {
  await using service = await afterKill();
  const { stdout } = await recover(service, ["--state", "state.json"]);
  expect(stdout).toContain("recorded with id t2, which does not exist at the service");
  expect(stdout).not.toContain("nothing proves that");
});

test("a file with the state of another stack than the named one is refused", async () => {
  await using service = await afterKill();
  const { code, stdout, stderr } = await recover(service, ["--stack", "dev", "--state", "state.json"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("state.json: is the state of web/prod, not of dev");
});
