import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { tokens } from "../../cli/tokens";
import { AuditFolder } from "../support/auditFolder";
import { type Behaviour, json, type ScriptedService, startService } from "../support/service";
import { exportOf } from "../support/states";

const expiresAt = "2999-01-01T00:00:00Z";
const live = ["t1", "t2", "t3"].map((id) => ({ id, name: `by hand ${id}\u001b[2K`, expiresAt }));
const confirmRevocation: Behaviour = (response) => void response.writeHead(204).end();

let folder: AuditFolder;

beforeEach(async () => {
  folder = await AuditFolder.create();
  const declared = { id: "t3", name: "by hand t3", inputs: { expiresAt } };
  await folder.write("state.json", exportOf({ tokens: [declared] }));
  await folder.write(
    "interrupted.json",
    exportOf({ stack: "dev", tokens: [{ id: "t2", name: "replaced", more: { delete: true } }] }),
  );
});

afterEach(() => folder[Symbol.asyncDispose]());

const extended = { EVENT_DATASETS_PROFILE: "extended" };
const revoke = (service: ScriptedService, args: readonly string[], env: Record<string, string> = extended) =>
  folder.run(["tokens", "revoke", "--state", "state.json", ...args], service, env);

const deletes = ({ calls }: ScriptedService) => calls.filter((call) => call.startsWith("DELETE"));

/** Lists first, then answers deletes. */
const answering = (...answers: Behaviour[]) => startService(json(200, live), ...answers);

test("the named tokens are revoked, each is shown with its capabilities, and nothing else is printed", async () => {
  await using service = await answering(confirmRevocation);
  const { code, stdout, stderr } = await revoke(service, ["--id", "t1", "--id", "t2", "--yes"]);
  expect([code, stdout]).toEqual([0, "revoked t1\nrevoked t2\n"]);
  expect(deletes(service)).toEqual(["DELETE /v2/tokens/t1", "DELETE /v2/tokens/t2"]);
  expect(stderr).toContain(`t1  "by hand t1‹U+001B›[2K" stays valid until ${expiresAt}: no rights`);
});

test("what the service sent in an unknown form is not called harmless", async () => {
  const token = { id: "t1", name: "odd", expiresAt: 12, orgCapabilities: "all" };
  await using service = await startService(json(200, [token]), confirmRevocation);
  const { stderr } = await revoke(service, ["--id", "t1", "--yes"]);
  expect(stderr).toContain('t1  "odd" stays valid until an unknown time: unreadable orgCapabilities\n');
});

test("only the undeclared tokens of a report are revoked", async () => {
  await using audited = await startService(json(200, live.slice(1)));
  const report = await folder.run(["audit", "--state", "state.json", "--output", "json"], audited);
  await using service = await answering(confirmRevocation);
  await folder.write("audit.json", { ...JSON.parse(report.stdout), baseUrl: `${service.url}/` });
  expect(await revoke(service, ["--from", "audit.json", "--yes"])).toMatchObject({ code: 0, stdout: "revoked t2\n" });
  expect(deletes(service)).toEqual(["DELETE /v2/tokens/t2"]);
});

describe("nothing is revoked", () => {
  test.each<[string, string[], Record<string, string>, string]>([
    ["without a name", ["--yes"], extended, "give --id, or --from"],
    ["of a filter alone", ["--name", "by hand", "--yes"], extended, "give --id, or --from"],
    ["of an empty filter", ["--id", "t1", "--name", "", "--yes"], extended, "--name: is empty"],
    ["in the documented profile", ["--id", "t1", "--yes"], {}, "EVENT_DATASETS_PROFILE=extended"],
    [
      "that a stack declares",
      ["--id", "t1", "--id", "t3", "--yes"],
      extended,
      "a stack declares t3 (urn:pulumi:prod::web",
    ],
    [
      "whose replacement did not finish",
      ["--id", "t2", "--yes", "--state", "interrupted.json"],
      extended,
      "the replacement of t2 (urn:pulumi:dev::web",
    ],
    ["that is not live", ["--id", "t1", "--id", "t9", "--yes"], extended, "lists no token with the id t9"],
    ["without a yes", ["--id", "t1"], extended, "there is no terminal to ask for confirmation; give --yes"],
    [
      "if a state cannot be read",
      ["--id", "t1", "--state", "none.json", "--yes"],
      extended,
      "none.json: cannot be read",
    ],
    [
      "by a report of another service",
      ["--from", "other.json", "--yes"],
      extended,
      "is about https://other.example.com",
    ],
    ["by something that is not a report", ["--from", "state.json", "--yes"], extended, "is not a report of"],
    [
      "by two ways to name tokens",
      ["--from", "other.json", "--id", "t1"],
      extended,
      "--from and --id cannot be combined",
    ],
  ])("%s", async (_, args, env, reason) => {
    await folder.write("other.json", { version: 1, baseUrl: "https://other.example.com", findings: [] });
    await using service = await answering(confirmRevocation);
    const { code, stdout, stderr } = await revoke(service, args, env);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(reason);
    expect(deletes(service)).toEqual([]);
  });

  test.each([
    ["no", 0],
    ["y", 0],
    [" yes\n", 1],
  ])("unless the user types yes: %j revokes %i", async (answer, many) => {
    await using service = await answering(confirmRevocation);
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
      progress: undefined,
      stopped: async () => undefined,
    };
    const values = { id: ["t1"], state: [`${folder.path}/state.json`] };
    const done = Promise.resolve(tokens.run(values, io, "revoke")).then(
      () => "revoked",
      (e: Error) => e.message,
    );
    expect(await done).toBe(many === 1 ? "revoked" : "nothing was revoked");
    expect(questions).toEqual([`Permanently revoke 1 token of ${service.url}? Type yes: `]);
    expect(deletes(service)).toHaveLength(many);
  });
});

test("every token that can be revoked is revoked even if others fail; a missing one counts as revoked", async () => {
  await using service = await answering(json(403, { message: "no" }), json(404, { message: "no such token" }));
  const { code, stdout, stderr } = await revoke(service, ["--id", "t1", "--id", "t2", "--yes"]);
  expect([code, stdout]).toEqual([2, "revoked t2\n"]);
  expect(stderr).toContain("t1 may not be revoked: ");
  expect(stderr).toContain("1 of 2 tokens may not be revoked");
});
