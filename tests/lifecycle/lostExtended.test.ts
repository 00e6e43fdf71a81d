import { expect, test } from "@jest/globals";
import { isPartialCreate } from "../../framework/lifecycle";
import { type ApiTokenInputs, apiToken } from "../../provider/apiToken/lifecycle";
import { RetryPolicy } from "../../sdk/retry";
import { connect, refusedUrl } from "../support/client";
import { type Behaviour, hangUp, json, startService } from "../support/service";
import { sessionOf } from "../support/session";

const made = { name: "ci-0a1b2c3", key: "ci", rotation: { expireAfter: "90d", rotateBefore: "14d" } };
const respondWithList = (...tokens: object[]): Behaviour => json(200, tokens);
const lost = { id: "t1", name: made.name, expiresAt: "2026-12-21T12:00:00Z" };
const gone = json(404, { message: "not found" });
const minted = json(200, { ...lost, id: "t2", token: "xaat-second" });
const revoked: Behaviour = (response) => void response.writeHead(204).end();

/** The result of a create on a service with these behaviours. */
async function create(inputs: ApiTokenInputs, ...behaviours: Behaviour[]) {
  await using service = await startService(...behaviours);
  await using client = connect(service.url, { profile: "extended" });
  const session = sessionOf(client);
  const outcome = await apiToken.create(session, inputs).catch((e: Error) => e);
  return { outcome, session, calls: service.calls };
}

const found = ["POST /v2/tokens", "GET /v2/tokens"];
const undone = ["DELETE /v2/tokens/t1", "GET /v2/tokens/t1", "GET /v2/tokens"];

test("a lost token that is found by its generated name is revoked, confirmed gone, and made once more", async () => {
  const { outcome, session, calls } = await create(
    made,
    hangUp,
    respondWithList(lost),
    revoked,
    gone,
    respondWithList(),
    minted,
  );
  expect(outcome).toMatchObject({ id: "t2", state: { name: made.name, token: "xaat-second" } });
  expect(calls).toEqual([...found, ...undone, "POST /v2/tokens"]);
  expect(session.progress).toEqual([expect.stringContaining("The token (id t1) is revoked, and is created again.")]);
});

test.each<[string, Behaviour[], string[]]>([
  ["cannot be revoked", [hangUp, respondWithList(lost), json(403, {})], ["DELETE /v2/tokens/t1"]],
  ["is still there", [hangUp, respondWithList(lost), revoked, json(200, lost)], undone.slice(0, 2)],
  ["is still listed", [hangUp, respondWithList(lost), revoked, gone, respondWithList(lost)], undone],
])("a lost token that %s is tracked and never doubled", async (_, behaviours, calls) => {
  const it = await create(made, ...behaviours);
  expect(isPartialCreate(it.outcome)).toBe(true);
  expect(it.outcome).toMatchObject({ id: "t1", state: { expiresAt: lost.expiresAt, record: { origin: "lost" } } });
  expect((it.outcome as Error).message).toContain("It could not be revoked");
  expect(it.calls).toEqual([...found, ...calls]);
});

/** The answer to the create is lost; the token is found. */
const lostAs = (id: string): Behaviour[] => [hangUp, respondWithList({ ...lost, id })];
/** It is revoked, and confirmed gone. */
const undo: Behaviour[] = [revoked, gone, respondWithList()];
const undoneAs = (id: string) => [`DELETE /v2/tokens/${id}`, `GET /v2/tokens/${id}`, "GET /v2/tokens"];

test("where its answer is lost as well it is undone and made a third time, which is the last one, whatever becomes of it", async () => {
  const third = await create(made, ...lostAs("t1"), ...undo, ...lostAs("t2"), ...undo, minted);
  expect(third.outcome).toMatchObject({ state: { token: "xaat-second" } });
  const calls = [...found, ...undone, ...found, ...undoneAs("t2"), "POST /v2/tokens"];
  expect(third.calls).toEqual(calls);
  expect(third.session.progress).toHaveLength(2);

  const never = await create(made, ...lostAs("t1"), ...undo, ...lostAs("t2"), ...undo, ...lostAs("t3"));
  expect(never.outcome).toMatchObject({ id: "t3", state: { record: { origin: "lost" } } });
  expect(never.calls).toEqual([...calls, "GET /v2/tokens"]);
});

test("no create is made a third time once the time of a call is over", async () => {
  // Each list is tried three times before it fails.
  const down = Array(12).fill(json(503, {}));
  const late = await create(made, ...lostAs("t1"), ...undo, hangUp, ...down, respondWithList({ ...lost, id: "t2" }));
  expect(late.outcome).toMatchObject({ id: "t2", state: { record: { origin: "lost" } } });
  expect(late.session.waits).toEqual([2_000, 4_000, 8_000, 16_000]);
  expect(late.calls.filter((call) => call.startsWith("POST"))).toHaveLength(2);
});

test("the creates of an update that are made a third time are few: a service that loses all answers is not asked for more", async () => {
  const remakes = new RetryPolicy();
  let thirds = 0;
  for (let n = 0; n < 14; n++) {
    await using service = await startService(...lostAs("t1"), ...undo, ...lostAs("t2"), ...undo, minted);
    await using client = connect(service.url, { profile: "extended" });
    await apiToken.create({ ...sessionOf(client), remakes }, made).catch(() => undefined);
    if (service.calls.filter((call) => call.startsWith("POST")).length === 3) thirds++;
  }
  expect(thirds).toBe(11);
});

test("a token that is not found, or whose name the user chose, is not made again", async () => {
  for (const [inputs, list] of [
    [made, respondWithList()],
    [{ name: "ci", chosenName: true, key: "ci" }, respondWithList({ id: "t1", name: "ci" })],
  ] as const) {
    const { outcome, calls } = await create(inputs, hangUp, list);
    expect((outcome as Error).message).toContain("may exist all the same");
    expect(calls.filter((call) => call !== "GET /v2/tokens")).toEqual(["POST /v2/tokens"]);
  }
});

test("while the service restarts the token is looked for, for up to a minute", async () => {
  const down = json(503, {});
  // Each list is tried three times before it fails.
  const it = await create(
    made,
    hangUp,
    ...Array(6).fill(down),
    respondWithList(lost),
    revoked,
    gone,
    respondWithList(),
    minted,
  );
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
