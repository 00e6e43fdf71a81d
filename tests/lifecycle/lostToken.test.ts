import { expect, test } from "@jest/globals";
import { isPartialCreate } from "../../framework/lifecycle";
import type { ApiTokenInputs } from "../../provider/apiToken/definition";
import { apiToken } from "../../provider/apiToken/lifecycle";
import { connect } from "../support/client";
import { type Behaviour, hangUp, json, type ScriptedService, startService } from "../support/service";
import { type NotedSession, sessionOf } from "../support/session";

const capabilities = { orgCapabilities: { users: ["read"] } };
const made = { name: "ci-0a1b2c3", key: "ci", ...capabilities };
const chosen = { name: "ci", chosenName: true as const, key: "ci" };
const respondWithList = (...tokens: { id: string; name: string }[]): Behaviour => json(200, tokens);
const other = { id: "t9", name: "other" };

async function create(service: ScriptedService, inputs: ApiTokenInputs) {
  await using client = connect(service.url);
  const session = sessionOf(client);
  const error = await apiToken.create(session, inputs).then(
    () => {
      throw new Error("the create succeeded");
    },
    (e: Error) => e,
  );
  return { error, session };
}

test("a token that the list shows only a little later is found by listing again", async () => {
  await using service = await startService(
    json(504, {}),
    respondWithList(other),
    respondWithList(other, { id: "t1", name: made.name }),
  );
  const { error, session } = await create(service, made);
  expect(error).toMatchObject({ id: "t1" });
  expect(session.waits).toEqual([2000]);
});

test("a response with an id but no secret is tracked if the live token has the requested name; otherwise the error names the id", async () => {
  const answer = json(200, { id: "t1", name: "ci" });
  await using service = await startService(answer, json(200, { id: "t1", name: "ci" }));
  const { error } = await create(service, chosen);
  expect(error).toMatchObject({ name: "PartialCreate", id: "t1", state: { record: { lost: true } } });
  await using other = await startService(answer, json(200, { id: "t1", name: "x" }), json(200, []));
  const { error: unproven } = await create(other, chosen);
  expect(isPartialCreate(unproven)).toBe(false);
  expect(unproven.message).toContain("The response named the id t1.");
});

test("a name that the user chose proves nothing: its bearers are listed, none is tracked", async () => {
  await using service = await startService(hangUp, respondWithList({ id: "t1", name: "ci" }, { id: "t2", name: "ci" }));
  const { error } = await create(service, chosen);
  expect(isPartialCreate(error)).toBe(false);
  expect(error.message).toContain("may exist");
  expect(error.message).toContain("t1, t2");
});

test("a token that is not found may exist all the same, and the message says what to do", async () => {
  await using service = await startService(hangUp, respondWithList(other));
  const { error } = await create(service, made);
  expect(isPartialCreate(error)).toBe(false);
  expect(error.message).toMatch(/may exist.*not sent again.*list of tokens does not show it.*Revoke it/);
  expect(service.calls).toEqual(["POST /v2/tokens", "GET /v2/tokens", "GET /v2/tokens"]);
});

test("a list that cannot be had is said, and the create stays unrepeated", async () => {
  await using service = await startService(hangUp, json(403, { message: "no" }));
  const { error } = await create(service, made);
  expect(error.message).toMatch(/may exist.*could not be listed.*403/);
  expect(service.calls.filter((call) => call === "POST /v2/tokens")).toHaveLength(1);
});

test.each<[string, (session: NotedSession, cancel: AbortController) => void]>([
  ["a minute", (session) => session.pass(60_000)],
  ["the user cancels", (_, cancel) => cancel.abort()],
])("the search ends after %s, also while the service is silent", async (_, end) => {
  const cancel = new AbortController();
  await using service = await startService(hangUp, () => end(session, cancel));
  await using client = connect(service.url);
  const session = { ...sessionOf(client), cancelled: cancel.signal };
  await expect(apiToken.create(session, made)).rejects.toThrow(/may exist.*could not be listed/);
  expect(service.calls).toEqual(["POST /v2/tokens", "GET /v2/tokens"]);
});
