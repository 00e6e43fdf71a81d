import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { Ledger } from "../../provider/lifecycle/ledger";
import { type ApiTokenState, apiToken } from "../../provider/lifecycle/token/apiToken";
import { shareAdoptions } from "../../provider/session/adoptions";
import { live, withLiveToken } from "../support/liveToken";
import { planOf, sessionOf } from "../support/session";

describe("a deletion", () => {
  test("of a token that another resource adopted in the same update leaves it alone", async () => {
    await using it = await withLiveToken();
    const session = sessionOf(it.client);
    await apiToken.create(session, { ...live, adopt: { id: it.id } });
    await apiToken.delete(session, it.id, { ...live, token: it.secret, baseUrl: it.service.url });
    expect(it.service.tokens.list()).toHaveLength(1);
    expect(session.warnings).toEqual([
      expect.stringContaining("is managed by another resource of this update: it is left alone"),
    ]);
  });

  test("of an adopted token in another process leaves it alone, unless retire asks for its revocation", async () => {
    await using it = await withLiveToken();
    const { state } = await apiToken.create(sessionOf(it.client), { ...live, adopt: { id: it.id } });
    // The mark stays when adopt is removed; states of earlier versions have adopt only.
    const { adopt: _, ...afterwards } = state;
    const { adopted: __, ...earlier } = state;
    for (const recorded of [state, afterwards, earlier]) {
      const session = sessionOf(it.client);
      await apiToken.delete(session, it.id, recorded);
      expect(session.warnings).toEqual([
        expect.stringMatching(/stays valid until 2030-01-01T00:00:00Z: it was adopted, not made here, and only retire/),
      ]);
    }
    expect(it.service.tokens.list()).toHaveLength(1);
    await apiToken.delete(sessionOf(it.client), it.id, { ...state, retire: "revoke" });
    expect(it.service.tokens.list()).toHaveLength(0);
  });

  test("of a token that another process adopted in an update that was killed leaves it alone in the next one", async () => {
    await using it = await withLiveToken();
    const made: ApiTokenState = { ...live, token: it.secret, baseUrl: it.service.url };
    const adopted = await apiToken.create(sessionOf(it.client), { ...live, adopt: { id: it.id } });
    // Killed here: what made the token is still in the state, to be deleted by the next update, in another process of it.
    const update = `127.0.0.1:${randomUUID()}`;
    const plan = planOf("extended", { adoptions: shareAdoptions(update) });
    expect(apiToken.diff(it.id, adopted.state, { ...live, adopt: { id: it.id } }, plan).changes).toBe(false);
    const session = { ...sessionOf(it.client), adoptions: shareAdoptions(update) };
    await apiToken.delete(session, it.id, made);
    expect(it.service.tokens.list()).toHaveLength(1);
    expect(session.warnings).toEqual([expect.stringContaining("it is left alone")]);
  });

  test("of a token that another process of the update imported leaves it alone", async () => {
    await using it = await withLiveToken();
    const imported = await apiToken.read(sessionOf(it.client), it.id, {});
    if (!imported?.inputs) throw new Error("not found");
    expect(imported.state.adopted).toBe(true);
    const update = `127.0.0.1:${randomUUID()}`;
    const plan = planOf("extended", { adoptions: shareAdoptions(update) });
    expect(apiToken.diff(it.id, imported.state, { ...imported.inputs, resourceKey: "ours" }, plan).changes).toBe(false);
    const session = { ...sessionOf(it.client), adoptions: shareAdoptions(update) };
    await apiToken.delete(session, it.id, { ...live, token: it.secret, baseUrl: it.service.url });
    await apiToken.delete(sessionOf(it.client), it.id, imported.state);
    expect(it.service.tokens.list()).toHaveLength(1);
  });

  test.each([
    { whose: "made here", more: {} },
    { whose: "adopted", more: { adopted: true } as const },
  ])("of a token $whose that the engine replaces though its comparison said otherwise revokes it", async ({ more }) => {
    await using it = await withLiveToken();
    const session = sessionOf(it.client);
    const inputs = { ...live, resourceKey: "ours" };
    const news = { ...inputs, retire: "revoke" } as const;
    const state: ApiTokenState = { ...inputs, token: it.secret, baseUrl: it.service.url, ...more };
    // replaceOnChanges: the comparison says "in place", and the engine makes a replacement of it.
    const plan = planOf("extended", { ledger: session.ledger, adoptions: session.adoptions });
    expect(apiToken.diff(it.id, state, news, plan)).toMatchObject({ changes: true, replaces: [] });
    const successor = await apiToken.create(session, news);
    expect(successor.state.replaced).toMatchObject([{ id: it.id }]);
    await apiToken.delete(session, it.id, state);
    expect(it.service.tokens.list().map((token) => token.id)).toEqual([successor.id]);
    expect(session.warnings).toEqual([]);
  });

  test("of a token that the engine deletes before it replaces it, though its comparison said otherwise, revokes it", async () => {
    await using it = await withLiveToken();
    const session = sessionOf(it.client);
    const inputs = { ...live, name: "ours", resourceKey: "ours" };
    const made = await apiToken.create(sessionOf(it.client), inputs);
    const plan = planOf("extended", { ledger: session.ledger, adoptions: session.adoptions });
    apiToken.diff(made.id, made.state, { ...inputs, retire: "revoke" }, plan);
    // Of another creation: not what the comparison was of.
    await apiToken.delete(session, made.id, { ...made.state, createdAt: "2026-01-01T00:00:00Z" });
    // The same record under another name, as it is when someone renamed the resource in the state by hand.
    await apiToken.delete(session, made.id, { ...made.state, resourceKey: "before" });
    expect(session.warnings).toHaveLength(2);
    expect(it.service.tokens.list()).toHaveLength(2);
    await apiToken.delete(session, made.id, made.state);
    expect(it.service.tokens.list().map((token) => token.id)).toEqual([it.id]);
    const { state } = await apiToken.create(session, inputs);
    expect(state.replaced).toMatchObject([{ id: made.id }]);
  });

  test("of a token that its resource replaces while another process adopts it leaves it alone", async () => {
    await using it = await withLiveToken();
    const update = `127.0.0.1:${randomUUID()}`;
    const session = { ...sessionOf(it.client), adoptions: shareAdoptions(update) };
    const inputs = { ...live, resourceKey: "ours" };
    const state: ApiTokenState = { ...inputs, token: it.secret, baseUrl: it.service.url, adopted: true };
    apiToken.diff(it.id, state, inputs, planOf("extended", { ledger: session.ledger, adoptions: session.adoptions }));
    const elsewhere = { ...sessionOf(it.client), adoptions: shareAdoptions(update) };
    await apiToken.create(elsewhere, { ...live, resourceKey: "theirs", adopt: { id: it.id } });
    await apiToken.create(session, inputs);
    await apiToken.delete(session, it.id, state);
    expect(it.service.tokens.list().map((token) => token.id)).toContain(it.id);
    expect(session.warnings).toEqual([expect.stringContaining("it is left alone")]);
  });

  test("of a token that its resource keeps, since its replacement was refused, still leaves it alone", async () => {
    await using it = await withLiveToken();
    const session = sessionOf(it.client);
    const inputs = { ...live, resourceKey: "ours" };
    const state: ApiTokenState = { ...inputs, token: it.secret, baseUrl: it.service.url };
    apiToken.diff(it.id, state, inputs, planOf("extended", { ledger: session.ledger }));
    await expect(apiToken.create(session, { ...inputs, name: "" })).rejects.toThrow();
    await apiToken.delete(session, it.id, { ...state, resourceKey: "another" });
    expect(it.service.tokens.list()).toHaveLength(1);
  });

  test("of an adopted token whose successor took its place in this update revokes it", async () => {
    await using it = await withLiveToken();
    const adopted = await apiToken.create(sessionOf(it.client), { ...live, adopt: { id: it.id } });
    const session = sessionOf(it.client);
    const plan = planOf("extended", { ledger: session.ledger });
    const changed = { ...live, description: "other" };
    expect(apiToken.diff(it.id, adopted.state, changed, plan).replaces).toEqual(["description"]);
    await apiToken.create(session, changed);
    await apiToken.delete(session, it.id, adopted.state);
    expect(it.service.tokens.list()).toMatchObject([{ description: "other" }]);
  });
});

