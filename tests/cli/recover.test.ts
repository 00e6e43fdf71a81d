import { describe, expect, test } from "@jest/globals";
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
  [
    "extended",
    "  # to fix it: npx pulumi-event-datasets tokens revoke --id t8 --state state.json",
    ["npx pulumi-event-datasets tokens revoke --id t8 --id t9 --state state.json"],
  ],
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
      'orphaned: API token "c-0a1b2c3" was created by an update that did not finish, and no stack tracks it\n',
      `ApiToken::c-0a1b2c3, id t8\n${note}`,
      'orphaned: API token "e" was replaced, but its deletion did not succeed: it is still valid. Run pulumi up\n',
      'missing: API token "b" is declared, but the service does not list it\n',
      "ApiToken::b, id t2\n  # to fix it: pulumi refresh --stack prod\n",
    ])
      expect(stdout).toContain(problem);
    expect(commands).toEqual([
      ...revoke,
      "pulumi refresh --yes --clear-pending-creates --stack prod",
      "pulumi up --stack prod",
      "npx pulumi-event-datasets audit --all-stacks",
    ]);
    expect(calls).toEqual(["GET /v2/tokens"]);
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
  expect(stdout).toContain('API token "b" was to be replaced, but the replacement did not finish: run pulumi up\n');
  expect(commands).toContain("pulumi up --stack prod");
  expect(calls).toEqual(["GET /v2/tokens"]);
});

test("keeps a create whose name is encrypted: nothing else says that its token may exist", async () => {
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
  const pending = [{ name: "ci", inputs: { name: secret } }];
  const { code, stdout, commands } = await diagnose({ tokens: [a], pending }, { t1: "a", t2: "ci" }, [], extended);
  expect(code).toBe(1);
  expect(stdout).toContain("its name is encrypted, so the audit cannot look for the token");
  expect(stdout).toContain("if it left no token, add --clear-pending-creates to pulumi refresh\n");
  expect(commands).toContain("pulumi refresh --yes --stack prod");
});

test("revokes no token whose name proves nothing: a token of the stack, of another stack, or one to be adopted", async () => {
  const pending = [
    { name: "ci" },
    { name: "legacy", inputs: { adopt: { id: "t2" } } },
    { name: "web-0a1b2c3" }, // chosen, though it looks like a generated one
  ];
  const live = { t1: "ci", t2: "legacy", t3: "web-0a1b2c3" };
  const { stdout } = await diagnose({ tokens: [{ name: "ci", id: "t1" }], pending }, live, [], extended);
  expect(stdout).toContain('The create of API token "ci" did not finish; it left no valid token of that name\n');
  expect(stdout).toContain("The adoption of an API token did not finish; an adoption creates no token\n");
  expect(stdout).toMatch(
    /has the same name as an unfinished create .*\n.*id t3\n {2}# to fix it: revoke the token if nobody uses it/,
  );
  expect(stdout).not.toMatch(/tokens revoke/);
});

test.each([
  [401, "EVENT_DATASETS_ACCESS_TOKEN"],
  [403, "lacks a capability"],
])("could not check where the credential is answered with %s", async (status, said) => {
  await using service = await startService(json(status, {}));
  const { code, stderr } = await folder.run(["recover", "--state", "state.json"], service);
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  expect(stderr).not.toContain("canary");
});

test("no problems are exit code 0", async () => {
  const { code, stdout } = await diagnose({ tokens: [a] }, { t1: "a" });
  expect([code, stdout.split("\n")[0]]).toEqual([0, "no problems found"]);
});

test("a stack that does not exist is named, without advice about locks and backups", async () => {
  const broken = "error: no stack named 'prod' found";
  const env = await fakePulumi(folder, { stacks: [{ name: "acme/web/prod", broken }] });
  const { code, stderr } = await folder.run(
    ["recover", "--stack", "acme/web/prod"],
    { url: "http://127.0.0.1:9" },
    env,
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining("no stack named 'prod' found")]);
  expect(stderr).not.toContain("pulumi cancel");
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
  const { code, stdout, stderr, calls, url } = await diagnose(killed, { other: "other" }, ["--stack", "prod"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`${url} lists none of the 2 declared tokens, and nothing proves that they belong`);
  expect(calls).toEqual(["GET /v2/tokens"]);
});

test("the proof of a lost create is kept where no token proves the account, unless its own token does", async () => {
  const pending = [unfinished("c"), { name: "legacy", inputs: { adopt: { id: "t2" } } }];
  const { stdout, commands } = await diagnose({ tokens: [], pending }, { other: "other" });
  expect(stdout).toContain('The create of API token "c-0a1b2c3" did not finish');
  expect(stdout).toContain(
    "# nothing proves which account the creates belong to: if it is this one, add --clear-pending-creates",
  );
  expect(commands[0]).toBe("pulumi refresh --yes --stack prod");
  expect((await diagnose({ tokens: [], pending }, { t9: "c-0a1b2c3" })).stdout).toContain("--clear-pending-creates");
  expect((await diagnose({ tokens: [], pending: pending.slice(1) }, {})).stdout).toContain("--clear-pending-creates");
});

describe("a stack with a Provider for each account", () => {
  const of = (name: string) => ({ provider: `urn:pulumi:prod::web::pulumi:providers:pulumi-nodejs::${name}::0-1` });
  const tokens = [
    { ...a, more: of("staging") },
    { name: "p", id: "p1", outputs: { evidence: "1b1b1b1b1b1b x" }, more: of("production") },
  ];

  test("is whole if all tokens of the present account are, and the others are named", async () => {
    const { code, stdout, commands } = await diagnose({ tokens }, { t1: "a" });
    expect(code).toBe(0);
    expect(stdout).toContain('elsewhere: API token "p" is declared, and nothing proves that it belongs');
    expect(stdout).toContain("run this with the settings of Provider production\n");
    expect(stdout).toContain("no problems found\n");
    expect(commands).toEqual(["npx pulumi-event-datasets audit --all-stacks"]);
  });

  test("keeps the proof of a create of the other account, and says with which settings to look for its token", async () => {
    const pending = [{ ...unfinished("c"), more: of("production") }];
    for (const one of [tokens, tokens.slice(0, 1)]) {
      const { code, stdout, commands } = await diagnose({ tokens: one, pending }, { t1: "a" });
      expect(code).toBe(1);
      expect(stdout).toContain('elsewhere: The create of API token "c-0a1b2c3" did not finish, and nothing proves');
      expect(stdout).toContain("run this with the settings of Provider production\n");
      expect(stdout).not.toContain("left no");
      expect(stdout).not.toContain("--clear-pending-creates");
      expect(stdout).toContain("then run this again");
      expect(commands).toEqual(["npx pulumi-event-datasets audit --all-stacks"]);
    }
    const both = { tokens, pending: [...pending, { ...unfinished("d"), more: of("staging") }] };
    const { stdout, commands } = await diagnose(both, { t1: "a" });
    expect(stdout).toContain('pending: The create of API token "d-0a1b2c3" did not finish');
    expect(commands[0]).toBe("pulumi refresh --yes --stack prod");
  });
});

test("a file with the state of another stack than the named one is refused", async () => {
  const { code, stdout, stderr } = await diagnose(killed, afterKill, ["--stack", "dev"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("state.json: is the state of web/prod, not of dev");
});
