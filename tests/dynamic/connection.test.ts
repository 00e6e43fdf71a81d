import { inspect } from "node:util";
import { credentials } from "@grpc/grpc-js";
import { expect, test } from "@jest/globals";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { dynamicForm } from "../../framework/dynamic/adapter";
import { EngineLog } from "../../framework/engineLog";
import { Hooks } from "../../framework/hooks";
import { secret } from "../../framework/testing";
import { hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import { startHost } from "../support/host";
import { hangUp, json, startService } from "../support/service";

/** Nothing listens there: every line fails. */
const deaf = new EngineLog(() => new EngineClient("127.0.0.1:1", credentials.createInsecure())).about("");

/** Hooks of tokens in a process whose engine takes no lines. */
const startHooks = (settings = {}) => new Hooks(hostedApiToken, startHost(settings, deaf));

test.each([
  ["of the process", undefined],
  ["of the resource", deaf],
])(
  "a token whose warning does not reach the engine is recorded all the same, with its secret (%s)",
  async (_, tell) => {
    const minted = { id: "t1", name: "ci", token: "xaat-1", description: "not what was asked for" };
    await using service = await startService(json(200, minted));
    const { id, state } = await startHooks({ baseUrl: service.url }).create({ key: "ci", name: "ci" }, tell);
    expect([id, state.token]).toEqual(["t1", "xaat-1"]);
    expect(service.calls).toEqual(["POST /v2/tokens"]);
  },
);

test("a note of a plan that does not reach the engine is no failure of the plan", async () => {
  const hooks = startHooks();
  const { inputs, reasons } = await hooks.check(undefined, { key: "ci", name: "ci", adopt: { id: "not-told" } }, deaf);
  expect(reasons).toEqual([]);
  const { adopt: _, ...renewed } = { ...inputs, description: "new" } as typeof inputs;
  const record = { baseUrl: "http://127.0.0.1:1" };
  const state = { key: "ci", name: "ci", chosenName: true, token: "xaat-1", record };
  const { replaces } = await hooks.diff("t1", () => state, renewed, deaf);
  expect(replaces).toEqual(["description"]);
});

test("a response that is lost leaves a token that the engine keeps, with its secrets marked and not printed", async () => {
  const declared = { name: "ci-1234567", description: "of nobody" };
  await using service = await startService(hangUp, json(200, [{ id: "t7", ...declared }]));
  const provider = dynamicForm(hostedApiToken, startHost({ baseUrl: service.url }, deaf));
  const inputs = { ...declared, key: "ci", secretInputs: ["description"], __provider: "stored" };
  const failure = await provider.create(inputs).catch((failure: unknown) => failure);
  const incomplete = expect.stringContaining("its secret never arrived");
  const properties = { description: secret(declared.description), incomplete, __provider: "stored" };
  expect(failure).toMatchObject({ id: "t7", properties });
  expect(inspect(failure)).not.toContain(declared.description);
});
