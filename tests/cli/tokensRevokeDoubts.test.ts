import { describe, expect, test } from "@jest/globals";
import { type FakeCli, fakePulumi, stackOf, useAuditFolder } from "../support/auditFolder";
import { json, startService } from "../support/service";
import { exportOf } from "../support/states";
import { acme, axiomToken, bridged, killed, orphan, plain, prod, revokeFrom } from "./revocations";

const folder = useAuditFolder();

const one: FakeCli = { stacks: [acme] };
const revoke = (cli: FakeCli, ...args: string[]) =>
  folder.runBeside(cli, ["1", "2", "3"], ["tokens", "revoke", "--yes", ...args]);

const looked = { name: "t2", id: "2", more: { external: true } };
const waiting = { name: "t2", id: "2", more: { delete: true } };
const withToken = (token: object): FakeCli => ({
  stacks: [{ ...acme, tokens: [...acme.tokens, token as typeof looked] }],
});
const replacing = (record: object): FakeCli => ({
  stacks: [{ name: prod, tokens: acme.tokens.map((token) => ({ ...token, record: { replaced: [record] } })) }],
});
const owned = { owner: "data team", reason: "used by a notebook", until: "2027-03-31" };
const accepted = `the policy accepts it: exception of data team (used by a notebook) until 2027-03-31`;

describe("a token that may be in use is revoked only with --force, which lists the reasons first:", () => {
  test.each<[string, FakeCli, Record<string, unknown>, string]>([
    [
      "nothing proves that it is not",
      one,
      {},
      "it may have been created by a stack in another backend, by another tool or",
    ],
    [
      "a stack cannot be read",
      { stacks: [acme, { ...stackOf("acme/web/dev"), broken: "EOF" }] },
      {},
      "acme/web/dev could",
    ],
    ["the stacks cannot be listed", { ...one, listFails: "no login" }, {}, "name the backend with --backend"],
    ["a program looks it up", withToken(looked), {}, "it is looked up by a program: urn:pulumi:prod"],
    ["its deletion is pending", withToken(waiting), {}, "a consumer whose update failed may still have it"],
    ["its deletion never began", replacing({ id: "2" }), {}, "a consumer whose update failed may still have it"],
    ["its program keeps it", replacing({ id: "2", ends: "later" }), {}, "its program keeps it until it expires"],
    ["a policy accepts it by its id", one, { exceptions: [{ id: "2", ...owned }] }, accepted],
    ["a policy accepts it by its name", one, { exceptions: [{ name: "t*", ...owned }] }, accepted],
    [
      "the project has a backend of its own",
      one,
      { "Pulumi.yaml": "name: web\nbackend:\n  url: https://api.pulumi.example.com\n" },
      "names its own backend",
    ],
  ])("%s", async (_, cli, { exceptions, ...files }, reason) => {
    if (exceptions) await folder.write("event-datasets.audit.json", { version: 1, exceptions });
    for (const [file, content] of Object.entries(files)) await folder.write(file, content);
    const refused = await revoke(cli, "--id", "2");
    expect([refused.code, refused.deletes]).toEqual([2, []]);
    expect(refused.stderr).toContain(reason);
    expect(refused.stderr).toContain("nothing was revoked: 1 token may be in use. Give --force to revoke it too");
    const forced = await revoke(cli, "--id", "2", "--force");
    expect([forced.code, forced.deletes]).toEqual([0, ["DELETE /v2/tokens/2"]]);
    expect(forced.stderr).toMatch(/may be in use, so it needs --force:\n.* {2}- /);
  });

  test("a policy accepts a finding about it, even about a create that never finished", async () => {
    const cli = { stacks: [killed] };
    await using service = await startService(json(200, [orphan]));
    const env = await fakePulumi(folder, cli);
    const args = [
      "--all-stacks",
      "--write-policy",
      "event-datasets.audit.json",
      "--owner",
      "ops",
      "--until",
      "2999-01-01",
    ];
    expect(await folder.run(["audit", ...args], service, env)).toMatchObject({ code: 0 });
    const ended = await revokeFrom(folder, cli, [orphan], ["--id", "9", "--yes"]);
    expect(ended).toMatchObject({ code: 2, deletes: [] });
    expect(ended.stderr).toContain("exception of ops (orphaned 9, accepted on");
  });

  test("every reason is listed, in the order of its weight", async () => {
    await folder.write("p.json", { version: 1, exceptions: [{ id: "2", ...owned }] });
    const stacks = [
      { ...acme, tokens: [...acme.tokens, waiting] },
      { ...stackOf("acme/web/dev"), broken: "EOF" },
    ];
    const live = [{ ...plain("2"), orgCapabilities: { apiTokens: ["create"] } }];
    const { stdout, code } = await revokeFrom(folder, { stacks }, live, [
      "--id",
      "2",
      "--dry-run",
      "--policy",
      "p.json",
    ]);
    const reasons = stdout.split("\n").flatMap((line) => /^ {2}- (\S+ \S+ \S+)/.exec(line)?.[1] ?? []);
    expect([code, reasons]).toEqual([
      1,
      ["the policy accepts", "its deletion is", "it may be", "it may have", "it may be"],
    ]);
    expect(stdout).toContain("it may be the access token of a program: it has apiTokens:create");
  });

  test("with --backend for each backend, the stacks of all of them count", async () => {
    const backends = ["--backend", "https://a.example.com", "--backend", "s3://states", "--force"];
    expect(await revoke({ stacks: [acme] }, "--id", "2", ...backends)).toMatchObject({ code: 0 });
    expect(await folder.read("reached")).toMatch(/ls in https:\/\/a\.example\.com\n(?:.*\n)*.*ls in s3:\/\/states\n/);
  });
});

