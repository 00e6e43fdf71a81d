import { describe, expect, test } from "@jest/globals";
import { split } from "../../framework/record";
import { apiTokenDefinition } from "../../provider/apiToken/definition";
import { type ApiTokenInputs, type ApiTokenState, apiToken } from "../../provider/apiToken/lifecycle";
import { connect } from "../support/client";
import { json, startService } from "../support/service";
import { planOf, sessionOf } from "../support/session";

const named = { name: "ci", key: "ci" };
const rotation = (expireAfter: string) => ({ expireAfter, rotateBefore: "1d" });
const ends = { in30Days: "2026-12-21T12:00:00Z", in90Days: "2027-02-19T12:00:00Z" };

const diff = (state: ApiTokenState, inputs: ApiTokenInputs) => apiToken.diff("t1", state, inputs, planOf());

/** A token for whose creation the service gave this expiry, and what each later list shows. */
async function createOne(inputs: ApiTokenInputs, given: string | undefined, ...shown: (string | undefined)[]) {
  const answer = (expiresAt: string | undefined) => ({ id: "t1", name: "ci", ...(expiresAt && { expiresAt }) });
  const lists = shown.map((end) => json(200, answer(end)));
  await using service = await startService(json(200, { ...answer(given), token: "xaat-1" }), ...lists);
  await using client = connect(service.url, { profile: "extended" });
  const session = sessionOf(client);
  let { state } = await apiToken.create(session, inputs);
  for (const _ of shown) {
    const found = await apiToken.read(sessionOf(client), "t1", state);
    if (found === undefined) throw new Error("the token is gone");
    state = found.state;
  }
  return state;
}

/** The state after updates in place to one program after the other. */
async function updateInPlace(state: ApiTokenState, ...programs: readonly ApiTokenInputs[]): Promise<ApiTokenState> {
  await using client = connect("http://127.0.0.1:1");
  let last = state;
  for (const inputs of programs) {
    expect(diff(last, inputs).replaces).toEqual([]);
    last = await apiToken.update(sessionOf(client), "t1", last, inputs);
  }
  return last;
}

describe("expiresIn is compared with the expiry that the token was requested with", () => {
  test("so a rotation that was added later, and gave it none, does not count", async () => {
    const made = await createOne(named, undefined);
    const state = await updateInPlace(made, { ...named, rotation: rotation("90d") });
    expect(diff(state, { ...named, expiresIn: "90d" }).replaces).toEqual(["expiresIn"]);
  });

  test("nor does a rotation that became shorter or longer", async () => {
    const made = await createOne({ ...named, rotation: rotation("90d") }, ends.in90Days);
    const state = await updateInPlace(made, { ...named, rotation: rotation("30d") });
    expect(diff(state, { ...named, expiresIn: "30d" }).replaces).toEqual(["expiresIn"]);
    expect(diff(state, { ...named, expiresIn: "90d" })).toMatchObject({ replaces: [] });
  });

  test.each([
    ["rounds it", "2027-02-20T00:00:00Z"],
    ["gives another one", ends.in30Days],
    ["gives none", undefined],
  ])("even of a service that %s", async (_, given) => {
    const made = await createOne({ ...named, expiresIn: "90d" }, given);
    expect(diff(made, { ...named, expiresIn: "90d" })).toMatchObject({ changes: false });
    expect(diff(made, { ...named, expiresIn: "2160h" })).toMatchObject({ replaces: [] });
    const state = await updateInPlace(made, { ...named, expiresIn: "90d", retire: "revoke" });
    expect(diff(state, { ...named, expiresIn: "90d", retire: "revoke" })).toMatchObject({ changes: false });
    expect(diff(state, { ...named, expiresIn: "30d" }).replaces).toEqual(["expiresIn"]);
  });

  test("and with the declared length of an adopted token, of which no creation is known", () => {
    const state: ApiTokenState = {
      ...named,
      expiresIn: "90d",
      expiresAt: ends.in30Days,
      record: { origin: "adopted" },
    };
    expect(diff(state, { ...named, expiresIn: "90d" }).changes).toBe(false);
    expect(diff(state, { ...named, expiresIn: "30d" }).replaces).toEqual(["expiresIn"]);
  });
});

