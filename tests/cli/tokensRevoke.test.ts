import { describe, expect, test } from "@jest/globals";
import { revokeTokens } from "../../cli/tokens/revoke";
import { type FakeCli, type FakeStack, fakePulumi, stackOf, useAuditFolder } from "../support/auditFolder";
import { type Behaviour, json, startService } from "../support/service";
import { exportOf, generatedFrom } from "../support/states";
import { fakeIo } from "./fakeIo";

const expiresAt = "2999-01-01T00:00:00Z";
const extended = { EVENT_DATASETS_PROFILE: "extended" };
const confirmRevocation: Behaviour = (response) => void response.writeHead(204).end();

const folder = useAuditFolder();

const acme = stackOf("acme/web/prod", "1");
const one: FakeCli = { stacks: [acme] };
const revoke = (cli: FakeCli, ...args: string[]) =>
  folder.runBeside(cli, ["1", "2", "3"], ["tokens", "revoke", "--yes", ...args]);

test("the named tokens are revoked after every stack of the backend was read, and nothing else is printed", async () => {
  const result = await revoke({ stacks: [acme, stackOf("acme/infra/prod")] }, "--id", "2", "--id", "3");
  expect(result).toMatchObject({
    code: 0,
    stdout: "revoked 2\nrevoked 3\n",
    deletes: ["DELETE /v2/tokens/2", "DELETE /v2/tokens/3"],
  });
  expect(result.stderr).toContain("read 2 stacks of https://api.pulumi.example.com/acme\n");
  expect(result.stderr).toContain(`2  "t2" stays valid until ${expiresAt}: no capabilities`);
});

test("a report of one stack does not revoke the tokens of the other stacks: its findings are no proof", async () => {
  const others = Array.from({ length: 9 }, (_, n) => `${n + 2}`);
  const cli = { stacks: [acme, stackOf("acme/web/dev", ...others.slice(0, 8))] };
  const live = ["1", ...others];
  const audit = await folder.runBeside(cli, live, ["audit", "--stack", "acme/web/prod", "--output", "json"]);
  const report = JSON.parse(audit.stdout);
  expect(report.summary.rules).toEqual({ undeclared: 9 });
  const list = live.map((id) => ({ id, name: `t${id}`, expiresAt }));
  await using service = await startService(json(200, list), confirmRevocation);
  await folder.write("part.json", { ...report, baseUrl: service.url });
  const env = { ...(await fakePulumi(folder, cli)), ...extended };
  const args = ["tokens", "revoke", "--from", "part.json", "--yes", "--force"];
  const { code, stderr } = await folder.run(args, service, env);
  expect([code, service.calls.filter((call) => call.startsWith("DELETE"))]).toEqual([2, []]);
  expect(stderr).toContain("a stack declares 2 (urn:pulumi:dev::web");
});

/** Revokes on a service with these live tokens and an answer for each deletion. */
async function revokeFrom(cli: FakeCli, live: readonly object[], args: readonly string[], ...answers: Behaviour[]) {
  await using service = await startService(json(200, live), ...answers);
  const env = { ...(await fakePulumi(folder, cli)), ...extended };
  const ended = await folder.run(["tokens", "revoke", ...args], service, env);
  return { ...ended, deletes: service.calls.filter((call) => call.startsWith("DELETE")) };
}

const looked = { name: "t2", id: "2", more: { external: true } };
const kept = { replaced: [{ id: "2", ends: "later", until: expiresAt }] };
const withRecord = (record: object): FakeStack => ({
  name: "acme/web/prod",
  tokens: acme.tokens.map((token) => ({ ...token, record: record as Record<string, unknown> })),
});

describe("a token that may be in use is revoked only with --force, which lists it first:", () => {
  test.each<[string, FakeCli, string[], string]>([
    ["a stack cannot be read", { stacks: [acme, { ...stackOf("acme/web/dev"), broken: "EOF" }] }, [], "was not read"],
    ["the stacks cannot be listed", { ...one, listFails: "no login" }, [], "name the backend with --backend"],
    [
      "a program looks it up",
      { stacks: [{ ...acme, tokens: [...acme.tokens, looked] }] },
      [],
      "looked up by a program",
    ],
    ["its program keeps it", { stacks: [withRecord(kept)] }, [], "its program keeps it until it expires"],
    ["the project has a backend of its own", one, ["Pulumi.yaml"], "names its own backend"],
  ])("%s", async (_, cli, files, reason) => {
    for (const file of files) await folder.write(file, "name: web\nbackend:\n  url: https://api.pulumi.example.com\n");
    const refused = await revoke(cli, "--id", "2");
    expect([refused.code, refused.deletes]).toEqual([2, []]);
    expect(refused.stderr).toContain(reason);
    expect(refused.stderr).toContain("nothing was revoked: 1 token may be in use. Give --force to revoke it too");
    const forced = await revoke(cli, "--id", "2", "--force");
    expect([forced.code, forced.deletes]).toEqual([0, ["DELETE /v2/tokens/2"]]);
    expect(forced.stderr).toContain("may be in use: 2 ");
  });

  test("its name looks generated; the token of a create that never finished is proven to be lost", async () => {
    const name = "ci-0a1b2c3";
    const judge = (cli: FakeCli) =>
      revokeFrom(cli, [{ id: "9", name, expiresAt }], ["--id", "9", "--yes"], confirmRevocation);
    const unknown = await judge({ stacks: [stackOf("acme/web/prod")] });
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("a stack of another backend may declare it");
    const lost = { name: "acme/web/prod", pending: [{ name, inputs: generatedFrom("ci") }] };
    expect(await judge({ stacks: [lost, { ...stackOf("acme/web/dev"), broken: "EOF" }] })).toMatchObject({ code: 0 });
  });

  test("with --backend for each backend, the stacks of all of them count", async () => {
    await folder.write("Pulumi.yaml", "name: web\nbackend:\n  url: https://a.example.com\n");
    const backends = ["--backend", "https://a.example.com", "--backend", "s3://states"];
    expect(await revoke({ stacks: [acme] }, "--id", "2", ...backends)).toMatchObject({ code: 0 });
    expect(await folder.read("reached")).toMatch(/ls in https:\/\/a\.example\.com\n(?:.*\n)*.*ls in s3:\/\/states\n/);
  });

  test("a file of --state takes the place of a stack that cannot be read, and its tokens are protected", async () => {
    const cli = { stacks: [acme, { ...stackOf("acme/web/dev"), broken: "EOF" }] };
    await folder.write("dev.json", exportOf({ stack: "dev", tokens: [{ id: "3", name: "t3" }] }));
    const args = ["--state", "acme/web/dev=dev.json"];
    expect(await revoke(cli, "--id", "2", ...args)).toMatchObject({ code: 0, deletes: ["DELETE /v2/tokens/2"] });
    expect(await revoke(cli, "--id", "3", "--force", ...args)).toMatchObject({ code: 2, deletes: [] });
  });
});

