import { expect, test } from "@jest/globals";
import { Hooks } from "../../framework/hooks";
import { type Form, secret } from "../../framework/testing";
import { hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import { startHost } from "../support/host";
import { type Behaviour, hangUp, json, startService } from "../support/service";
import { beginScript, beginScriptIn, token } from "../support/story";

const other = { id: "t9", name: "other" };
const chosen = { name: "ci" };

/** The responses to a create that is lost; those to lists and lookups get the name that it asked for. */
const failIn =
  (form: Form) =>
  async (args: object, ...behaviours: readonly ((name: string) => Behaviour)[]) => {
    let name = "";
    let sent = 0;
    const it = await beginScriptIn(form, "documented", (response, request, socket) => {
      if (request.call.startsWith("POST")) name = JSON.parse(request.body).name;
      const behaviour = behaviours[Math.min(sent++, behaviours.length - 1)] ?? (() => hangUp);
      return behaviour(name)(response, request, socket);
    });
    const { failures } = await it.run({ command: "up", program: { ci: token(args) } });
    return Object.assign(it, { error: failures.join("\n"), calls: it.service.calls, lost: it.stack.find("ci") });
  };
const failToCreate = failIn("dynamic");
const list =
  (...tokens: readonly ((name: string) => object)[]) =>
  (name: string) =>
    json(
      200,
      tokens.map((one) => one(name)),
    );
const own = (name: string) => ({ id: "t1", name });
const stranger = () => other;
const gone = () => hangUp;

test.each<Form>(["dynamic", "native"])(
  "a token that the list shows only later is found by listing again, for up to a minute, and kept with its secrets (%s)",
  async (form) => {
    const early = Array.from({ length: 5 }, () => list(stranger));
    const described = (name: string) => ({ ...own(name), description: "of nobody" });
    const description = secret("of nobody");
    await using it = await failIn(form)({ description }, () => json(504, {}), ...early, list(stranger, described));
    const outputs = { description, incomplete: expect.stringContaining("its secret never arrived") };
    expect(it.lost).toMatchObject({ id: "t1", outputs });
    expect(it.clock.waits).toEqual([2000, 4000, 8000, 16_000, 25_000]);
    expect(it.stack.told.join() + it.error).not.toContain("of nobody");
    // The next update replaces it.
    expect((await it.preview()).found.ci?.replaces).toContain("token");
  },
);

test("a response with an id but no secret is tracked if the live token has the requested name; otherwise the error names the id", async () => {
  const minted = (name: string) => json(200, { id: "t1", name });
  await using it = await failToCreate(chosen, minted, minted);
  expect(it.lost).toMatchObject({ id: "t1" });
  await using unproven = await failToCreate(chosen, minted, () => json(200, { id: "t1", name: "x" }), list());
  expect(unproven.lost).toBeUndefined();
  expect(unproven.error).toContain("The response named the id t1.");
});

test("a name that the user chose proves nothing: of its bearers ten are named, none is tracked", async () => {
  await using it = await failToCreate(
    chosen,
    gone,
    list(own, (name) => ({ id: "t2", name })),
  );
  expect(it.lost).toBeUndefined();
  expect(it.error).toMatch(/may exist.*t1, t2/);
  const many = Array.from({ length: 3_333 }, (_, n) => (name: string) => ({ id: `t${n}`, name }));
  await using crowd = await failToCreate(chosen, gone, list(...many));
  expect(crowd.error).toContain("Tokens of that name: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9 and 3323 more.");
});

test("a token that is not found may exist all the same, and the message says what to do", async () => {
  await using it = await failToCreate({}, gone, list(stranger));
  expect(it.lost).toBeUndefined();
  expect(it.error).toMatch(/may exist.*not sent again.*list of tokens does not contain this token.*Revoke it/);
  expect(it.calls).toEqual(["POST /v2/tokens", ...Array.from({ length: 6 }, () => "GET /v2/tokens")]);
});

test("a list that cannot be had is said, and the create stays unrepeated", async () => {
  await using it = await failToCreate({}, gone, () => json(403, { message: "no" }));
  expect(it.error).toMatch(/may exist.*could not be listed.*403/);
  expect(it.calls.filter((call) => call === "POST /v2/tokens")).toHaveLength(1);
});

test("the search ends after a minute, also while the service is silent", async () => {
  await using it = await beginScript("documented", hangUp, () => it.clock.pass(60_000));
  await expect(it.declare()).rejects.toThrow(/may exist.*could not be listed/);
  expect(it.service.calls).toEqual(["POST /v2/tokens", "GET /v2/tokens"]);
});

test.each([
  [[other], /may exist.*list of tokens does not contain this token/],
  [[other, { id: "t1", name: "ci-0a1b2c3" }], /was created with id t1/],
])("once the user has cancelled, the search looks once: %j", async (live, expected) => {
  await using service = await startService(hangUp, json(200, live));
  const host = startHost({ baseUrl: service.url });
  host.cancel();
  await expect(new Hooks(hostedApiToken, host).create({ name: "ci-0a1b2c3", key: "ci" })).rejects.toThrow(expected);
  expect(service.calls).toEqual(["POST /v2/tokens", "GET /v2/tokens"]);
});
