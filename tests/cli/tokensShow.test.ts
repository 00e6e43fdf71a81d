import { describe, expect, test } from "@jest/globals";
import { type FakeCli, fakePulumi, stackOf, useAuditFolder } from "../support/auditFolder";
import { type Behaviour, json, startService } from "../support/service";
import { acme, bridged, killed, orphan, plain, prod } from "./revocations";

const folder = useAuditFolder();

async function show(cli: FakeCli, live: readonly object[], args: readonly string[], ...answers: Behaviour[]) {
  await using service = await startService(json(200, live), ...answers);
  const ended = await folder.run(["tokens", "show", ...args], service, await fakePulumi(folder, cli));
  return { ...ended, requests: [...service.requests] };
}

const declared = `urn:pulumi:prod::web::pulumi-nodejs:event-datasets:ApiToken`;

test.each<[string, FakeCli, string, RegExp]>([
  [
    "who declares it",
    { stacks: [acme] },
    "1",
    RegExp(` {2}- declared by ${declared}::t1, in stack ${prod}: remove it from its program instead\n`),
  ],
  [
    "who borrows it",
    { stacks: [{ ...acme, tokens: [{ id: "1", name: "t1", inputs: { adopt: { id: "1" } } }] }] },
    "1",
    / {2}- borrowed by urn:/,
  ],
  [
    "which other provider declares it",
    { stacks: [{ ...acme, others: [bridged] }] },
    "2",
    / {2}- declared by urn:pulumi:prod::web::axiom:index\/token:Token::ci, in stack acme\/web\/prod, of type axiom:index\/token:Token: remove/,
  ],
  [
    "what replaced it",
    { stacks: [{ name: prod, tokens: [{ id: "3", name: "t3", record: { replaced: [{ id: "2" }] } }] }] },
    "2",
    RegExp(` {2}- replaced by 3 \\(${declared}::t3, in stack ${prod}\\), and its deletion is pending: `),
  ],
  [
    "what it replaced",
    { stacks: [{ name: prod, tokens: [{ id: "2", name: "t3", record: { replaced: [{ id: "1" }] } }] }] },
    "2",
    / {2}it replaced 1\n/,
  ],
  ["that nobody has its secret", { stacks: [killed] }, "9", /can be revoked:\n {2}- its create never finished/],
])("shows %s, and revokes nothing", async (_, cli, id, found) => {
  const { code, stdout, requests } = await show(cli, [plain("1"), plain("2"), orphan], [id]);
  expect([code, stdout.startsWith(`${id}  "`)]).toEqual([0, true]);
  expect(stdout).toMatch(found);
  expect(requests.map(({ call }) => call)).toEqual(["GET /v2/tokens"]);
});

test("shows its capabilities and who accepts it", async () => {
  const owned = { owner: "data team", reason: "a notebook", until: "2027-03-31" };
  await folder.write("event-datasets.audit.json", { version: 1, exceptions: [{ id: "2", ...owned }] });
  const token = { ...plain("2"), orgCapabilities: { apiTokens: ["create"] } };
  const { stdout } = await show({ stacks: [acme] }, [token], ["2"]);
  expect(stdout).toContain("stays valid until 2999-01-01T00:00:00Z: apiTokens:create\n");
  expect(stdout).toContain("- the policy accepts it: exception of data team (a notebook) until 2027-03-31\n");
});

test("a token that is not live has exit code 1, and its stacks are shown", async () => {
  const { code, stdout } = await show({ stacks: [stackOf(prod, "7")] }, [plain("2")], ["7"]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^7 is not live: .*\n {2}- declared by urn:/)]);
  expect(await show({ stacks: [acme] }, [], [])).toMatchObject({ code: 2, stderr: expect.stringContaining("missing") });
});

const time = "2026-11-20T10:00:00Z";
const legacy = (...events: object[]) => ({
  format: "legacy",
  status: { isPartial: false },
  buckets: { series: [], totals: [] },
  matches: events.map((data) => ({ _time: time, data })),
});
const who = (answer: Behaviour, ...args: string[]) => show({ stacks: [acme] }, [plain("2")], ["2", ...args], answer);

describe("--who", () => {
  test("asks the audit log one question, about its action only", async () => {
    const { requests } = await who(json(200, legacy()), "--who");
    expect(requests.map(({ call }) => call)).toEqual(["GET /v2/tokens", expect.stringContaining("/v1/datasets/_apl")]);
    expect(JSON.parse(requests[1]?.body ?? "").apl).toBe(
      `["axiom-audit"] | where action in ("createAPIToken", "deleteAPIToken", "regenerateAPIToken")`,
    );
  });

  test.each([
    ["flat members, by its id", { action: "createAPIToken", "actor.email": "a@example.com", "resource.id": "2" }],
    ["objects, by its name", { action: "createAPIToken", actor: { email: "a@example.com" }, token: ["by hand 2"] }],
  ])("names who made a token in events of %s", async (_, event) => {
    const other = { action: "createAPIToken", "actor.email": "b@example.com", name: "by hand 23" };
    const { code, stdout } = await who(json(200, legacy(other, event)), "--who");
    expect(code).toBe(0);
    expect(stdout).toContain(`  ${time} createAPIToken by email a@example.com\n`);
    expect(stdout).not.toContain("b@example.com");
  });

  test("an event without an actor, and no event, are not nobody", async () => {
    const anonymous = await who(json(200, legacy({ action: "deleteAPIToken", id: "2" })), "--who");
    expect(anonymous.stdout).toContain("deleteAPIToken by an actor that the event does not name");
    const none = await who(json(200, legacy()), "--who=audit of tokens");
    expect(none.stdout).toContain("who made it: no event in the last 30 days of audit of tokens");
    expect(JSON.parse(none.requests[1]?.body ?? "").apl).toMatch(/^\["audit of tokens"\] /);
  });
});
