import { describe, expect, test } from "@jest/globals";
import { revokeEach, revokeTokens } from "../../cli/tokens/revoke";
import { EventDatasets, type Token } from "../../sdk";
import {
  exportStack,
  type FakeCli,
  type FakeStack,
  fakePulumi,
  idle,
  stackOf,
  useAuditFolder,
} from "../support/auditFolder";
import { type Behaviour, json, startService } from "../support/service";
import { fakeIo, valuesOf } from "./fakeIo";
import { acme, confirmRevocation, extended, killed, orphan, plain, prod, revokeFrom } from "./revocations";

const folder = useAuditFolder();
const one: FakeCli = { stacks: [acme] };

describe("nothing is revoked", () => {
  test.each<[string, string[], string, string?]>([
    ["without a name", ["--yes"], "name the tokens to revoke: give --id"],
    ["by a report", ["--from", "audit.json", "--yes"], "Unknown option '--from'"],
    ["of an empty id", ["--id", "2", "--id", ""], "--id: is empty"],
    ["in the documented profile", ["--id", "2", "--yes"], "EVENT_DATASETS_PROFILE=extended", "documented"],
    ["that is not live", ["--id", "2", "--id", "9", "--yes"], "lists no token with the id 9"],
    ["without a yes", ["--id", "2", "--force"], "there is no terminal to ask for confirmation; give --yes"],
    ["if a file cannot be read", ["--id", "2", "--state", "none.json"], "none.json: cannot be read"],
    ["if the policy cannot be read", ["--id", "2", "--policy", "none.json"], "none.json: cannot be read"],
  ])("%s", async (_, args, reason, profile = "extended") => {
    const ended = await folder.runBeside(one, ["1", "2", "3"], ["tokens", "revoke", ...args], profile);
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(reason), deletes: [] });
  });
});

/** Revokes a token that nobody declares, with --force unless it is lost, and answers the question in this process. */
async function answerWith(
  answer: () => string | Promise<string>,
  cli = one,
  answers: Behaviour[] = [],
  token = plain("2"),
) {
  const live = json(200, [token]);
  await using service = await startService(live, ...(answers.length > 0 ? answers : [live]), confirmRevocation);
  const questions: string[] = [];
  const pulumi = await fakePulumi(folder, cli);
  const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "t", ...extended, ...pulumi };
  const ask = async (question: string) => {
    questions.push(question);
    return answer();
  };
  const { io } = fakeIo(env, { ask });
  const force = token === orphan ? [] : ["--force"];
  const values = valuesOf("tokens revoke", "--id", token.id, ...force, "--backend", "https://a.example.com");
  const path = process.env.PATH;
  process.env.PATH = pulumi.PATH;
  const done = revokeTokens.run(values, io, undefined).then(
    () => "revoked",
    (e: Error) => e.message,
  );
  const said = await done.finally(() => (process.env.PATH = path));
  expect(questions).toEqual([`Permanently revoke 1 token of ${service.url}? Type yes: `]);
  return { said, deletes: service.calls.filter((call) => call.startsWith("DELETE")).length };
}

test.each([
  ["no", 0],
  ["y", 0],
  [" yes\n", 1],
])("the user has to type yes: %j revokes %i", async (answer, many) => {
  const said = many === 1 ? "revoked" : "nothing was revoked";
  expect(await answerWith(() => answer)).toEqual({ said, deletes: many });
});

