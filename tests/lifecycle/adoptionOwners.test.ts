import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { Update } from "../../framework/update";
import { type ApiTokenInputs, type ApiTokenState, apiToken } from "../../provider/apiToken/lifecycle";
import type { Origin } from "../../provider/apiToken/model";
import { live as liveFields, withLiveToken } from "../support/liveToken";
import { planOf, sessionOf } from "../support/session";

/** As a program declares it, after `check`. */
const live = { ...liveFields, key: "legacy", chosenName: true } as const;

type Held = Awaited<ReturnType<typeof withLiveToken>>;

/** The live token as a stack has recorded it. */
const recordOf = (it: Held, inputs: ApiTokenInputs, origin: Origin = "created"): ApiTokenState => ({
  ...inputs,
  token: it.secret,
  record: { baseUrl: it.service.url, origin },
});

describe("a deletion", () => {
  test("of a token that another resource adopted in the same update leaves it alone", async () => {
    await using it = await withLiveToken();
    const session = sessionOf(it.client);
    await apiToken.create(session, { ...live, adopt: { id: it.id } });
    await apiToken.delete(session, it.id, recordOf(it, { ...live, key: "before" }));
    expect(it.service.tokens.list()).toHaveLength(1);
    expect(session.warnings).toEqual([
      expect.stringContaining("is managed by another resource of this update: it is left alone"),
    ]);
  });

  test("of an adopted token in another process leaves it alone, unless retire asks for its revocation", async () => {
    await using it = await withLiveToken();
    const { state } = await apiToken.create(sessionOf(it.client), { ...live, adopt: { id: it.id } });
    // It stays adopted when adopt is removed.
    const { adopt: _, ...afterwards } = state;
    for (const recorded of [state, afterwards]) {
      const session = sessionOf(it.client);
      await apiToken.delete(session, it.id, recorded);
      expect(session.warnings).toEqual([
        expect.stringMatching(
          /stays valid until 2030-01-01T00:00:00Z: it was adopted, not created here, and only retire/,
        ),
      ]);
    }
    expect(it.service.tokens.list()).toHaveLength(1);
    await apiToken.delete(sessionOf(it.client), it.id, { ...state, retire: "revoke" });
    expect(it.service.tokens.list()).toHaveLength(0);
  });

  test("of a token that another process adopted in an update that was killed leaves it alone in the next one", async () => {
    await using it = await withLiveToken();
    const made = recordOf(it, { ...live, key: "before" });
    const adopted = await apiToken.create(sessionOf(it.client), { ...live, adopt: { id: it.id } });
    // Killed here: what made the token is still in the state, to be deleted by the next update, in another process of it.
    const update = `127.0.0.1:${randomUUID()}`;
    const plan = planOf("extended", { update: new Update(update) });
    expect(apiToken.diff(it.id, adopted.state, { ...live, adopt: { id: it.id } }, plan).changes).toBe(false);
    const session = { ...sessionOf(it.client), update: new Update(update) };
    await apiToken.delete(session, it.id, made);
    expect(it.service.tokens.list()).toHaveLength(1);
    expect(session.warnings).toEqual([expect.stringContaining("it is left alone")]);
  });

  test("of a token that another process of the update imported leaves it alone", async () => {
    await using it = await withLiveToken();
    const imported = await apiToken.read(sessionOf(it.client), it.id, {});
    if (!imported?.inputs) throw new Error("not found");
    expect(imported.state.record.origin).toBe("adopted");
    const update = `127.0.0.1:${randomUUID()}`;
    const plan = planOf("extended", { update: new Update(update) });
    expect(apiToken.diff(it.id, imported.state, { ...imported.inputs, key: "ours" }, plan).changes).toBe(false);
    const session = { ...sessionOf(it.client), update: new Update(update) };
    await apiToken.delete(session, it.id, recordOf(it, live));
    await apiToken.delete(sessionOf(it.client), it.id, imported.state);
    expect(it.service.tokens.list()).toHaveLength(1);
  });

  test.each([
    { whose: "made here", origin: "created" },
    { whose: "adopted", origin: "adopted" },
  ] as const)(
    "of a token $whose that the engine replaces though its comparison said otherwise revokes it",
    async ({ origin }) => {
      await using it = await withLiveToken();
      const session = sessionOf(it.client);
      const inputs = { ...live, key: "ours" };
      const news = { ...inputs, retire: "revoke" } as const;
      const state = recordOf(it, inputs, origin);
      // replaceOnChanges: the comparison says "in place", and the engine makes a replacement of it.
      const plan = planOf("extended", { update: session.update });
      expect(apiToken.diff(it.id, state, news, plan)).toMatchObject({ changes: true, replaces: [] });
      const successor = await apiToken.create(session, news);
      expect(successor.state.record.predecessors).toMatchObject([{ id: it.id }]);
      await apiToken.delete(session, it.id, state);
      expect(it.service.tokens.list().map((token) => token.id)).toEqual([successor.id]);
      expect(session.warnings).toEqual([]);
    },
  );

  test("of a token that the engine deletes before it replaces it, though its comparison said otherwise, revokes it", async () => {
    await using it = await withLiveToken();
    const session = sessionOf(it.client);
    const inputs = { ...live, name: "ours", key: "ours" };
    const made = await apiToken.create(sessionOf(it.client), inputs);
    const plan = planOf("extended", { update: session.update });
    apiToken.diff(made.id, made.state, { ...inputs, retire: "revoke" }, plan);
    // Of another creation: not what the comparison was of.
    await apiToken.delete(session, made.id, { ...made.state, createdAt: "2026-01-01T00:00:00Z" });
    // The same record under another name, as it is when someone renamed the resource in the state by hand.
    await apiToken.delete(session, made.id, { ...made.state, key: "before" });
    expect(session.warnings).toHaveLength(2);
    expect(it.service.tokens.list()).toHaveLength(2);
    await apiToken.delete(session, made.id, made.state);
    expect(it.service.tokens.list().map((token) => token.id)).toEqual([it.id]);
    const { state } = await apiToken.create(session, inputs);
    expect(state.record.predecessors).toMatchObject([{ id: made.id }]);
  });

  test("of a token that its resource replaces while another process adopts it leaves it alone", async () => {
    await using it = await withLiveToken();
    const update = `127.0.0.1:${randomUUID()}`;
    const session = { ...sessionOf(it.client), update: new Update(update) };
    const inputs = { ...live, key: "ours" };
    const state = recordOf(it, inputs, "adopted");
    apiToken.diff(it.id, state, inputs, planOf("extended", { update: session.update }));
    const elsewhere = { ...sessionOf(it.client), update: new Update(update) };
    await apiToken.create(elsewhere, { ...live, key: "theirs", adopt: { id: it.id } });
    await apiToken.create(session, inputs);
    await apiToken.delete(session, it.id, state);
    expect(it.service.tokens.list().map((token) => token.id)).toContain(it.id);
    expect(session.warnings).toEqual([expect.stringContaining("it is left alone")]);
  });

  test("of a token that its resource keeps, since its replacement was refused, still leaves it alone", async () => {
    await using it = await withLiveToken();
    const session = sessionOf(it.client);
    const inputs = { ...live, key: "ours" };
    const state = recordOf(it, inputs);
    apiToken.diff(it.id, state, inputs, planOf("extended", { update: session.update }));
    await expect(apiToken.create(session, { ...inputs, name: "" })).rejects.toThrow();
    await apiToken.delete(session, it.id, { ...state, key: "another" });
    expect(it.service.tokens.list()).toHaveLength(1);
  });

  test("of an adopted token before its successor is created leaves it alone; the create then revokes it", async () => {
    await using it = await withLiveToken();
    const session = sessionOf(it.client);
    const state = recordOf(it, live, "adopted");
    const changed = { ...live, description: "other" };
    // deleteBeforeReplace
    const plan = planOf("extended", { update: session.update });
    expect(apiToken.diff(it.id, state, changed, plan).replaces).toEqual(["description"]);
    await apiToken.delete(session, it.id, state);
    await expect(apiToken.create(session, { ...changed, name: "" })).rejects.toThrow();
    expect(it.service.tokens.list().map((token) => token.id)).toEqual([it.id]);
    const { id } = await apiToken.create(session, changed);
    expect(it.service.tokens.list().map((token) => token.id)).toEqual([id]);
    expect(session.progress).toEqual([expect.stringContaining("was replaced and is revoked now")]);
  });

  test("that an earlier update left pending is finished, although the next replacement fails", async () => {
    await using it = await withLiveToken();
    const changed = { ...live, description: "other" };
    const first = sessionOf(it.client);
    const old = recordOf(it, live, "adopted");
    apiToken.diff(it.id, old, changed, planOf("extended", { update: first.update }));
    const successor = await apiToken.create(first, changed);
    // The process ends here.
    const session = sessionOf(it.client);
    const next = { ...live, description: "third" };
    const plan = planOf("extended", { update: session.update });
    expect(apiToken.diff(successor.id, successor.state, next, plan).replaces).toEqual(["description"]);
    await expect(apiToken.create(session, { ...next, name: "" })).rejects.toThrow();
    await apiToken.delete(session, it.id, old);
    expect(it.service.tokens.list().map((token) => token.id)).toEqual([successor.id]);
  });

  test("of a token that another resource failed to replace leaves it alone", async () => {
    await using it = await withLiveToken();
    for (const origins of [
      ["adopted", "created"],
      ["created", "adopted"],
    ] as const) {
      const session = sessionOf(it.client);
      const state = recordOf(it, { ...live, key: "ours" }, origins[0]);
      const changed = { ...live, key: "ours", description: "other", retire: "revoke" } as const;
      const plan = planOf("extended", { update: session.update });
      expect(apiToken.diff(it.id, state, changed, plan).replaces).toEqual(["description"]);
      await expect(apiToken.create(session, { ...changed, name: "" })).rejects.toThrow();
      await apiToken.delete(session, it.id, recordOf(it, { ...live, key: "theirs" }, origins[1]));
      expect(session.warnings).toEqual([expect.stringContaining("it is left alone")]);
    }
    expect(it.service.tokens.list()).toHaveLength(1);
  });

  test("of an adopted token whose successor took its place in this update revokes it", async () => {
    await using it = await withLiveToken();
    const adopted = await apiToken.create(sessionOf(it.client), { ...live, adopt: { id: it.id } });
    const session = sessionOf(it.client);
    const plan = planOf("extended", { update: session.update });
    const changed = { ...live, description: "other" };
    expect(apiToken.diff(it.id, adopted.state, changed, plan).replaces).toEqual(["description"]);
    await apiToken.create(session, changed);
    await apiToken.delete(session, it.id, adopted.state);
    expect(it.service.tokens.list()).toMatchObject([{ description: "other" }]);
  });
});