describe("two resources that want one token", () => {
  const a = { ...live, resourceKey: "a", adopt: { id: "t1" } };

  test("fail at preview if both adopt it by its id", () => {
    const plan = planOf("extended", { ledger: new Ledger() });
    expect(apiToken.check({}, a, plan).failures).toEqual([]);
    // The engine checks a resource that is replaced twice.
    expect(apiToken.check({}, a, plan).failures).toEqual([]);
    expect(apiToken.check({}, { ...a, resourceKey: "b" }, plan).failures).toEqual([
      { property: "adopt.id", reason: "names a token that another resource manages: only one of them can" },
    ]);
  });

  test("fail if one of them manages it already, whichever is looked at first", () => {
    const state: ApiTokenState = { ...live, resourceKey: "a", token: "xaat-1" };
    const managing = { ...live, resourceKey: "a" };
    const first = planOf("extended", { ledger: new Ledger() });
    apiToken.diff("t1", state, managing, first);
    expect(apiToken.check({}, { ...a, resourceKey: "b" }, first).failures).toHaveLength(1);
    const second = planOf("extended", { ledger: new Ledger() });
    apiToken.check({}, { ...a, resourceKey: "b" }, second);
    expect(() => apiToken.diff("t1", state, managing, second)).toThrow("is managed by another resource");
  });

  test("fail at the second adoption by name", async () => {
    await using it = await withLiveToken();
    const session = sessionOf(it.client);
    const byName = { ...live, adopt: { name: live.name } };
    await apiToken.create(session, { ...byName, resourceKey: "a" });
    await expect(apiToken.create(session, { ...byName, resourceKey: "b" })).rejects.toThrow(
      "is not adopted: another resource of this update manages it",
    );
  });
});