describe("what a state declares is not revoked, even with --force:", () => {
  test.each<[string, FakeCli, string]>([
    ["by our resource", withToken({ ...looked, more: {} }), "declared by urn:pulumi:prod::web::pulumi-nodejs"],
    [
      "by another provider",
      { stacks: [{ ...acme, others: [bridged] }] },
      "of type axiom:index/token:Token: remove it from its program instead",
    ],
    [
      "by a dynamic provider that somebody wrote",
      { stacks: [{ ...acme, others: [{ ...bridged, type: "pulumi-nodejs:dynamic:Resource" }] }] },
      "of type pulumi-nodejs:dynamic:Resource: remove it",
    ],
    [
      "by a replacement that did not finish",
      withToken({ ...looked, more: { pendingReplacement: true } }),
      "run pulumi up first",
    ],
  ])("%s", async (_, cli, reason) => {
    const ended = await revoke(cli, "--id", "2", "--force");
    expect(ended).toMatchObject({ code: 2, stdout: "", deletes: [], stderr: expect.stringContaining(reason) });
    expect(ended.stderr).toContain("is not revoked, even with --force:");
  });

  test("by a Terraform state", async () => {
    const state = { version: 4, lineage: "l", serial: 1, resources: [axiomToken("2")] };
    await folder.write("terraform.tfstate", state);
    const ended = await revoke({ stacks: [acme] }, "--id", "2", "--force", "--terraform-state", "terraform.tfstate");
    expect(ended).toMatchObject({ code: 2, stdout: "", deletes: [] });
    expect(ended.stderr).toContain("declared by axiom_token.ci, in terraform.tfstate, of type axiom_token: remove");
  });

  test("not before everything that the policy wants was read", async () => {
    const mustRead = {
      backends: ["https://api.pulumi.example.com/acme", "s3://states?region=x"],
      states: ["infra.tfstate"],
    };
    await folder.write("event-datasets.audit.json", { version: 1, mustRead });
    await folder.write("infra.tfstate", { version: 4, lineage: "l", serial: 1, resources: [axiomToken("3")] });
    const args = ["--id", "2", "--force"];
    const { code, deletes, stderr } = await revoke(one, ...args);
    expect([code, deletes]).toEqual([2, []]);
    expect(stderr).toContain("is not revoked, even with --force:");
    expect(stderr).toContain("the policy requires all stacks of the backend s3://states?region=x to be read");
    expect(stderr).toContain("the policy requires the file infra.tfstate to be read");
    expect(stderr).not.toContain("of the backend https://api");
    const backends = mustRead.backends.flatMap((address) => ["--backend", address]);
    const states = ["--terraform-state", "./infra.tfstate"];
    expect(await revoke(one, ...args, ...backends)).toMatchObject({ code: 2, deletes: [] });
    expect(await revoke(one, ...args, ...backends, ...states)).toMatchObject({
      code: 0,
      deletes: ["DELETE /v2/tokens/2"],
    });
  });

  test("not before every stack of a backend that the policy wants was read", async () => {
    const mustRead = { backends: ["https://api.pulumi.example.com/acme"] };
    await folder.write("event-datasets.audit.json", { version: 1, mustRead });
    await folder.write("dev.json", exportOf({ stack: "dev" }));
    const cli = { stacks: [acme, { ...stackOf("acme/web/dev"), broken: "EOF" }] };
    const ended = await revoke(cli, "--id", "2", "--force");
    expect([ended.code, ended.deletes]).toEqual([2, []]);
    expect(ended.stderr).toContain("the policy requires all stacks of the backend https://api.pulumi.example.com/acme");
    expect(await revoke(cli, "--id", "2", "--force", "--state", "acme/web/dev=dev.json")).toMatchObject({ code: 0 });
  });

  test("by the file of a stack that cannot be read", async () => {
    const cli = { stacks: [acme, { ...stackOf("acme/web/dev"), broken: "EOF" }] };
    await folder.write("dev.json", exportOf({ stack: "dev", tokens: [{ id: "3", name: "t3" }] }));
    const args = ["--state", "acme/web/dev=dev.json", "--force"];
    expect(await revoke(cli, "--id", "2", ...args)).toMatchObject({ code: 0, deletes: ["DELETE /v2/tokens/2"] });
    expect(await revoke(cli, "--id", "3", ...args)).toMatchObject({ code: 2, deletes: [] });
  });
});
