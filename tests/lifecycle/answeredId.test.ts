import { describe, expect, test } from "@jest/globals";
import { Hooks } from "../../framework/hooks";
import { Host } from "../../framework/host";
import { type ApiTokenInputs, type ApiTokenState, apiToken, hostedApiToken } from "../../provider/apiToken/lifecycle";
import { connect } from "../support/client";
import { type Behaviour, hangUp, json, startService } from "../support/service";
import { type NotedSession, planOf, sessionOf } from "../support/session";

// An answer without a secret can name any object: a proxy may answer from its cache, a service with what it has.

const made: ApiTokenInputs = { name: "ci-0a1b2c3", key: "ci" };
const chosen: ApiTokenInputs = { name: "prod-ingest", chosenName: true, key: "ingest" };
const own = { id: "t1", name: made.name };
const other = { id: "t7", name: "prod-ingest" };
const gone = json(404, { message: "not found" });
const confirmRevocation: Behaviour = (response) => void response.writeHead(204).end();
const listed = (...tokens: object[]): Behaviour => json(200, tokens);
const minted = json(200, { ...own, id: "t9", token: "xaat-second" });

async function create(inputs: ApiTokenInputs, ...behaviours: Behaviour[]) {
  await using service = await startService(...behaviours);
  await using client = connect(service.url, { profile: "extended" });
  const outcome = await apiToken.create(sessionOf(client), inputs).catch((e: Error) => e);
  return { outcome, calls: service.calls };
}

const deletions = (calls: readonly string[]) => calls.filter((call) => call.startsWith("DELETE"));
const creations = (calls: readonly string[]) => calls.filter((call) => call.startsWith("POST"));

describe("an id that came without a secret", () => {
  test("is not revoked where the user chose the name: it may be the token that bears it already", async () => {
    const { outcome, calls } = await create(chosen, json(200, other));
    expect(outcome).toMatchObject({ name: "PartialCreate", id: "t7", state: { record: { origin: "alleged" } } });
    expect(calls).toEqual(["POST /v2/tokens"]);
  });

  test("is revoked only if it bears the generated name", async () => {
    const { outcome, calls } = await create(
      made,
      json(200, own),
      json(200, own),
      confirmRevocation,
      gone,
      listed(),
      minted,
    );
    expect(outcome).toMatchObject({ id: "t9", state: { token: "xaat-second" } });
    expect(deletions(calls)).toEqual(["DELETE /v2/tokens/t1"]);
  });

  test("is of no account where it bears another name: the token of the generated one is looked for", async () => {
    const { outcome, calls } = await create(
      made,
      json(200, other),
      json(200, other),
      listed(other, own),
      confirmRevocation,
      gone,
      listed(other),
      minted,
    );
    expect(outcome).toMatchObject({ id: "t9" });
    expect(deletions(calls)).toEqual(["DELETE /v2/tokens/t1"]);

    const missing = await create(made, json(200, other), json(200, other), listed(other));
    expect((missing.outcome as Error).message).toContain("may exist all the same");
    expect(missing.outcome).not.toHaveProperty("id");
    expect(deletions(missing.calls)).toEqual([]);
  });

  test("is tracked as alleged where nothing shows it, and nothing is made again: that it is not there undoes nothing", async () => {
    const { outcome, calls } = await create(made, json(202, { id: "job-1" }), gone, listed());
    const state = { name: made.name, record: { origin: "alleged" } };
    expect(outcome).toMatchObject({ name: "PartialCreate", id: "job-1", state });
    expect(creations(calls)).toHaveLength(1);
    expect(deletions(calls)).toEqual([]);
  });
});

test("a create is made again only if no token of its name is left", async () => {
  const twin = { ...own, id: "t2" };
  const { outcome, calls } = await create(made, hangUp, listed(own), confirmRevocation, gone, listed(twin));
  expect((outcome as Error).message).toContain("the service has more tokens of its name: t2");
  expect(creations(calls)).toHaveLength(1);
});

test("a list that still shows what was undone finds nothing again", async () => {
  const stale = listed(own);
  const { outcome, calls } = await create(made, hangUp, listed(own), confirmRevocation, gone, listed(), hangUp, stale);
  expect((outcome as Error).message).toContain("may exist all the same");
  expect(creations(calls)).toHaveLength(2);
  expect(deletions(calls)).toEqual(["DELETE /v2/tokens/t1"]);
});

describe("the deletion of a token that only an answer without a secret named", () => {
  async function retire(inputs: ApiTokenInputs, ...behaviours: Behaviour[]) {
    await using service = await startService(...behaviours);
    await using client = connect(service.url, { profile: "extended" });
    const session = sessionOf(client);
    const state: ApiTokenState = { ...inputs, record: { ...session.account.see(), origin: "alleged" } };
    await apiToken.delete(session, "t1", state);
    return { calls: service.calls, warnings: session.warnings };
  }

  test("revokes one that bears the generated name, also where another update does it", async () => {
    const { calls, warnings } = await retire(made, json(200, own), confirmRevocation);
    expect(calls).toEqual(["GET /v2/tokens/t1", "DELETE /v2/tokens/t1"]);
    expect(warnings).toEqual([]);
  });

  test("forgets one that is gone", async () => {
    const { calls, warnings } = await retire(made, gone, gone, listed());
    expect(calls).toEqual(["GET /v2/tokens/t1", "DELETE /v2/tokens/t1", "GET /v2/tokens"]);
    expect(warnings).toEqual([]);
  });

  test.each([
    ["of another name", made, [json(200, { ...other, id: "t1" })]],
    ["of a chosen name", chosen, []],
  ] as const)("leaves one %s alone and says so", async (_, inputs, behaviours) => {
    const { calls, warnings } = await retire(inputs, ...behaviours);
    expect(deletions(calls)).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("nothing proves that it was created here. Revoke it")]);
  });
});

