import { afterAll, beforeAll, expect, test } from "@jest/globals";
import schema from "../../schema.json";
import { json, type ScriptedService, startService } from "../support/service";
import { type Plugin, secret, startPlugin, urnOf } from "./plugin";

// With the option `ignoreChanges` the engine copies earlier inputs, as `check` left them, into those that it has checked next.

let service: ScriptedService;
let plugin: Plugin;

beforeAll(async () => {
  service = await startService(json(500, {}));
  plugin = await startPlugin();
  await plugin.configure({ baseUrl: service.url, accessToken: "xaat-root", profile: "extended" });
});

afterAll(async () => {
  await plugin[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const range = { startTime: "now-1h", endTime: "now" };

/** Declarations of every kind, with secrets among them. */
const declarations: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  ApiToken: [
    { orgCapabilities: { apiTokens: ["read"] } },
    { name: "chosen", expiresAt: "2099-01-01T00:00:00Z" },
    { name: secret("hidden"), description: secret("hidden"), expiresIn: secret("90d") },
    { rotation: { expireAfter: "90d", rotateBefore: secret("14d") } },
    { adopt: { name: "theirs" } },
  ],
  Annotation: [{ datasets: ["web"], type: "deploy", title: secret("hidden"), triggers: { build: 1 } }],
  DeploymentAnnotation: [
    { datasets: ["web"], commit: "0a1b2c3d4e5f" },
    { datasets: ["web"], commit: secret("0a1b2c3d4e5f"), per: "run" },
  ],
  QueryGate: [{ apl: secret("['web'] | count"), ...range, expect: { max: 5 }, triggers: { image: "1" } }],
};

const all = Object.keys(schema.resources).flatMap((token) => {
  const type = token.slice(token.lastIndexOf(":") + 1);
  return (declarations[type] ?? [undefined]).map((declared) => ({ type, declared }));
});

test.each(all)('$type: with "*" nothing changes, nor when it is removed: $declared', async ({ type, declared }) => {
  if (!declared) throw new Error(`${type} needs a declaration here`);
  const urn = urnOf("frozen", type);
  const first = await plugin.check(urn, declared, { seed: "first" });
  expect(first.reasons).toEqual([]);
  let olds = first.inputs;
  for (const seed of ["second", "third"]) {
    const frozen = await plugin.check(urn, olds, { olds, seed });
    expect(frozen).toEqual({ inputs: first.inputs, reasons: [] });
    olds = frozen.inputs;
  }
  const released = await plugin.check(urn, declared, { olds, seed: "fourth" });
  const { startedAt: _, ...inputs } = first.inputs;
  if (type !== "DeploymentAnnotation" || declared.per !== "run") expect(released.inputs).toMatchObject(inputs);
  expect(released.reasons).toEqual([]);
});

test.each([{}, { name: secret("hidden"), adopt: { name: secret("hidden") } }])(
  'a token keeps its name with ["name"], and when that is removed: %j',
  async ({ name: _, ...declared }: Readonly<Record<string, unknown>>) => {
    const urn = urnOf("named");
    const first = await plugin.check(urn, declared, { seed: "first" });
    const { name } = first.inputs;
    const frozen = await plugin.check(urn, { name }, { olds: first.inputs, seed: "second" });
    const { inputs } = await plugin.check(urn, {}, { olds: frozen.inputs, seed: "third" });
    expect([frozen.inputs.name, inputs.name]).toEqual([name, name]);
    expect([frozen.inputs.secretInputs, inputs.secretInputs]).toEqual(Array(2).fill(first.inputs.secretInputs));
  },
);

test("a made input that is not the one of before is still refused", async () => {
  const urn = urnOf("mistaken");
  const { inputs } = await plugin.check(urn, {});
  const { reasons } = await plugin.check(urn, { autoName: "other" }, { olds: inputs });
  expect(reasons).toEqual([expect.stringContaining("autoName is not known")]);
});
