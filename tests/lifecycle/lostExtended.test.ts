import { expect, test } from "@jest/globals";
import { isPartialCreate } from "../../provider/lifecycle/contract";
import { apiToken } from "../../provider/lifecycle/token/apiToken";
import { connect, refusedUrl } from "../support/client";
import { type Behaviour, hangUp, json, startService } from "../support/service";
import { sessionOf } from "../support/session";

const made = { name: "ci-0a1b2c3", autoName: "ci", rotation: { expireAfter: "90d", rotateBefore: "14d" } };
const listed = (...tokens: object[]): Behaviour => json(200, tokens);
const lost = { id: "t1", name: made.name, expiresAt: "2026-12-21T12:00:00Z" };
const gone = json(404, { message: "not found" });
const minted = json(200, { ...lost, id: "t2", token: "xaat-second" });
const revoked: Behaviour = (response) => void response.writeHead(204).end();

/** What a create comes to on a service that behaves as listed. */
async function create(inputs: { name: string; autoName?: string }, ...behaviours: Behaviour[]) {
  await using service = await startService(...behaviours);
  await using client = connect(service.url, { profile: "extended" });
  const session = sessionOf(client);
  const outcome = await apiToken.create(session, inputs).catch((e: Error) => e);
  return { outcome, session, calls: service.calls };
}

const found = ["POST /v2/tokens", "GET /v2/tokens"];
const undone = ["DELETE /v2/tokens/t1", "GET /v2/tokens/t1", "GET /v2/tokens"];

test("a lost token that is found by its generated name is revoked, confirmed gone, and made once more", async () => {
  const { outcome, session, calls } = await create(made, hangUp, listed(lost), revoked, gone, listed(), minted);
  expect(outcome).toMatchObject({ id: "t2", state: { name: made.name, token: "xaat-second" } });
  expect(calls).toEqual([...found, ...undone, "POST /v2/tokens"]);
  expect(session.progress).toEqual([expect.stringContaining("The token (id t1) is revoked, and is created again.")]);
});

test.each<[string, Behaviour[], string[]]>([
  ["cannot be revoked", [hangUp, listed(lost), json(403, {})], ["DELETE /v2/tokens/t1"]],
  ["is still there", [hangUp, listed(lost), revoked, json(200, lost)], undone.slice(0, 2)],
  ["is still listed", [hangUp, listed(lost), revoked, gone, listed(lost)], undone],
])("a lost token that %s is tracked and never doubled", async (_, behaviours, calls) => {
  const it = await create(made, ...behaviours);
  expect(isPartialCreate(it.outcome)).toBe(true);
  expect(it.outcome).toMatchObject({ id: "t1", state: { lost: true, expiresAt: lost.expiresAt } });
  expect((it.outcome as Error).message).toContain("It could not be revoked");
  expect(it.calls).toEqual([...found, ...calls]);
});

test("the second create is the last one, whatever becomes of it", async () => {
  const second = { ...lost, id: "t2" };
  const it = await create(made, hangUp, listed(lost), revoked, gone, listed(), hangUp, listed(second));
  expect(it.outcome).toMatchObject({ id: "t2", state: { lost: true } });
  expect(it.calls).toEqual([...found, ...undone, "POST /v2/tokens", "GET /v2/tokens"]);
});

test("a token that is not found, or whose name the user chose, is not made again", async () => {
  for (const [inputs, list] of [
    [made, listed()],
    [{ name: "ci" }, listed({ id: "t1", name: "ci" })],
  ] as const) {
    const { outcome, calls } = await create(inputs, hangUp, list);
    expect((outcome as Error).message).toContain("may exist all the same");
    expect(calls.filter((call) => call !== "GET /v2/tokens")).toEqual(["POST /v2/tokens"]);
  }
});

test("while the service restarts the token is looked for, for up to a minute", async () => {
  const down = json(503, {});
  // Each list is tried three times before it fails.
  const it = await create(made, hangUp, ...Array(6).fill(down), listed(lost), revoked, gone, listed(), minted);
  expect(it.outcome).toMatchObject({ id: "t2" });
  expect(it.session.waits).toEqual([2_000, 4_000]);

  const never = await create(made, hangUp, down);
  expect((never.outcome as Error).message).toMatch(/may exist.*could not be listed.*503/);
  expect(never.session.waits.reduce((sum, wait) => sum + wait)).toBe(60_000);
});

test("a refused list is not asked for again", async () => {
  const { session } = await create(made, hangUp, json(403, {}));
  expect(session.waits).toEqual([]);
});

test("what was never sent is not looked for", async () => {
  await using client = connect(refusedUrl, { profile: "extended" });
  const session = sessionOf(client);
  await expect(apiToken.create(session, made)).rejects.toThrow("could not connect");
  expect(session.waits).toEqual([]);
});