describe("a refresh", () => {
  const inputs = { ...named, expiresIn: "90d" };

  test.each([
    ["lacked it", undefined],
    ["rounded it", "2027-02-20T00:00:00Z"],
  ])("that finds the requested expiry, although the response %s, finds no drift", async (_, given) => {
    const state = await createOne(inputs, given, ends.in90Days);
    expect(state.record.declared).toBeUndefined();
    expect(state.record.priorExpiresAt).toBeUndefined();
    expect(diff(state, inputs)).toEqual({ changes: false, replaces: [], notice: undefined });
  });

  test("that finds another one is drift, and the next that finds the given one is none", async () => {
    const moved = "2027-01-01T00:00:00Z";
    const drifted = await createOne(inputs, ends.in30Days, moved);
    expect(drifted.record).toMatchObject({ priorExpiresAt: ends.in30Days, declared: { expiresAt: ends.in90Days } });
    expect(diff(drifted, inputs).replaces).toEqual(["expiresAt"]);
    const back = await createOne(inputs, ends.in30Days, moved, ends.in30Days);
    const { expiresAt, record } = await createOne(inputs, ends.in30Days);
    expect({ ...back, record: { ...back.record, baseUrl: "" } }).toEqual({
      ...{ ...back, expiresAt },
      record: { ...record, baseUrl: "" },
    });
    expect(diff(back, inputs).changes).toBe(false);
  });
});

describe("an end that was secret", () => {
  const secret = (expireAfter: string) => ({
    ...{ ...named, rotation: rotation(expireAfter) },
    secretInputs: ["rotation", "rotation.expireAfter"],
  });

  const shownOf = (state: ApiTokenState) => {
    const { values, secrets } = split(apiTokenDefinition, { ...state });
    return Object.entries(values).filter(([key]) => !secrets.includes(key) && key !== "expiresAt");
  };

  test("leaves no trace in the record once the program is plain and says another one", async () => {
    const given = "2027-01-15T00:00:00Z";
    const made = await createOne(secret("90d"), given);
    expect(JSON.stringify(shownOf(made))).not.toMatch(/2027/);
    const state = await updateInPlace(made, { ...named, rotation: rotation("30d") });
    expect(JSON.stringify(shownOf(state))).not.toMatch(/2027-02-19/);
    const moved = { ...made, record: { ...made.record, priorExpiresAt: "2027-02-01T00:00:00Z" } };
    await using client = connect("http://127.0.0.1:1");
    const plain = await apiToken.update(sessionOf(client), "t1", moved, { ...named, expiresAt: given });
    expect(JSON.stringify(shownOf(plain))).not.toMatch(/2027-02/);
  });

  test("is kept in the record if the plain program says the same", async () => {
    const made = await createOne(secret("90d"), ends.in30Days);
    const state = await updateInPlace(made, { ...named, rotation: rotation("90d") });
    expect(state.record.declared).toEqual({ expiresAt: ends.in90Days });
  });
});

describe('retire: "expire"', () => {
  test("is refused for a token without an expiry in the update that declares it, with a rotation too", async () => {
    const state = await createOne(named, undefined);
    const inputs: ApiTokenInputs = { ...named, rotation: rotation("90d"), retire: "expire" };
    expect(() => diff(state, inputs)).toThrow(
      'API token "ci" (id t1): retire cannot be "expire", since this token has no expiry.',
    );
    expect(() => apiToken.diff("t1", state, inputs, planOf("documented"))).not.toThrow(/"revoke"/);
  });

  test("is refused while adopt is there, too", () => {
    const adopted = { ...named, adopt: { id: "t1" }, rotation: rotation("90d") };
    const state: ApiTokenState = { ...adopted, record: { origin: "adopted", baseUrl: "http://127.0.0.1:1" } };
    expect(() => diff(state, { ...adopted, retire: "expire" })).toThrow("since this token has no expiry");
  });
});
