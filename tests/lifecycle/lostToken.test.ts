import { expect, test } from "@jest/globals";
import { withMark } from "../../framework/incomplete";
import { isPartialCreate, type PartialCreate } from "../../framework/lifecycle";
import type { ApiTokenInputs, ApiTokenState } from "../../provider/nouns/apiToken/definition";
import { apiToken } from "../../provider/nouns/apiToken/lifecycle";
import { type Behaviour, hangUp, json, startService } from "../support/service";
import { beginScript, planOf, startHost, tellNobody } from "../support/session";
import { hooksOf } from "./tokenWorld";

const capabilities = { orgCapabilities: { users: ["read"] } };
const made = { name: "ci-0a1b2c3", key: "ci", ...capabilities };
const chosen = { name: "ci", chosenName: true as const, key: "ci" };
const respondWithList = (...tokens: { id: string; name: string }[]): Behaviour => json(200, tokens);
const other = { id: "t9", name: "other" };

/** The failure of a create on a service that responds as listed. */
async function failToCreate(inputs: ApiTokenInputs, ...behaviours: readonly Behaviour[]) {
  await using it = await beginScript("documented", ...behaviours);
  const error = await apiToken.create(it.session, inputs).catch((e: Error) => e);
  if (!(error instanceof Error)) throw new Error("the create succeeded");
  return { error, waits: it.session.waits, calls: it.service.calls };
}

test("a token that the list shows only later is found by listing again, for up to a minute", async () => {
  const found = respondWithList(other, { id: "t1", name: made.name });
  const early = Array.from({ length: 5 }, () => respondWithList(other));
  const { error, waits } = await failToCreate(made, json(504, {}), ...early, found);
  expect(error).toMatchObject({ id: "t1" });
  expect(waits).toEqual([2000, 4000, 8000, 16_000, 25_000]);
  // The next update replaces it.
  const { state } = withMark(error, {}) as PartialCreate & { readonly state: ApiTokenState };
  expect(apiToken.diff("t1", state, made, planOf()).replaces).toEqual(["token"]);
});

test("a response with an id but no secret is tracked if the live token has the requested name; otherwise the error names the id", async () => {
  const answer = json(200, { id: "t1", name: "ci" });
  const { error } = await failToCreate(chosen, answer, answer);
  expect(error).toMatchObject({ name: "PartialCreate", id: "t1" });
  const renamed = json(200, { id: "t1", name: "x" });
  const { error: unproven } = await failToCreate(chosen, answer, renamed, json(200, []));
  expect(isPartialCreate(unproven)).toBe(false);
  expect(unproven.message).toContain("The response named the id t1.");
});

test("a name that the user chose proves nothing: its bearers are listed, none is tracked", async () => {
  const bearers = respondWithList({ id: "t1", name: "ci" }, { id: "t2", name: "ci" });
  const { error } = await failToCreate(chosen, hangUp, bearers);
  expect(isPartialCreate(error)).toBe(false);
  expect(error.message).toContain("may exist");
  expect(error.message).toContain("t1, t2");
});

test("of many tokens of a chosen name the error names ten", async () => {
  const bearers = respondWithList(...Array.from({ length: 3_333 }, (_, n) => ({ id: `t${n}`, name: "ci" })));
  const { error } = await failToCreate(chosen, hangUp, bearers);
  expect(error.message).toContain("Tokens of that name: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9 and 3323 more.");
});

test("a token that is not found may exist all the same, and the message says what to do", async () => {
  const { error, calls } = await failToCreate(made, hangUp, respondWithList(other));
  expect(isPartialCreate(error)).toBe(false);
  expect(error.message).toMatch(/may exist.*not sent again.*list of tokens does not show it.*Revoke it/);
  expect(calls).toEqual(["POST /v2/tokens", ...Array.from({ length: 6 }, () => "GET /v2/tokens")]);
});

test("a list that cannot be had is said, and the create stays unrepeated", async () => {
  const { error, calls } = await failToCreate(made, hangUp, json(403, { message: "no" }));
  expect(error.message).toMatch(/may exist.*could not be listed.*403/);
  expect(calls.filter((call) => call === "POST /v2/tokens")).toHaveLength(1);
});

test("the search ends after a minute, also while the service is silent", async () => {
  await using it = await beginScript("documented", hangUp, () => it.session.pass(60_000));
  await expect(apiToken.create(it.session, made)).rejects.toThrow(/may exist.*could not be listed/);
  expect(it.service.calls).toEqual(["POST /v2/tokens", "GET /v2/tokens"]);
});

test.each([
  [[other], /may exist.*list of tokens does not show it/],
  [[other, { id: "t1", name: made.name }], /was created with id t1/],
])("once the user has cancelled, the search looks once: %j", async (live, expected) => {
  await using service = await startService(hangUp, respondWithList(...live));
  const host = startHost({ baseUrl: service.url });
  host.cancel();
  await expect(hooksOf(host, tellNobody).create(made)).rejects.toThrow(expected);
  expect(service.calls).toEqual(["POST /v2/tokens", "GET /v2/tokens"]);
});