describe("nothing is revoked", () => {
  test.each<[string, string[], string, string?]>([
    ["without a name", ["--yes"], "give --id, or --from"],
    ["of an empty id", ["--id", "2", "--id", ""], "--id: is empty"],
    ["in the documented profile", ["--id", "2", "--yes"], "EVENT_DATASETS_PROFILE=extended", "documented"],
    ["that a stack declares", ["--id", "2", "--id", "1", "--yes", "--force"], "a stack declares 1 (urn:pulumi:prod"],
    ["whose replacement did not finish", ["--id", "3", "--yes", "--force"], "the replacement of 3 (urn:pulumi:"],
    ["that is not live", ["--id", "2", "--id", "9", "--yes"], "lists no token with the id 9"],
    ["without a yes", ["--id", "2"], "there is no terminal to ask for confirmation; give --yes"],
    ["if a file cannot be read", ["--id", "2", "--state", "none.json"], "none.json: cannot be read"],
    ["by a report of another service", ["--from", "other.json"], "is about https://other.example.com"],
    ["by something that is not a report", ["--from", "state.json"], "is not a report of"],
    ["by two ways to name tokens", ["--from", "other.json", "--id", "2"], "--from and --id cannot be combined"],
  ])("%s", async (_, args, reason, profile = "extended") => {
    await folder.write("other.json", { version: 1, baseUrl: "https://other.example.com", findings: [] });
    const replaced = { name: "t3", id: "3", more: { delete: true } };
    const cli = { stacks: [{ ...acme, tokens: [...acme.tokens, replaced] }] };
    const ended = await folder.runBeside(cli, ["1", "2", "3"], ["tokens", "revoke", ...args], profile);
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(reason), deletes: [] });
  });

  test.each([
    ["no", 0],
    ["y", 0],
    [" yes\n", 1],
  ])("unless the user types yes: %j revokes %i", async (answer, many) => {
    await using service = await startService(json(200, [{ id: "2", name: "by hand", expiresAt }]), confirmRevocation);
    const questions: string[] = [];
    const pulumi = await fakePulumi(folder, one);
    const { io } = fakeIo(
      { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "t", ...extended, ...pulumi },
      {
        ask: async (question) => {
          questions.push(question);
          return answer;
        },
      },
    );
    const values = { id: ["2"], state: [`${folder.path}/state.json`], backend: ["https://a.example.com"] };
    const path = process.env.PATH;
    process.env.PATH = pulumi.PATH;
    const done = revokeTokens.run(values, io, undefined).then(
      () => "revoked",
      (e: Error) => e.message,
    );
    expect(await done.finally(() => (process.env.PATH = path))).toBe(many === 1 ? "revoked" : "nothing was revoked");
    expect(questions).toEqual([`Permanently revoke 1 token of ${service.url}? Type yes: `]);
    expect(service.calls.filter((call) => call.startsWith("DELETE"))).toHaveLength(many);
  });
});

/** Revokes tokens that nobody declares. */
const revokeAll = (live: readonly { readonly id: string }[], ...answers: Behaviour[]) =>
  revokeFrom(one, live, ["--yes", ...live.flatMap(({ id }) => ["--id", id])], ...answers);

const plain = (id: string) => ({ id, name: `by hand ${id}`, expiresAt });

test("every token that can be revoked is revoked even if others fail; a missing one counts as revoked", async () => {
  const live = [plain("2"), plain("3")];
  const { code, stdout, stderr } = await revokeAll(live, json(403, { message: "no" }), json(404, { message: "gone" }));
  expect([code, stdout]).toEqual([2, "revoked 3\n"]);
  expect(stderr).toContain("2 may not be revoked: ");
  expect(stderr).toContain("1 of 2 tokens may not be revoked");
});

test("tokens that can be the access token in use go last, and one that is not valid any more stops the run", async () => {
  const own = { ...plain("own"), orgCapabilities: { apiTokens: ["read", "delete"] } };
  const live = [own, plain("2"), { ...own, id: "other" }, { ...plain("odd"), orgCapabilities: "all" }];
  const { code, stdout, stderr, deletes } = await revokeAll(live, confirmRevocation, confirmRevocation, json(401, {}));
  expect([code, stdout]).toEqual([2, "revoked 2\nrevoked odd\n"]);
  expect(deletes).toHaveLength(3);
  expect(stderr).toMatch(/stopped: the access token is not valid any more\. Not revoked: other, own/);
  expect(stderr).toContain("unreadable orgCapabilities");
});
