import { describe, expect, test } from "@jest/globals";
import { revokeTokens } from "../../cli/tokens/revoke";
import { type FakeCli, type FakeStack, fakePulumi, stackOf, useFolderBesidePulumi } from "../support/auditFolder";
import { type Behaviour, json, startService } from "../support/service";
import { exportOf, generatedFrom } from "../support/states";

const expiresAt = "2999-01-01T00:00:00Z";
const extended = { EVENT_DATASETS_PROFILE: "extended" };
const confirmRevocation: Behaviour = (response) => void response.writeHead(204).end();

const { current, run } = useFolderBesidePulumi();

const acme = stackOf("acme/web/prod", "1");
const one: FakeCli = { stacks: [acme] };
const revoke = (cli: FakeCli, ...args: string[]) => run(cli, ["1", "2", "3"], ["tokens", "revoke", "--yes", ...args]);

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
  const audit = await run(cli, live, ["audit", "--stack", "acme/web/prod", "--output", "json"]);
  const report = JSON.parse(audit.stdout);
  expect(report.summary.rules).toEqual({ undeclared: 9 });
  const list = live.map((id) => ({ id, name: `t${id}`, expiresAt }));
  await using service = await startService(json(200, list), confirmRevocation);
  await current().write("part.json", { ...report, baseUrl: service.url });
  const env = { ...(await fakePulumi(current(), cli)), ...extended };
  const args = ["tokens", "revoke", "--from", "part.json", "--yes", "--force"];
  const { code, stderr } = await current().run(args, service, env);
  expect([code, service.calls.filter((call) => call.startsWith("DELETE"))]).toEqual([2, []]);
  expect(stderr).toContain("a stack declares 2 (urn:pulumi:dev::web");
});

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
    for (const file of files)
      await current().write(file, "name: web\nbackend:\n  url: https://api.pulumi.example.com\n");
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
    const judge = async (cli: FakeCli) => {
      await using service = await startService(json(200, [{ id: "9", name, expiresAt }]), confirmRevocation);
      const env = { ...(await fakePulumi(current(), cli)), ...extended };
      return await current().run(["tokens", "revoke", "--id", "9", "--yes"], service, env);
    };
    const unknown = await judge({ stacks: [stackOf("acme/web/prod")] });
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining("a stack of another backend may declare it"),
    ]);
    const lost = { name: "acme/web/prod", pending: [{ name, inputs: generatedFrom("ci") }] };
    expect(await judge({ stacks: [lost, { ...stackOf("acme/web/dev"), broken: "EOF" }] })).toMatchObject({ code: 0 });
  });

  test("with --backend for each backend, the stacks of all of them count", async () => {
    await current().write("Pulumi.yaml", "name: web\nbackend:\n  url: https://a.example.com\n");
    const backends = ["--backend", "https://a.example.com", "--backend", "s3://states"];
    expect(await revoke({ stacks: [acme] }, "--id", "2", ...backends)).toMatchObject({ code: 0 });
    expect(await current().read("reached")).toMatch(
      /ls in https:\/\/a\.example\.com\n(?:.*\n)*.*ls in s3:\/\/states\n/,
    );
  });

  test("a file of --state takes the place of a stack that cannot be read, and its tokens are protected", async () => {
    const cli = { stacks: [acme, { ...stackOf("acme/web/dev"), broken: "EOF" }] };
    await current().write("dev.json", exportOf({ stack: "dev", tokens: [{ id: "3", name: "t3" }] }));
    const args = ["--state", "acme/web/dev=dev.json"];
    expect(await revoke(cli, "--id", "2", ...args)).toMatchObject({ code: 0, deletes: ["DELETE /v2/tokens/2"] });
    expect(await revoke(cli, "--id", "3", "--force", ...args)).toMatchObject({ code: 2, deletes: [] });
  });
});