describe("two resources that want one token", () => {
  const a = { ...live, key: "a", adopt: { id: "t1" } };

  test("fail at preview if both adopt it by its id", () => {
    const plan = planOf("extended");
    expect(apiToken.check({}, a, plan).failures).toEqual([]);
    // The engine checks a resource that is replaced twice.
    expect(apiToken.check({}, a, plan).failures).toEqual([]);
    expect(apiToken.check({}, { ...a, key: "b" }, plan).failures).toEqual([
      { property: "adopt.id", reason: "names a token that another resource manages: only one of them can" },
    ]);
  });

  test("fail if one of them manages it already, whichever is looked at first", () => {
    const state: ApiTokenState = { ...live, key: "a", token: "xaat-1", record: { origin: "created" } };
    const managing = { ...live, key: "a" };
    const first = planOf("extended");
    apiToken.diff("t1", state, managing, first);
    expect(apiToken.check({}, { ...a, key: "b" }, first).failures).toHaveLength(1);
    const second = planOf("extended");
    apiToken.check({}, { ...a, key: "b" }, second);
    expect(() => apiToken.diff("t1", state, managing, second)).toThrow("is managed by another resource");
  });

  test("fail at the second adoption by name", async () => {
    await using it = await withLiveToken();
    const session = sessionOf(it.client);
    const byName = { ...live, adopt: { name: live.name } };
    await apiToken.create(session, { ...byName, key: "a" });
    await expect(apiToken.create(session, { ...byName, key: "b" })).rejects.toThrow(
      "is not adopted: another resource of this update manages it",
    );
  });
});
