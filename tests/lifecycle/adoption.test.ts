import { describe, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { notKnown } from "../../framework/unknown";
import { type ApiTokenInputs, type ApiTokenState, apiToken } from "../../provider/apiToken/lifecycle";
import type { EventDatasets } from "../../sdk";
import { connect } from "../support/client";
import { live as liveFields, withLiveToken } from "../support/liveToken";
import { json, startService } from "../support/service";
import { planOf, sessionOf, testHash } from "../support/session";

/** As a program declares it, after `check`. */
const live = { ...liveFields, key: "ci", chosenName: true } as const;

const posts = (service: Emulator) => service.calls.filter(({ method }) => method === "POST").length;
const check = (news: Record<string, unknown>, olds?: object) => {
  const { inputs, failures } = apiToken.check(olds as Record<string, unknown> | undefined, news, planOf("extended"));
  return { inputs, failures: failures.map(({ property, reason }) => `${property} ${reason}`) };
};
const refusal = (client: EventDatasets, inputs: ApiTokenInputs) =>
  apiToken.create(sessionOf(client), inputs).then(
    () => "adopted",
    (e: Error) => e.message,
  );

test.each([
  ["its id", (id: string) => ({ id })],
  ["its name", () => ({ name: live.name })],
])("a live token is taken over by %s without creating one, with the secret that the user has", async (_, adoptBy) => {
  await using it = await withLiveToken();
  const inputs = { ...live, adopt: { ...adoptBy(it.id), token: it.secret } };
  const { id, state } = await apiToken.create(sessionOf(it.client), inputs);
  expect(id).toBe(it.id);
  expect(state).toEqual({
    ...live,
    ...{ adopt: adoptBy(it.id), token: it.secret },
    record: { baseUrl: it.service.url, credentialHash: testHash, origin: "adopted" },
  });
  expect(posts(it.service)).toBe(1);
  expect(apiToken.diff(id, state, inputs, planOf("extended"))).toEqual({ changes: false, replaces: [] });
});

test("a token with a rotation keeps the expiry that it has", async () => {
  await using it = await withLiveToken();
  const { expiresAt: _, ...rest } = live;
  const inputs = { ...rest, rotation: { expireAfter: "90d", rotateBefore: "14d" }, adopt: { id: it.id } };
  const { state } = await apiToken.create(sessionOf(it.client), inputs);
  expect(state).toMatchObject({ expiresAt: live.expiresAt });
});

describe("an adoption is refused", () => {
  test("when declared and live differ, and the error shows what is live", async () => {
    await using it = await withLiveToken();
    const inputs = { ...live, description: "other", orgCapabilities: { users: ["create"] }, adopt: { id: it.id } };
    expect(await refusal(it.client, inputs)).toMatch(
      /is not adopted: it differs from what is declared in description, orgCapabilities \(live: \{"users":\["read"\]\}\)/,
    );
  });

  test("when several tokens have the name, which are listed", async () => {
    await using it = await withLiveToken();
    const { id } = await it.client.tokens.create(liveFields);
    const message = await refusal(it.client, { ...live, adopt: { name: live.name } });
    expect(message).toContain(`several tokens are named "legacy"`);
    expect(message).toContain(it.id);
    expect(message).toContain(id);
  });

  test("when there is no such token", async () => {
    await using it = await withLiveToken();
    expect(await refusal(it.client, { ...live, adopt: { id: "none" } })).toContain(
      "there is no token with id none to adopt",
    );
    expect(await refusal(it.client, { ...live, adopt: { name: "none" } })).toContain(
      'there is no token named "none" to adopt',
    );
  });

  test("by a resource that manages another token already", () => {
    const state: ApiTokenState = { ...live, token: "xaat-1", record: { origin: "created" } };
    expect(() => apiToken.diff("t1", state, { ...live, adopt: { id: "t2" } }, planOf())).toThrow(
      "adopt names t2, but this resource manages token t1 already",
    );
  });
});

describe("while adopt is present", () => {
  const adopting = { ...live, adopt: { id: "t1" } };

  test.each([
    ["description", { description: "other" }],
    ["orgCapabilities", { orgCapabilities: { users: ["read", "create"] } }],
    ["adopt.id", { adopt: { id: "t2" } }],
  ])("a changed %s fails, and the message says what to do", (key, change) => {
    expect(check({ ...adopting, ...change }, adopting).failures).toEqual([
      `${key} cannot change while adopt is present: remove adopt first`,
    ]);
  });

  test("another order and another spelling are no change", () => {
    const respelled = { ...adopting, expiresAt: "2030-01-01T00:00:00.000Z" };
    expect(check(respelled, adopting).failures).toEqual([]);
  });

  test("neither drift nor a due rotation replaces the token", () => {
    const rotation = { expireAfter: "90d", rotateBefore: "14d" };
    const { expiresAt: _, ...rest } = live;
    const state = {
      ...live,
      adopt: { id: "t1" },
      orgCapabilities: { rbac: ["create"] },
      expiresAt: "2026-11-22T00:00:00Z",
      record: { origin: "adopted" as const },
    };
    expect(apiToken.diff("t1", state, { ...rest, rotation, adopt: { id: "t1" } }, planOf()).replaces).toEqual([]);
  });
});

test("removing adopt changes nothing, whether the name was declared or came with the adoption", async () => {
  await using it = await withLiveToken();
  const { name: _, ...unnamed } = live;
  for (const declared of [live, unnamed]) {
    const adopting = check({ ...declared, key: "ci", adopt: { name: live.name } }).inputs;
    const { id, state } = await apiToken.create(sessionOf(it.client), adopting);
    const { inputs: removed, failures } = check({ ...declared, key: "ci" }, adopting);
    expect(failures).toEqual([]);
    expect(removed.name).toBe("legacy");
    expect(apiToken.diff(id, state, removed, planOf("extended"))).toEqual({ changes: false, replaces: [] });
    // And from then on the name stays.
    expect(check({ ...declared, key: "ci" }, removed).inputs.name).toBe("legacy");
  }
});

test("a token that has expired can be adopted as it is", () => {
  expect(check({ ...live, expiresAt: "2020-01-01T00:00:00Z", adopt: { name: live.name } }).failures).toEqual([]);
});

test("an adoption needs either an id or a name, and with an id the live token's own name", () => {
  expect(check({ ...live, adopt: {} }).failures).toEqual(["adopt must hold either id or name"]);
  expect(check({ ...live, adopt: { id: "t1", name: "legacy" } }).failures).toEqual([
    "adopt must hold either id or name",
  ]);
  expect(check({ key: "ci", adopt: { id: "t1" } }).failures).toEqual([
    expect.stringMatching(/^name is missing: with adopt\.id/),
  ]);
});

test("the preview says what will be adopted, has no warning about an expiry that nobody knows, and calls it by its resource", () => {
  const plan = planOf();
  const check = (news: Record<string, unknown>, olds?: Record<string, unknown>) => {
    const { warnings, notes } = apiToken.check(olds, { key: "ci", ...news }, plan);
    return { warnings, notes };
  };
  const says = (note: string) => ({ warnings: [], notes: [`API token "${note}; nothing is created`] });
  expect(check({ adopt: { name: "legacy" } })).toEqual(says('legacy" will adopt the token named "legacy"'));
  expect(check({ name: "legacy", adopt: { id: "t1" } })).toEqual(says('legacy" will adopt the token with id t1'));
  expect(check({ adopt: notKnown })).toEqual(says('ci" will adopt an existing token'));
  expect(check({ adopt: { name: "hidden" }, secretInputs: ["name"] })).toEqual(
    says('ci" will adopt an existing token'),
  );
  expect(check({ adopt: { name: "legacy" } }, { name: "legacy", adopt: { name: "legacy" } })).toEqual({
    warnings: [],
  });
});

test("while adopt is there, changes that have no effect are named, a due rotation included", () => {
  const rotation = { expireAfter: "90d", rotateBefore: "14d" };
  const { expiresAt: _, ...rest } = live;
  const adopt = { id: "t1" };
  const record = { origin: "adopted" } as const;
  const state: ApiTokenState = { ...live, rotation, adopt, expiresAt: "2026-11-22T00:00:00Z", record };
  const plan = () => planOf();
  expect(apiToken.diff("t1", state, { ...rest, rotation, adopt }, plan()).notice).toBe(
    'API token "legacy" (id t1) is not changed while adopt is there, although rotation would have it replaced: remove adopt.',
  );
  const later = { ...state, expiresAt: "2027-11-22T00:00:00Z" };
  expect(apiToken.diff("t1", later, { ...rest, rotation, adopt }, plan()).notice).toBeUndefined();
  const other = { ...rotation, rotateBefore: "7d" };
  expect(apiToken.diff("t1", later, { ...rest, rotation: other, adopt }, plan()).notice).toContain("rotation would");
});

test("an adopted token stays adopted when adopt goes together with another change", async () => {
  await using it = await withLiveToken();
  const { id, state } = await apiToken.create(sessionOf(it.client), {
    ...live,
    adopt: { id: it.id },
    retire: "expire",
  });
  const next = await apiToken.update(sessionOf(it.client), id, state, live);
  expect(next.retire).toBeUndefined();
  await apiToken.delete(sessionOf(it.client), id, next);
  expect((await it.client.tokens.list()).map((token) => token.id)).toContain(id);
});

test("a secret that is given later is recorded in place", () => {
  const state: ApiTokenState = { ...live, adopt: { id: "t1" }, record: { origin: "adopted" } };
  const inputs = { ...live, adopt: { id: "t1", token: "xaat-later" } };
  expect(apiToken.diff("t1", state, inputs, planOf())).toEqual({ changes: true, replaces: [] });
});

test.each(["0001-01-01T00:00:00Z", "0001-01-01T01:00:00.000+01:00", ""])(
  "a live token whose expiry is %j has none: its rotation is not due, and it cannot be retired by its expiry",
  async (expiresAt) => {
    const token = { id: "t1", name: live.name, expiresAt };
    await using service = await startService(json(200, token));
    await using client = connect(service.url);
    const declared = { key: "ci", name: live.name, rotation: { expireAfter: "90d", rotateBefore: "P2Y" } };
    const { state } = await apiToken.create(sessionOf(client), { ...declared, adopt: { id: "t1" } });
    expect(state).not.toHaveProperty("expiresAt");
    for (const inputs of [{ ...declared, adopt: { id: "t1" } }, declared]) {
      const plan = apiToken.diff("t1", state, inputs, planOf("extended"));
      expect([plan.replaces, plan.notice ?? ""]).toEqual([[], expect.not.stringContaining("expired")]);
    }
    const expiring = { ...declared, retire: "expire", adopt: { id: "t1" } } as const;
    expect(await refusal(client, expiring)).toContain('retire cannot be "expire", since this token has no expiry');
  },
);
