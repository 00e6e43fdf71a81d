import { describe, expect, test } from "@jest/globals";
import { scopeOf, Update } from "../../framework/update";
import { compareAccounts, Evidence, hashCredential, type PresentAccount } from "../../provider/account/account";
import { Account, decidePlace } from "../../provider/account/presence";
import { type ApiTokenState, apiToken } from "../../provider/apiToken/lifecycle";
import { connect } from "../support/client";
import { json, startService } from "../support/service";
import { planOf, sessionOf, testHash } from "../support/session";

const gone = json(404, { message: "not found" });
const live = (id: string) => json(200, { id, name: "ci" });
const before = "ffffffffffff";
const named = { name: "ci", key: "ci" };
const stateOf = (sighting: object): ApiTokenState => ({ ...named, record: { origin: "created", ...sighting } });

test("a hash tells credentials apart, and of a personal token the organization", () => {
  const [a, b] = [hashCredential("xapt-1"), hashCredential("xapt-2")];
  expect(a).toMatch(/^[0-9a-f]{12}$/);
  expect(new Set([a, b, hashCredential("xapt-1", "one"), hashCredential("xapt-1", "two")]).size).toBe(4);
});

describe("a token that is not found", () => {
  const recordedAt = (url: string, more: object = {}) => stateOf({ baseUrl: url, ...more });

  test.each<[string, object, Partial<PresentAccount>]>([
    ["the credential is the one that it was last seen with", { credentialHash: testHash }, {}],
    ["both have the same label", { credentialHash: before, account: "prod" }, { account: "prod" }],
    ["no credential is recorded", {}, {}],
  ])("is gone if %s", async (_, recorded, present) => {
    await using service = await startService(gone, json(200, []));
    await using client = connect(service.url);
    const session = sessionOf(client, undefined, present);
    expect(await apiToken.read(session, "t1", recordedAt(service.url, recorded))).toBeUndefined();
  });

  test("is an error with another credential, which says what was compared and what to do", async () => {
    await using service = await startService(gone);
    await using client = connect(service.url, { profile: "extended" });
    const session = sessionOf(client);
    const state = recordedAt(service.url, { credentialHash: before });
    for (const call of [apiToken.read(session, "t1", state), apiToken.delete(session, "t1", state)]) {
      await expect(call).rejects.toThrow(
        new RegExp(
          `last seen with another credential \\(hash ${before}; the present one has ${testHash}\\).*state delete`,
        ),
      );
    }
    expect(service.calls).toEqual(["GET /v2/tokens/t1", "DELETE /v2/tokens/t1"]);
  });

  test("is not even asked for where both have labels, and they differ", async () => {
    await using service = await startService(gone);
    await using client = connect(service.url, { profile: "extended" });
    const session = sessionOf(client, undefined, { account: "staging" });
    const state = recordedAt(service.url, { credentialHash: testHash, account: "prod" });
    await expect(apiToken.delete(session, "t1", state)).rejects.toThrow('belongs to the account "prod"');
    expect(service.calls).toEqual([]);
  });

  test("is gone once a sibling of the same credential was found: the credential was rotated", async () => {
    const answers: Record<string, typeof gone> = { "GET /v2/tokens/t2": live("t2"), "GET /v2/tokens": json(200, []) };
    await using service = await startService((response, request, socket) =>
      (answers[request.call] ?? gone)(response, request, socket),
    );
    await using client = connect(service.url);
    const session = sessionOf(client);
    const state = recordedAt(service.url, { credentialHash: before });
    const read = (id: string) => session.account.run(() => apiToken.read(session, id, state));
    const found = await Promise.all(["t1", "t2", "t3"].map(read));
    expect(found.map((token) => token?.state.record.credentialHash)).toEqual([undefined, testHash, undefined]);
  });

  test("waits for the hooks under way, however late one of them finds a sibling, and no longer", async () => {
    const here = { baseUrl: "https://a.example", credentialHash: testHash };
    const seen = { baseUrl: here.baseUrl, credentialHash: before };
    const account = new Account(here, async () => undefined);
    const slow = Promise.withResolvers<void>();
    const sibling = account.run(() => slow.promise.then(() => account.see({ credentialHash: before })));
    const waiting = account.run(() => account.requireSame("t1", seen));
    slow.resolve();
    await Promise.all([sibling, waiting]);

    const other = new Account(here, async () => undefined);
    const all = ["t1", "t2"].map((id) => other.run(() => other.requireSame(id, seen)));
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

describe("an update with other settings than before", () => {
  const here: PresentAccount = { baseUrl: "https://b.example", credentialHash: testHash, providerName: "prod" };
  const at = (state: object) => () => decidePlace("it", { baseUrl: here.baseUrl, ...state }, here);

  test.each<[string, object, ReturnType<typeof decidePlace>]>([
    ["nothing is known of before", {}, "same"],
    ["the address is spelled otherwise", { baseUrl: "HTTPS://B.example:443/", credentialHash: testHash }, "same"],
    ["the Provider was renamed", { credentialHash: testHash, providerName: "production" }, "same"],
    ["the Provider's credential was rotated", { credentialHash: before, providerName: "prod" }, "same"],
  ])("goes on if %s", (_, state, expected) => {
    expect(at(state)()).toBe(expected);
  });

  test.each([
    ["another address", { baseUrl: "https://a.example", credentialHash: testHash, providerName: "prod" }],
    ["another Provider at the same address", { credentialHash: before, providerName: "staging" }],
    ["the default provider at the same address", { credentialHash: before }],
  ])("fails with %s, and says what to set", (_, state) => {
    expect(at(state)).toThrow(
      /Nothing shows whether that is the same account.*setting "account".*If it is another account/,
    );
  });

  test("with labels is decided by them alone", () => {
    const labelled = { ...here, account: "prod" };
    const elsewhere = { baseUrl: "https://a.example", credentialHash: before, providerName: "staging" };
    expect(decidePlace("it", { ...elsewhere, account: "prod" }, labelled)).toBe("same");
    expect(decidePlace("it", { ...elsewhere, account: "staging" }, labelled)).toBe("other");
    const unlabelled = { baseUrl: here.baseUrl, credentialHash: testHash };
    expect(decidePlace("it", unlabelled, labelled)).toBe("labelled");
  });

  test("to another account is a replacement that names both, and a new label is recorded in place", async () => {
    const seen = { baseUrl: here.baseUrl, credentialHash: testHash };
    const plan = planOf("documented", { here: { ...here, account: "prod" }, update: new Update() });
    expect(apiToken.diff("t1", stateOf({ ...seen, account: "staging" }), named, plan)).toEqual({
      changes: true,
      replaces: ["account"],
      notice:
        'API token "ci" (id t1) will be replaced, which creates a new secret: the account is "prod" now instead of "staging". The old token has no expiry and stays valid.',
    });
    const unlabelled = stateOf(seen);
    expect(apiToken.diff("t2", unlabelled, named, plan)).toEqual({ changes: true, replaces: [] });
    await using client = connect(here.baseUrl);
    const session = sessionOf(client, undefined, { account: "prod" });
    const labelled = stateOf({ ...seen, account: "prod" });
    expect(await apiToken.update(session, "t2", unlabelled, named)).toEqual(labelled);
    const rotated = stateOf({ ...seen, credentialHash: before });
    expect(await apiToken.update(session, "t2", rotated, named)).toEqual(rotated);
  });

  test("to another account promises neither a revocation nor an overlap, which that account refuses", () => {
    const seen = { baseUrl: here.baseUrl, credentialHash: testHash, account: "staging" };
    const plan = planOf("extended", { here: { ...here, account: "prod" }, update: new Update() });
    const inputs = { ...named, rotation: { overlap: "2d" } };
    const { notice } = apiToken.diff("t1", stateOf(seen), inputs, plan);
    expect(notice).toContain("The old token can be revoked only with the settings of its own account.");
  });

  test("to another account does not pass over a token, although the new one is adopted by the same name", async () => {
    const adopted = { ...named, adopt: { name: named.name }, retire: "revoke" } as const;
    const elsewhere = { baseUrl: here.baseUrl, credentialHash: before, account: "staging" };
    const state: ApiTokenState = { ...adopted, record: { origin: "adopted", ...elsewhere } };
    await using client = connect(here.baseUrl, { profile: "extended" });
    const session = sessionOf(client, undefined, { account: "prod" });
    const { update } = session;
    update.declare(scopeOf("ApiToken", adopted.key), adopted);
    apiToken.diff("t1", state, adopted, planOf("extended", { here: session.account.here, update }));
    await expect(apiToken.delete(session, "t1", state)).rejects.toThrow('belongs to the account "staging"');
  });

  test("shows in no refresh, whose diff only compares", () => {
    const state = stateOf({ baseUrl: "https://a.example", credentialHash: before });
    const plan = planOf("documented", { here, isUpdate: false });
    expect(apiToken.diff("t1", state, named, plan)).toEqual({ changes: false, replaces: [] });
  });
});

describe("the comparison of accounts", () => {
  const here: PresentAccount = { baseUrl: "http://localhost:4318", credentialHash: testHash };
  const verdictOf = (recorded: object, evidence = new Evidence(here)) => {
    const { is, because } = compareAccounts(recorded, evidence);
    return `${is}: ${because}`;
  };

  test.each([
    [{}, "same: nothing recorded"],
    [{ baseUrl: here.baseUrl, credentialHash: testHash }, "same: credential"],
    [{ baseUrl: "http://127.0.0.1:4318/", credentialHash: testHash }, "same: credential"],
    [{ baseUrl: "http://[::1]:4318", credentialHash: testHash }, "same: credential"],
    [{ baseUrl: "http://localhost.example:4318", credentialHash: before }, "other: address"],
    [{ baseUrl: "http://localhost:4319", credentialHash: testHash }, "unknown: address"],
    [{ baseUrl: here.baseUrl, credentialHash: before }, "unknown: credential"],
    [{ baseUrl: here.baseUrl }, "same: credential"],
  ])("takes %j for %s", (recorded, verdict) => {
    expect(verdictOf(recorded)).toBe(verdict);
  });

  test("an object that was found speaks for others of its credential, address and label", () => {
    const evidence = new Evidence(here);
    const moved = { baseUrl: "https://b.example", credentialHash: before };
    expect(verdictOf(moved, evidence)).toBe("other: address");
    expect([evidence.add({ ...moved, account: "prod" }), evidence.add(moved)]).toEqual([true, false]);
    expect(verdictOf(moved, evidence)).toBe("same: credential");
    expect(verdictOf({ baseUrl: "https://c.example", account: "prod" }, evidence)).toBe("same: label");
  });
});
