import { expect, test } from "@jest/globals";
import { apiToken } from "../../provider/nouns/apiToken/lifecycle";
import { beginSession } from "../support/host";
import { type Behaviour, json } from "../support/service";

// One clock makes and judges dates: this machine's. That of the service, or of a gateway, only gives warnings and refusals.

const hour = 3_600_000;
const at = (offset: number) => ({ date: new Date(Date.now() + offset).toUTCString() });
const minted = (offset: number) => json(200, { id: "t1", name: "ci", token: "xaat-1" }, at(offset));
const listed = (offset: number, more = {}) => json(200, [], { ...at(offset), ...more });
const inputs = { name: "ci", key: "ci", expiresIn: "12h" };

/** A create after a list of tokens, which has told the time. */
async function create(declared: object, ...behaviours: Behaviour[]) {
  await using it = await beginSession("extended", ...behaviours);
  const session = { ...it.session, now: () => new Date() };
  await session.account.list.find(session);
  const outcome = await apiToken.create(session, { ...inputs, ...declared }).catch((failure: Error) => failure);
  return { outcome, calls: it.service.calls, waits: it.session.waits, requests: it.service.requests };
}

const expiryIn = ({ requests }: Awaited<ReturnType<typeof create>>): number =>
  Math.round((Date.parse(JSON.parse(requests.at(-1)?.body ?? "{}").expiresAt) - Date.now()) / hour);

test("an expiry counts from this machine's clock, whatever the service's says, and costs no request", async () => {
  for (const offset of [0, 24 * hour, -24 * hour].filter((one) => one < 12 * hour)) {
    const made = await create({}, listed(offset), minted(offset));
    expect([expiryIn(made), made.calls]).toEqual([12, ["GET /v2/tokens", "POST /v2/tokens"]]);
  }
});

test("a token that two responses call dead on arrival is refused, and the error names both clocks", async () => {
  const { outcome, calls, waits } = await create({}, listed(24 * hour), listed(24 * hour));
  expect(outcome).toBeInstanceOf(Error);
  expect((outcome as Error).message).toMatch(
    /^API token "ci" was not created: its expiry, 20\S+, has already passed, according to the clock of http\S+, which says 20\S+\. This machine says 20\S+\. Correct/,
  );
  expect([calls, waits]).toEqual([["GET /v2/tokens", "GET /v2/tokens"], [3_000]]);
});

test.each([
  ["the second response disagrees", listed(0)],
  ["it comes from a cache", listed(24 * hour, { age: "86400" })],
])("a token is created if %s", async (_, second) => {
  const first = listed(24 * hour);
  expect(expiryIn(await create({}, first, second, minted(0)))).toBe(12);
});

test("an overlap that would end before it begins is refused likewise", async () => {
  await using it = await beginSession("extended", listed(72 * hour), listed(72 * hour));
  const session = { ...it.session, now: () => new Date() };
  await session.account.list.find(session);
  const state = { name: "ci", key: "ci", evidence: session.account.credential, record: {} };
  const declared = { name: "ci", key: "ci", rotation: { overlap: "1h" } };
  await expect(apiToken.create(session, declared, { id: "t0", state })).rejects.toThrow(
    "the end of rotation.overlap has already passed, according to the clock of",
  );
  expect(it.service.calls.filter((call) => call.startsWith("POST"))).toEqual([]);
});