describe("after the answer", () => {
  const updated = "2026-11-21T12:00:01.000Z";
  const update = (list: object, state?: FakeStack) => async () => {
    await folder.write("bin/list.json", [{ name: prod, ...idle, ...list }]);
    if (state) await folder.write("bin/acme_web_prod.json", exportStack(state));
    await folder.write("asked", "");
    return "yes";
  };
  const asked = async () => (await folder.read("asked")).match(/stack \w+/g);
  const changed = "nothing was revoked: 2 changed before you confirmed: run the command again";

  test("the stacks are listed again, and only those that changed are exported", async () => {
    expect(await answerWith(update({}))).toEqual({ said: "revoked", deletes: 1 });
    expect(await asked()).toEqual(["stack ls"]);
    expect(await answerWith(update({ lastUpdate: updated }))).toEqual({ said: "revoked", deletes: 1 });
    expect(await asked()).toEqual(["stack ls", "stack export"]);
  });

  test("a token that a stack has adopted meanwhile is not revoked", async () => {
    const adopted = stackOf(prod, "1", "2");
    expect(await answerWith(update({ lastUpdate: updated }, adopted))).toEqual({ said: changed, deletes: 0 });
    // While an update is running, only its state shows what it does.
    const running = { updateInProgress: true, lastUpdate: undefined };
    const stack = { stacks: [acme], list: [{ name: prod, ...idle, ...running }] };
    expect(await answerWith(update(running, adopted), stack)).toEqual({ said: changed, deletes: 0 });
  });

  test("a lost token is not revoked if a stack that was read before, and may have adopted it, cannot be read", async () => {
    const dev = "acme/web/dev";
    const cli = { stacks: [killed, stackOf(dev, "1")] };
    const breakDev = async () => {
      const list = [{ name: dev, ...idle, lastUpdate: updated }];
      await folder.write("bin/list.json", [{ name: prod, ...idle }, ...list]);
      await folder.write("bin/acme_web_dev.json", "");
      return "yes";
    };
    const said = expect.stringMatching(
      /^nothing was revoked: .* before you confirmed, but not afterwards: acme\/web\/dev could/,
    );
    expect(await answerWith(breakDev, cli, [], orphan)).toEqual({ said, deletes: 0 });
    expect(await answerWith(() => "yes", cli, [], orphan)).toEqual({ said: "revoked", deletes: 1 });
  });

  test("a token that has changed meanwhile is not revoked", async () => {
    const other = json(200, [{ ...plain("2"), orgCapabilities: { rbac: ["create"] } }]);
    expect(await answerWith(() => "yes", one, [other])).toEqual({ said: changed, deletes: 0 });
    const gone = await answerWith(() => "yes", one, [json(200, [plain("3")])]);
    expect(gone).toEqual({ said: expect.stringContaining("lists no token with the id 2"), deletes: 0 });
  });
});

/** Revokes tokens that nobody declares. */
const revokeAll = (live: readonly { readonly id: string }[], ...answers: Behaviour[]) =>
  revokeFrom(folder, one, live, ["--yes", "--force", ...live.flatMap(({ id }) => ["--id", id])], ...answers);

test("every token that can be revoked is revoked even if others fail; a missing one counts as revoked", async () => {
  const live = [plain("2"), plain("3")];
  const { code, stdout, stderr } = await revokeAll(live, json(403, { message: "no" }), json(404, { message: "gone" }));
  expect([code, stdout]).toEqual([2, "revoked 3\n"]);
  expect(stderr).toContain("2 may not have been revoked: ");
  expect(stderr).toContain("1 of 2 tokens may not have been revoked");
});

test("tokens that can be the access token in use go last, and one that is not valid any more stops the run", async () => {
  const own = { ...plain("own"), orgCapabilities: { apiTokens: ["read", "delete"] } };
  const live = [own, plain("2"), { ...own, id: "other" }, { ...plain("odd"), orgCapabilities: "all" }];
  const { code, stdout, stderr, deletes } = await revokeAll(live, confirmRevocation, confirmRevocation, json(401, {}));
  expect([code, stdout]).toEqual([2, "revoked 2\nrevoked own\n"]);
  expect(deletes).toHaveLength(3);
  expect(stderr).toMatch(/stopped: the access token is not valid any more\. Not revoked: other, odd/);
  expect(stderr).toContain("unreadable orgCapabilities");
});

test("after five minutes of revoking it stops, because the stacks were read too long ago", async () => {
  await using service = await startService(confirmRevocation, confirmRevocation);
  await using client = new EventDatasets({ baseUrl: service.url, accessToken: "t", profile: "extended" });
  const { io, lines } = fakeIo({});
  const wanted = ["2", "3", "4"].map((id) => ({ token: plain(id) as Token }));
  const times = [0, 60_000, 299_999, 300_001];
  const stopped = revokeEach(client, wanted, io, () => times.shift() ?? 0);
  await expect(stopped).rejects.toThrow("more than five minutes ago, so run the command again. Not revoked: 4");
  expect(lines).toEqual(["revoked 2", "revoked 3"]);
});
