import { describe, expect, test } from "@jest/globals";
import { exportStack, type FakeCli, fakePulumi, stackOf, useFolderBesidePulumi } from "../support/fakePulumi";
import { type Behaviour, json, startService } from "../support/service";
import { generatedFrom } from "../support/states";

const expiresAt = "2999-01-01T00:00:00Z";
const extended = { EVENT_DATASETS_PROFILE: "extended" };
const confirmRevocation: Behaviour = (response) => void response.writeHead(204).end();

const { current, run } = useFolderBesidePulumi();

const acme = stackOf("acme/web/prod", "1");

describe("tokens revoke --from", () => {
  /** Audits, then revokes by the report, with what stacks and files have become in between. */
  async function revoke(before: FakeCli, after: FakeCli, auditArgs: readonly string[], more: readonly string[] = []) {
    const report = await run(before, ["1", "2"], ["audit", ...auditArgs, "--output", "json"]);
    const list = ["1", "2"].map((id) => ({ id, name: `t${id}`, expiresAt }));
    await using service = await startService(json(200, list), confirmRevocation);
    await current().write("audit.json", { ...JSON.parse(report.stdout), baseUrl: service.url });
    const env = { ...(await fakePulumi(current(), after)), ...extended };
    const ended = await current().run(["tokens", "revoke", "--from", "audit.json", "--yes", ...more], service, env);
    return { ...ended, deletes: service.calls.filter((call) => call.startsWith("DELETE")) };
  }
  const one = { stacks: [acme] };

  test("revokes the tokens that no stack of the report declares any more", async () => {
    expect(await revoke(one, one, ["--all-stacks"])).toMatchObject({ code: 0, deletes: ["DELETE /v2/tokens/2"] });
  });

  test("warns that a report of some stacks lists the tokens of other stacks", async () => {
    const { code, stderr } = await revoke(one, one, ["--stack", "acme/web/prod"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("did not read all stacks")]);
    expect((await revoke(one, one, ["--all-stacks"])).stderr).not.toContain("did not read all stacks");
  });

  test.each([
    ["a stack of the report", { stacks: [stackOf("acme/web/prod", "1", "2")] }, ["--stack", "acme/web/prod"]],
    ["a new stack", { stacks: [acme, stackOf("acme/infra/prod", "2")] }, ["--all-stacks"]],
  ])("refuses what %s declares by now", async (_, after, args) => {
    const { code, deletes, stderr } = await revoke(one, after, args);
    expect([code, deletes]).toEqual([2, []]);
    expect(stderr).toContain("a stack declares 2 (urn:pulumi:prod::");
  });

  test.each([
    ["cannot be read", { stacks: [{ ...acme, broken: "EOF" }] }, "a stack that it lists cannot be read now"],
    ["is gone", { stacks: [stackOf("acme/other/prod")] }, "no longer exists: run the audit again"],
    ["is of another backend", { ...one, backend: "https://b.example.com/u" }, "no longer exists: run the audit again"],
  ])("says so if a stack of the report %s", async (_, after, reason) => {
    const { code, deletes, stderr } = await revoke(one, after, ["--all-stacks"]);
    expect([code, deletes]).toEqual([2, []]);
    expect(stderr).toContain(reason);
  });

  test.each<[string, readonly string[]]>([
    ["", []],
    [", also if options name the stacks", ["--all-stacks"]],
  ])("refuses what a state declares that the audit did not use%s", async (_, more) => {
    await current().write("old.json", exportStack(stackOf("acme/web/prod", "2"), "2026-11-20T12:00:00Z"));
    const { code, deletes, stderr } = await revoke(
      one,
      one,
      ["--all-stacks", "--state", "acme/web/prod=old.json"],
      more,
    );
    expect([code, deletes]).toEqual([2, []]);
    expect(stderr).toContain("in old.json)");
  });

  test("revokes each token of a finding about several", async () => {
    const named = (id: string) => ({ id, name: `ci-000000${id}`, expiresAt });
    const [first] = stackOf("acme/web/prod", "1").tokens;
    const tokens = [{ ...first, id: "1", name: "ci-0000001", inputs: { expiresAt, ...generatedFrom("ci") } }];
    const env = { ...(await fakePulumi(current(), { stacks: [{ name: "acme/web/prod", tokens }] })), ...extended };
    await using service = await startService(
      json(200, ["1", "2", "3"].map(named)),
      json(200, ["1", "2", "3"].map(named)),
      confirmRevocation,
    );
    await current().run(["audit", "--all-stacks", "--output", "json=audit.json"], service, env);
    expect(JSON.parse(await current().read("audit.json")).findings).toMatchObject([{ ids: ["2", "3"] }]);
    const { stdout } = await current().run(["tokens", "revoke", "--from", "audit.json", "--yes"], service, env);
    expect(stdout).toBe("revoked 2\nrevoked 3\n");
  });

  test("reads the stacks of the report and the stacks of the options", async () => {
    await current().write("other.json", exportStack(stackOf("acme/other/prod")));
    const after = { stacks: [stackOf("acme/web/prod", "1", "2")] };
    const { code, deletes } = await revoke(one, after, ["--stack", "acme/web/prod"], ["--state", "other.json"]);
    expect([code, deletes]).toEqual([2, []]);
  });
});

