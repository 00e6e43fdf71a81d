import { describe, expect, test } from "@jest/globals";
import type { ApiTokenState } from "../../provider/nouns/apiToken/definition";
import { apiToken } from "../../provider/nouns/apiToken/lifecycle";
import type { Account } from "../../provider/shared/account/account";
import { credentialOf, readEvidence } from "../../provider/shared/account/evidence";
import type { Token } from "../../sdk";
import { beginSession, sessionOf, testTime } from "../support/host";
import { json } from "../support/service";

const theirs = "ffffffffffff";
const gone = json(404, { message: "not found" });
const stateOf = (evidence: string | undefined, record: object = {}): ApiTokenState =>
  ({ name: "ci", key: "ci", evidence, record }) as ApiTokenState;

/** A session on a service that finds no token by its id and lists these. */
async function begin(live: readonly Partial<Token>[] | "refused") {
  const list = live === "refused" ? json(403, { message: "no" }) : json(200, live);
  const it = await beginSession("extended", (response, request, socket) =>
    (request.call === "GET /v2/tokens" ? list : gone)(response, request, socket),
  );
  const own = credentialOf({ baseUrl: it.service.url, accessToken: "xaat-root" });
  return { ...it, own };
}

test.each([
  ["the token itself is found", stateOf(`${theirs} t9`), []],
  ["nothing was recorded, as of an import", {}, ["GET /v2/tokens/t1"]],
])("the account is ours if %s, and a read records the present credential once", async (_, state, lookups) => {
  const token = { id: "t1", name: "ci" };
  await using it = await beginSession("documented", json(200, [token, { id: "t2" }]), json(200, token));
  const session = sessionOf(it.client, { accessToken: "xaat-renewed" });
  const found = await apiToken.read(session, "t1", state);
  const credential = credentialOf({ baseUrl: it.service.url, accessToken: "xaat-renewed" });
  expect(readEvidence(found?.state.evidence)).toEqual({ created: undefined, credential, beside: ["t2"] });
  // A refresh of what was only looked up would show any change of it.
  expect((await apiToken.read(session, "t1", found?.state ?? {}))?.state).toBe(found?.state);
  expect(it.service.calls).toEqual(["GET /v2/tokens", ...lookups]);
});

test("an unchanged token that was revoked or is of another account is told, with one list for all tokens", async () => {
  await using it = await begin([{ id: "t1", name: "ci" }]);
  const told = [];
  for (const [id, credential] of Object.entries({ t1: theirs, t2: it.own, t3: theirs }))
    told.push(
      ...((await apiToken.verify?.(it.session, stateOf(credential), {
        id,
        state: stateOf(credential),
        change: { changes: false, replaces: [] },
      })) ?? []),
    );
  expect(told).toEqual([
    expect.stringMatching(/\(id t2\) is in the state but no longer exists\. To create it again, run "pulumi refresh"/),
    expect.stringMatching(/\(id t3\) was not found with this access token, which may belong to another account/),
  ]);
  // Only a second answer says that a token is gone.
  expect(it.service.calls).toEqual(["GET /v2/tokens", "GET /v2/tokens/t2"]);
});

describe("a token that is not found is gone", () => {
  test.each<[string, (own: string) => string | undefined, readonly Partial<Token>[]]>([
    ["if its record has the present credential", (own) => own, []],
    ["if a token beside it is listed", () => `${theirs} t2`, [{ id: "t2", name: "x" }]],
    ["if it has no evidence: nobody is asked", () => undefined, []],
  ])("%s", async (_, evidence, live) => {
    await using it = await begin(live);
    expect(await apiToken.read(it.session, "t1", stateOf(evidence(it.own)))).toBeUndefined();
    await apiToken.delete(it.session, "t1", stateOf(evidence(it.own)));
  });

  test("not if another account may have it: the error has the one way out, ready to paste", async () => {
    const state = stateOf(`${theirs} t2`);
    await using it = await begin([{ id: "t9", name: "x" }]);
    for (const id of ["t1", "t3"])
      await expect(apiToken.read(it.session, id, state)).rejects.toThrow(
        "does this access token belong to another account?",
      );
    await expect(apiToken.delete(it.session, "t1", state)).rejects.toThrow("EVENT_DATASETS_NOT_FOUND=t1,t3.");
    process.env.EVENT_DATASETS_NOT_FOUND = "t1,t3";
    await using told = await begin([{ id: "t9", name: "x" }]);
    delete process.env.EVENT_DATASETS_NOT_FOUND;
    expect(await apiToken.read(told.session, "t1", state)).toBeUndefined();
  });

  test("not without a list, and not minutes after its creation", async () => {
    await using refused = await begin("refused");
    await expect(apiToken.read(refused.session, "t1", stateOf(refused.own))).rejects.toThrow("403");
    await using it = await begin([]);
    const madeBefore = (seconds: number) =>
      stateOf(`${Math.floor(testTime.getTime() / 1_000 - seconds).toString(36)} ${it.own}`);
    const young = madeBefore(60);
    await expect(apiToken.read(it.session, "t1", young)).rejects.toThrow("created only minutes ago");
    // An earlier attempt of a deletion may have been carried out.
    await apiToken.delete(it.session, "t1", young);
    expect(await apiToken.read(it.session, "t1", madeBefore(600))).toBeUndefined();
  });
});

