import { beforeEach, expect, test } from "@jest/globals";
import { fakePulumi, useAuditFolder } from "../support/auditFolder";
import { start } from "../support/command";
import { json, type ScriptedService, startService } from "../support/service";
import { exportOf, generatedFrom } from "../support/states";

const folder = useAuditFolder();
beforeEach(async () => {
  const tokens = [
    { name: "a", id: "t1" },
    { name: "b", id: "t2" },
  ];
  const pending = [{ name: "c-0a1b2c3", inputs: generatedFrom("c") }];
  await folder.write("state.json", exportOf({ tokens, pending }));
});

const recover = (service: ScriptedService, args: readonly string[], env: Record<string, string> = {}) =>
  folder.run(["recover", ...args], service, env);

/** The list shows t1 and the token of the create that never finished; t2 is gone. */
const afterKill = () =>
  startService(
    json(200, [
      { id: "t1", name: "a" },
      { id: "t9", name: "c-0a1b2c3" },
    ]),
    json(404, {}),
  );

/** The commands that were printed: the indented lines that are not comments. Together they are one command line of a shell. */
const commandsIn = (stdout: string): string[] =>
  [...stdout.matchAll(/^ {2}(?!#)(.*)$/gm)].map(([, line = ""]) => line.replace(/ &&$/, ""));

test.each([
  ["extended", ["npx pulumi-event-datasets tokens revoke --id t8 --id t9 --state state.json"]],
  // Where nothing can be revoked, a command that fails would keep the next one from being run.
  ["documented", []],
])(
  "prints each problem, and then one revocation before one refresh, which clears the proof (%s)",
  async (profile, revoke) => {
    const pending = ["c-0a1b2c3", "d-0a1b2c3"].map((name) => ({ name, inputs: generatedFrom(name.slice(0, 1)) }));
    const tokens = [
      { name: "a", id: "t1" },
      { name: "b", id: "t2" },
      { name: "e", id: "t3", more: { delete: true } },
    ];
    await folder.write("state.json", exportOf({ tokens, pending }));
    await using service = await startService(
      json(200, [
        { id: "t1", name: "a" },
        { id: "t3", name: "e" },
        { id: "t8", name: "c-0a1b2c3" },
        { id: "t9", name: "d-0a1b2c3" },
      ]),
      json(404, {}),
    );
    const { code, stdout } = await recover(service, ["--state", "state.json", "--stack", "prod"], {
      EVENT_DATASETS_PROFILE: profile,
    });
    expect(code).toBe(1);
    expect(stdout).toContain("ApiToken::c-0a1b2c3 never finished; its token is live, and nobody has the secret: t8\n");
    expect(stdout).toContain(
      "ApiToken::e with id t3 was replaced, and its deletion did not succeed: it is still valid\n",
    );
    expect(stdout).toMatch(
      /ApiToken::b is recorded with id t2, which does not exist at the service\n {2}# run the refresh/,
    );
    expect(commandsIn(stdout)).toEqual([
      ...revoke,
      "pulumi refresh --yes --clear-pending-creates --stack prod",
      "pulumi up --stack prod",
      "npx pulumi-event-datasets audit --all-stacks",
    ]);
    expect(service.calls).toEqual(["GET /v2/tokens", "GET /v2/tokens/t2"]);
  },
);

test("what is printed can be pasted as a whole: a shell runs the commands in order, and none is the answer to another", async () => {
  await using service = await afterKill();
  const { stdout } = await recover(service, ["--state", "state.json"], { EVENT_DATASETS_PROFILE: "extended" });
  const block = stdout.slice(stdout.indexOf("to fix all of this\n") + "to fix all of this\n".length);
  for (const name of ["npx", "pulumi"])
    await folder.write(`bin/${name}`, `#!/bin/sh\necho "${name} $*" >>${folder.path}/ran\ncat >/dev/null\n`, 0o755);
  const env = { PATH: `${folder.path}/bin:${process.env.PATH}` };
  await (await start("sh", [], { cwd: folder.path, env, stdin: block })).done;
  expect((await folder.read("ran")).trimEnd().split("\n")).toEqual(commandsIn(block));
});

test("a token that gave way to an unfinished replacement needs an update", async () => {
  const tokens = [
    { name: "a", id: "t1" },
    { name: "b", id: "t2", more: { pendingReplacement: true } },
  ];
  await folder.write("replacing.json", exportOf({ tokens }));
  await using service = await startService(json(200, [{ id: "t1", name: "a" }]));
  const { code, stdout } = await recover(service, ["--state", "replacing.json", "--stack", "prod"]);
  expect(code).toBe(1);
  expect(stdout).toContain("ApiToken::b with id t2 gave way to a replacement that did not finish\n");
  expect(commandsIn(stdout)).toContain("pulumi up --stack prod");
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
  expect(stdout).not.toMatch(/revoke --id|nobody has the secret/);
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

test("a state that cannot be read is exit code 2, with what the Pulumi CLI can do about it", async () => {
  await using service = await afterKill();
  const env = await fakePulumi(folder, { stacks: [{ name: "acme/web/prod", broken: "the stack is locked" }] });
  const { code, stdout, stderr } = await recover(service, ["--stack", "acme/web/prod"], env);
  expect([code, stdout]).toEqual([2, ""]);
  for (const words of ["the stack is locked", "pulumi cancel", "pulumi state repair", ".json.bak"])
    expect(stderr).toContain(words);
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
  const tokens = [
    { name: "a", id: "t1" },
    { name: "eu", id: "e1", outputs: { evidence: undefined } },
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