describe("a token that a program looks up", () => {
  const lookup = { name: "t2", id: "2", more: { external: true } };
  const cli = { stacks: [{ ...acme, tokens: [...acme.tokens, lookup] }] };

  test("is undeclared, with a hint", async () => {
    const { code, stdout } = await run(cli, ["1", "2"], ["audit", "--all-stacks", "--output", "json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { rule: "undeclared", message: expect.stringContaining("; web/prod looks it up (ApiToken.get)") },
    ]);
  });

  test("is revoked only with --force", async () => {
    const args = ["tokens", "revoke", "--id", "2", "--all-stacks", "--yes"];
    const { code, deletes, stderr } = await run(cli, ["1", "2"], args);
    expect([code, deletes]).toEqual([2, []]);
    expect(stderr).toContain("a program looks up 2 (urn:pulumi:prod::web::");
    expect(stderr).toContain("give --force");
    expect((await run(cli, ["1", "2"], [...args, "--force"])).deletes).toEqual(["DELETE /v2/tokens/2"]);
  });
});

describe("tokens adopt", () => {
  test("leaves out the tokens that a stack declares, and says so", async () => {
    const { code, stdout, stderr } = await run({ stacks: [acme] }, ["1", "2"], ["tokens", "adopt", "--all-stacks"]);
    expect([code, stdout.match(/id: "\d"/g)]).toEqual([0, ['id: "2"']]);
    expect(stderr).toContain("left out: 1, which web/prod declares (urn:pulumi:prod::web::");
  });

  test("says that no stack was read if none is named", async () => {
    const { code, stdout, stderr } = await run({ stacks: [acme] }, ["1", "2"], ["tokens", "adopt"]);
    expect([code, stdout.match(/id: "\d"/g)]).toEqual([0, ['id: "1"', 'id: "2"']]);
    expect(stderr).toContain("no stack was read");
  });

  test("has nothing to print if stacks declare everything", async () => {
    const { code, stderr } = await run({ stacks: [acme] }, ["1"], ["tokens", "adopt", "--all-stacks"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("nothing to adopt: every one of these tokens was left out"),
    ]);
  });

  test("leaves out a token with fields that could not be read: no program could declare it as it is", async () => {
    const list = [
      { id: "1", name: "t1", expiresAt },
      { id: "2", name: "t2", expiresAt, orgCapabilities: "all" },
    ];
    await using service = await startService(json(200, list));
    const { stdout, stderr } = await current().run(["tokens", "adopt"], service);
    expect(stdout.match(/id: "\d"/g)).toEqual(['id: "1"']);
    expect(stderr).toContain(
      "left out: 2, which has fields that cannot be read, so no program can declare them: orgCap",
    );
  });

  test("leaves out the tokens that a stack has replaced, and names their successors", async () => {
    const [first] = stackOf("acme/web/prod", "1").tokens;
    const record = { replaced: [{ id: "2", ends: "later", until: expiresAt }] };
    const waiting = { id: "3", name: "t3", inputs: { expiresAt }, more: { delete: true } };
    const cli = { stacks: [{ name: "acme/web/prod", tokens: [{ ...first, name: "t1", record }, waiting] }] };
    const args = ["tokens", "adopt", "--all-stacks"];
    const { code, stdout, stderr } = await run(cli, ["1", "2", "3", "4"], args);
    expect([code, stdout.match(/id: "\d"/g)]).toEqual([0, ['id: "4"']]);
    expect(stderr).toContain("left out: 2, which 1 of web/prod replaced (urn:pulumi:prod::web::");
    expect(stderr).toContain("left out: 3, which web/prod declares (urn:pulumi:prod::web::");
    expect(await run(cli, ["2"], args)).toMatchObject({ code: 2, stdout: "" });
  });
});