describe("a create that replaces a token", () => {
  const inputs = { name: "ci", key: "ci" };
  const change = { changes: true, replaces: ["description"] };

  test.each([
    ["itself", [], ["t1"]],
    ["beside it, although it is gone itself", ["t2"], ["t2"]],
  ])("of our account is sent: the list has the token %s", async (_, beside, live) => {
    const [list, minted] = [
      json(
        200,
        live.map((id) => ({ id })),
      ),
      json(200, { id: "t3", name: "ci", token: "x" }),
    ];
    await using it = await beginSession("extended", list, list, minted);
    const old = { id: "t1", state: stateOf([theirs, ...beside].join(" ")) };
    expect(await apiToken.verify?.(it.session, old.state, { id: old.id, state: old.state, change })).toEqual([]);
    // The diff may have been in another process.
    const session = { ...sessionOf(it.client), isEnding: (id: string) => id === old.id };
    const { state } = await apiToken.create(session, inputs, old);
    expect(readEvidence(state.evidence).beside).not.toContain("t1");
    expect(it.service.calls).toEqual(["GET /v2/tokens", "GET /v2/tokens", "POST /v2/tokens"]);
  });

  test("of another account is refused, in the preview and in the update", async () => {
    await using it = await begin([]);
    const old = { id: "t1", state: stateOf(theirs) };
    await expect(apiToken.verify?.(it.session, old.state, { id: old.id, state: old.state, change })).rejects.toThrow(
      "to another account?",
    );
    await expect(apiToken.create(it.session, inputs, old)).rejects.toThrow("to another account?");
    expect(it.service.calls.filter((call) => call.startsWith("POST"))).toEqual([]);
  });

  test("without a list is a warning in the preview, and an error in the update", async () => {
    await using it = await beginSession("extended", json(403, { message: "no" }));
    const old = { id: "t1", state: stateOf(`${theirs} t2`) };
    expect(await apiToken.verify?.(it.session, old.state, { id: old.id, state: old.state, change })).toEqual([
      expect.stringContaining("cannot list the tokens"),
    ]);
    await expect(apiToken.create(sessionOf(it.client), inputs, old)).rejects.toThrow("403");
    expect(it.service.calls.filter((call) => call.startsWith("POST"))).toEqual([]);
  });
});

test("an update with the access token of another account leaves evidence and record of a token as they are", async () => {
  const state = stateOf(`${theirs} t2`, { replaced: [{ id: "t0", ends: "later" }] });
  await using it = await begin([{ id: "t9", name: "x" }]);
  const { verify, update } = apiToken;
  const plans = { t0: { retire: "expire" } } as const;
  expect(
    await verify?.(it.session, state, { id: "t1", state, change: { changes: true, replaces: [], plans } }),
  ).toEqual([expect.stringContaining("another account")]);
  expect(await update(it.session, "t1", state, { name: "ci", key: "ci", retire: "revoke" })).toEqual({
    ...state,
    retire: "revoke",
  });
});

test("evidence without a list is what was recorded, in whatever order the tokens are read", async () => {
  for (const order of [
    ["a", "b"],
    ["b", "a"],
  ]) {
    await using it = await begin("refused");
    for (const id of order) it.session.account.see(id);
    expect(it.session.account.evidence(it.session, "c", `${it.own} b gone`)).toBe(`${it.own} b gone`);
  }
});

test("tokens that live equally long are evidence in one order, whatever the order of the list", async () => {
  for (const ids of [
    ["x", "y", "z"],
    ["z", "y", "x"],
  ]) {
    await using it = await begin(ids.map((id) => ({ id, name: id })));
    await it.session.account.list.find(it.session);
    expect(it.session.account.evidence(it.session, "one")).toBe(`${it.own} x y`);
  }
});

test("evidence is one sibling, then the token that lives longest, and never a token that this update replaces", async () => {
  const ends = { soon: "2027-01-01T00:00:00Z", late: "2030-01-01T00:00:00Z", never: undefined, old: undefined };
  await using it = await begin(
    Object.entries(ends).map(([id, expiresAt]) => ({ id, name: id, ...(expiresAt && { expiresAt }) })),
  );
  const account: Account = it.session.account;
  await Promise.all([account.list.find(it.session), account.list.find(it.session)]);
  const session = { ...it.session, isEnding: (id: string) => id === "old" };
  account.see("sibling");
  expect(account.evidence(session, "new")).toBe(`${it.own} sibling never`);
  // Recorded tokens stay while they live: otherwise a refresh of many tokens, each the sibling of others, would change them all.
  expect(account.evidence(session, "one", `${it.own} soon never`)).toBe(`${it.own} soon never`);
  for (const pair of ["soon late", "late soon", "never late"])
    expect(account.evidence(session, "one", `${it.own} ${pair}`)).toBe(`${it.own} ${pair}`);
  expect(account.evidence(session, "one", `${it.own} gone old`)).toBe(`${it.own} sibling never`);
  expect(it.service.calls).toEqual(["GET /v2/tokens"]);
});
