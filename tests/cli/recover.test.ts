import { expect, test } from "@jest/globals";
import { fakePulumi, useAuditFolder } from "../support/auditFolder";
import { start } from "../support/command";
import { json, startService } from "../support/service";
import { exportOf, generatedFrom, type RecordedStack } from "../support/states";

const folder = useAuditFolder();
const extended = { EVENT_DATASETS_PROFILE: "extended" };

/** The commands that were printed: the indented lines that are not comments. Together they are one command line of a shell. */
const commandsIn = (stdout: string): string[] =>
  [...stdout.matchAll(/^ {2}(?!#)(.*)$/gm)].map(([, line = ""]) => line.replace(/ &&$/, ""));

/** Diagnoses a state on a service that lists these tokens, by their ids and names, and has no others. */
async function diagnose(
  recorded: RecordedStack,
  live: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  env: Record<string, string> = {},
) {
  await folder.write("state.json", exportOf(recorded));
  const list = Object.entries(live).map(([id, name]) => ({ id, name }));
  await using service = await startService(json(200, list), json(404, {}));
  const { code, stdout, stderr } = await folder.run(["recover", "--state", "state.json", ...args], service, env);
  return { code, stdout, stderr, commands: commandsIn(stdout), calls: service.calls, url: service.url };
}

const [a, b] = [
  { name: "a", id: "t1" },
  { name: "b", id: "t2" },
];
const unfinished = (name: string) => ({ name: `${name}-0a1b2c3`, inputs: generatedFrom(name) });
/** The list of the service shows `a` and the token of the create; `b` is gone. */
const killed = { tokens: [a, b], pending: [unfinished("c")] };
const afterKill = { t1: "a", t9: "c-0a1b2c3" };

test.each([
  ["extended", "", ["npx pulumi-event-datasets tokens revoke --id t8 --id t9 --state state.json"]],
  // Where nothing can be revoked, a command that fails would keep the next one from being run.
  ["documented", "  # this profile cannot revoke it: revoke it at the service before", []],
])(
  "prints each problem, and then one revocation before one refresh, which clears the proof (%s)",
  async (profile, note, revoke) => {
    const pending = [unfinished("c"), unfinished("d")];
    const tokens = [a, b, { name: "e", id: "t3", more: { delete: true } }];
    const live = { t1: "a", t3: "e", t8: "c-0a1b2c3", t9: "d-0a1b2c3" };
    const env = { EVENT_DATASETS_PROFILE: profile };
    const { code, stdout, commands, calls } = await diagnose({ tokens, pending }, live, ["--stack", "prod"], env);
    expect(code).toBe(1);
    for (const problem of [
      `ApiToken::c-0a1b2c3 never finished; its token is live, and nobody has the secret: t8\n${note}`,
      "ApiToken::e with id t3 was replaced, and its deletion did not succeed: it is still valid\n",
      "ApiToken::b is recorded with id t2, which does not exist at the service\n  # run the refresh",
    ])
      expect(stdout).toContain(problem);
    expect(commands).toEqual([
      ...revoke,
      "pulumi refresh --yes --clear-pending-creates --stack prod",
      "pulumi up --stack prod",
      "npx pulumi-event-datasets audit --all-stacks",
    ]);
    expect(calls).toEqual(["GET /v2/tokens", "GET /v2/tokens/t2"]);
  },
);

test("what is printed can be pasted as a whole: a shell runs the commands in order, and none is the answer to another", async () => {
  const { stdout } = await diagnose(killed, afterKill, [], extended);
  const block = stdout.slice(stdout.indexOf("to fix all of this\n") + "to fix all of this\n".length);
  for (const name of ["npx", "pulumi"])
    await folder.write(`bin/${name}`, `#!/bin/sh\necho "${name} $*" >>${folder.path}/ran\ncat >/dev/null\n`, 0o755);
  const env = { PATH: `${folder.path}/bin:${process.env.PATH}` };
  await (await start("sh", [], { cwd: folder.path, env, stdin: block })).done;
  expect((await folder.read("ran")).trimEnd().split("\n")).toEqual(commandsIn(block));
});

test("a token that gave way to an unfinished replacement needs an update", async () => {
  const tokens = [a, { ...b, more: { pendingReplacement: true } }];
  const { code, stdout, commands, calls } = await diagnose({ tokens }, { t1: "a" });
  expect(code).toBe(1);
  expect(stdout).toContain("ApiToken::b with id t2 gave way to a replacement that did not finish\n");
  expect(commands).toContain("pulumi up --stack prod");
  expect(calls).toEqual(["GET /v2/tokens"]);
});

test("revokes no token whose name proves nothing: a token of the stack, of another stack, or one to be adopted", async () => {
  const pending = [
    { name: "ci" },
    { name: "legacy", inputs: { adopt: { id: "t2" } } },
    { name: "web-0a1b2c3" }, // chosen, though it looks like a generated one
  ];
  const live = { t1: "ci", t2: "legacy", t3: "web-0a1b2c3" };
  const { stdout, url } = await diagnose({ tokens: [{ name: "ci", id: "t1" }], pending }, live, [], extended);
  expect(stdout).toContain(`ci never finished; ${url} lists no token named "ci"\n`);
  expect(stdout).toContain("legacy never finished; it adopts a token, so it left none behind\n");
  expect(stdout).toMatch(/never finished; a live token has its name .*: t3\n {2}# another stack may have created it/);
  expect(stdout).not.toMatch(/revoke --id|nobody has the secret/);
});

test.each([
  [401, "EVENT_DATASETS_ACCESS_TOKEN"],
  [403, "lacks a capability"],
])("could not tell where the credential is answered with %s", async (status, said) => {
  await using service = await startService(json(status, {}));
  const { code, stderr } = await folder.run(["recover", "--state", "state.json"], service);
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  expect(stderr).not.toContain("canary");
});

test("no problems are exit code 0", async () => {
  const { code, stdout } = await diagnose({ tokens: [a] }, { t1: "a" });
  expect([code, stdout.split("\n")[0]]).toEqual([0, "no problems found"]);
});

test("a state that cannot be read is exit code 2, with what the Pulumi CLI can do about it", async () => {
  await using service = await startService(json(200, []));
  const env = await fakePulumi(folder, { stacks: [{ name: "acme/web/prod", broken: "the stack is locked" }] });
  const { code, stdout, stderr } = await folder.run(["recover", "--stack", "acme/web/prod"], service, env);
  expect([code, stdout]).toEqual([2, ""]);
  for (const words of ["the stack is locked", "pulumi cancel", "pulumi state repair", ".json.bak"])
    expect(stderr).toContain(words);
});

test("a wrong base URL is named, and no command that would use it is recommended", async () => {
  const { code, stdout, commands, calls, url } = await diagnose(killed, { other: "other" }, ["--stack", "prod"]);
  expect(code).toBe(1);
  expect(stdout).toContain(
    `2 recorded tokens: nothing proves that ${url} with the present access token is their account\n  # set EVENT_DATASETS_BASE_URL and EVENT_DATASETS_ACCESS_TOKEN to those of that account; do not refresh before\n`,
  );
  expect(commands).toEqual(["npx pulumi-event-datasets recover --stack prod --state state.json"]);
  expect(calls).toEqual(["GET /v2/tokens"]);
});

test("the proof of a lost create is kept where no token proves the account, unless its own token does", async () => {
  const pending = [unfinished("c"), { name: "legacy", inputs: { adopt: { id: "t2" } } }];
  const { stdout, commands, url } = await diagnose({ tokens: [], pending }, { other: "other" });
  expect(stdout).toContain(`; ${url} lists no token named "c-0a1b2c3"\n`);
  expect(stdout).toContain(
    "# nothing proves the account: if the creates were in this one, add --clear-pending-creates",
  );
  expect(commands[0]).toBe("pulumi refresh --yes --stack prod");
  expect((await diagnose({ tokens: [], pending }, { t9: "c-0a1b2c3" })).stdout).toContain("--clear-pending-creates");
  expect((await diagnose({ tokens: [], pending: pending.slice(1) }, {})).stdout).toContain("--clear-pending-creates");
});

test("tokens of a second account are named, and the others are diagnosed as usual", async () => {
  const tokens = [a, { name: "eu", id: "e1", outputs: { evidence: undefined } }];
  const { code, stdout, commands, calls } = await diagnose({ tokens }, { t1: "a" });
  expect(code).toBe(1);
  expect(stdout).toContain("1 recorded token: nothing proves that");
  expect(stdout).toContain("# to diagnose them, set EVENT_DATASETS_BASE_URL and EVENT_DATASETS_ACCESS_TOKEN to those");
  expect(commands).toContain("pulumi up --stack prod");
  expect(calls).toEqual(["GET /v2/tokens"]);
});

test("a file with the state of another stack than the named one is refused", async () => {
  const { code, stdout, stderr } = await diagnose(killed, afterKill, ["--stack", "dev"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("state.json: is the state of web/prod, not of dev");
});