describe("what a lost create advises to revoke", () => {
  const inUse = { ...other, description: "before" };
  const inputs = chosen;

  /** A create that takes the place of the token that bears the name already. */
  async function replace(...behaviours: Behaviour[]) {
    const replaced = { ...inUse, id: "t5" };
    await using service = await startService(listed(replaced), ...behaviours);
    await using client = connect(service.url, { profile: "extended" });
    const session = sessionOf(client);
    const { id: _, ...fields } = inUse;
    const predecessors = [{ id: replaced.id, fate: "revoke", origin: "created" }] as const;
    const record = { ...session.account.see(), origin: "created", predecessors } as const;
    const state: ApiTokenState = { ...fields, ...inputs, token: "xaat-in-use", record };
    const plan = planOf("extended", { update: session.update });
    expect(apiToken.diff(inUse.id, state, { ...inputs, description: "after" }, plan).replaces).toEqual(["description"]);
    const outcome = await apiToken.create(session, inputs).catch((e: Error) => e);
    // The first call asks for the token that was replaced before.
    return { outcome: outcome as Error, calls: service.calls.slice(1) };
  }

  test.each<[string, Behaviour]>([
    ["no answer", hangUp],
    ["an answer that names it", json(200, { id: inUse.id, name: inUse.name })],
  ])("is never the token that is in use, nor what that replaced: %s", async (_, answer) => {
    const { outcome, calls } = await replace(answer, listed(inUse, { ...inUse, id: "t5" }));
    expect(outcome.message).toContain("may exist all the same");
    expect(outcome.message).toContain("The list of tokens does not show it");
    expect(outcome.message).not.toContain("Tokens of that name");
    expect(outcome).not.toHaveProperty("id");
    // It was looked for again: what bears the name was not it.
    expect(calls).toEqual(["POST /v2/tokens", "GET /v2/tokens", "GET /v2/tokens"]);
  });

  test("is the token that came with it, once it is there", async () => {
    const { outcome } = await replace(hangUp, listed(inUse), listed(inUse, { ...inUse, id: "t8" }));
    expect(outcome.message).toContain("Tokens of that name: t8. Other stacks and people can have tokens of a name");
    expect(outcome.message).toContain("revoke one only if no stack declares it");
  });

  test("leaves out what other resources of the update manage", async () => {
    await using service = await startService(hangUp, listed(inUse, { ...inUse, id: "t8" }));
    await using client = connect(service.url);
    const session = sessionOf(client);
    session.update.claim("t8", "another");
    const outcome = await apiToken.create(session, inputs).catch((e: Error) => e);
    expect((outcome as Error).message).toContain("Tokens of that name: t7. Other");
  });

  test("names the token of the response, which has another name", async () => {
    const { outcome } = await create(
      made,
      json(200, { id: "t3", name: "CI-0A1B2C3" }),
      json(200, { id: "t3", name: "x" }),
    );
    expect((outcome as Error).message).toContain("the response named t3, which is probably another token");
  });
});

describe("a create that the engine asks for again in the same update", () => {
  /** The hooks of a process, as the engine calls them. */
  const hooksOf = (session: NotedSession) => {
    const connection = {
      problems: () => [],
      planning: () => planOf("documented", { update: session.update }),
      service: () => session,
      run: <T>(hook: () => Promise<T>) => hook(),
    };
    return new Hooks(hostedApiToken, new Host(() => connection, session, session.update));
  };

  test.each<[string, ApiTokenInputs, Behaviour[], object]>([
    ["is tracked as before", made, [hangUp, listed(own)], { name: "PartialCreate", id: "t1" }],
    ["may exist as before", chosen, [hangUp, listed()], { message: expect.stringContaining("may exist all the same") }],
  ])("%s, and is not sent again", async (_, inputs, behaviours, expected) => {
    await using service = await startService(...behaviours);
    await using client = connect(service.url);
    const hooks = hooksOf(sessionOf(client));
    const first = await hooks.create({ ...inputs }).catch((e: Error) => e);
    expect(first).toMatchObject(expected);
    expect(await hooks.create({ ...inputs }).catch((e: Error) => e)).toBe(first);
    expect(creations(service.calls)).toHaveLength(1);
  });

  test("is sent again where the first was refused", async () => {
    await using service = await startService(json(400, { message: "no" }), minted);
    await using client = connect(service.url);
    const hooks = hooksOf(sessionOf(client));
    await expect(hooks.create({ ...made })).rejects.toThrow("no");
    expect(await hooks.create({ ...made })).toMatchObject({ id: "t9" });
  });
});