describe("nothing is revoked", () => {
  test.each<[string, string[], Record<string, string>, string]>([
    ["without a name", ["--yes"], extended, "give --id, or --from"],
    ["of an empty id", ["--id", "2", "--id", ""], extended, "--id: is empty"],
    ["in the documented profile", ["--id", "2", "--yes"], {}, "EVENT_DATASETS_PROFILE=extended"],
    [
      "that a stack declares",
      ["--id", "2", "--id", "1", "--yes", "--force"],
      extended,
      "a stack declares 1 (urn:pulumi:prod",
    ],
    [
      "whose replacement did not finish",
      ["--id", "3", "--yes", "--force"],
      extended,
      "the replacement of 3 (urn:pulumi:",
    ],
    ["that is not live", ["--id", "2", "--id", "9", "--yes"], extended, "lists no token with the id 9"],
    ["without a yes", ["--id", "2"], extended, "there is no terminal to ask for confirmation; give --yes"],
    ["if a file cannot be read", ["--id", "2", "--state", "none.json"], extended, "none.json: cannot be read"],
    ["by a report of another service", ["--from", "other.json"], extended, "is about https://other.example.com"],
    ["by something that is not a report", ["--from", "state.json"], extended, "is not a report of"],
    [
      "by two ways to name tokens",
      ["--from", "other.json", "--id", "2"],
      extended,
      "--from and --id cannot be combined",
    ],
  ])("%s", async (_, args, env, reason) => {
    await current().write("other.json", { version: 1, baseUrl: "https://other.example.com", findings: [] });
    const list = ["1", "2", "3"].map((id) => ({ id, name: `t${id}`, expiresAt }));
    await using service = await startService(json(200, list), confirmRevocation);
    const replaced = { name: "t3", id: "3", more: { delete: true } };
    const pulumi = await fakePulumi(current(), { stacks: [{ ...acme, tokens: [...acme.tokens, replaced] }] });
    const { code, stdout, stderr } = await current().run(["tokens", "revoke", ...args], service, { ...pulumi, ...env });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(reason);
    expect(service.calls.filter((call) => call.startsWith("DELETE"))).toEqual([]);
  });

  test.each([
    ["no", 0],
    ["y", 0],
    [" yes\n", 1],
  ])("unless the user types yes: %j revokes %i", async (answer, many) => {
    await using service = await startService(json(200, [{ id: "2", name: "by hand", expiresAt }]), confirmRevocation);
    const questions: string[] = [];
    const io = {
      print: () => undefined,
      warn: () => undefined,
      env: { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "t", ...extended },
      readInput: async () => "",
      ask: async (question: string) => {
        questions.push(question);
        return answer;
      },
      columns: 80,
      colours: false,
      canPrint: () => true,
      flush: async () => undefined,
      progress: undefined,
      stopped: async () => undefined,
    };
    io.env = { ...io.env, ...(await fakePulumi(current(), one)) };
    const values = { id: ["2"], state: [`${current().path}/state.json`], backend: ["https://a.example.com"] };
    const path = process.env.PATH;
    process.env.PATH = (io.env as { PATH?: string }).PATH;
    const done = revokeTokens.run(values, io, undefined).then(
      () => "revoked",
      (e: Error) => e.message,
    );
    expect(await done.finally(() => (process.env.PATH = path))).toBe(many === 1 ? "revoked" : "nothing was revoked");
    expect(questions).toEqual([`Permanently revoke 1 token of ${service.url}? Type yes: `]);
    expect(service.calls.filter((call) => call.startsWith("DELETE"))).toHaveLength(many);
  });
});

/** Revokes tokens that nobody declares, with an answer for each request to do so. */
async function revokeAll(live: readonly object[], ...answers: Behaviour[]) {
  await using service = await startService(json(200, live), ...answers);
  const ids = live.flatMap((token) => ["--id", (token as { id: string }).id]);
  const env = { ...(await fakePulumi(current(), one)), ...extended };
  const ended = await current().run(["tokens", "revoke", "--yes", ...ids], service, env);
  return { ...ended, deletes: service.calls.filter((call) => call.startsWith("DELETE")) };
}

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
