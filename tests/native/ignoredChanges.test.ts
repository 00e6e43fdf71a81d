import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { secret } from "../../framework/testing";
import type { ResourceName } from "../../provider/eventDatasets";
import { samples } from "../support/samples";
import { type Plugin, startConfigured, urnOf } from "./plugin";

// With the option `ignoreChanges` the engine copies earlier inputs, as `check` left them, into those that it has checked next.

type Bag = Readonly<Record<string, unknown>>;

/** Further declarations, with secrets among them. */
const declarations: Readonly<Partial<Record<ResourceName, readonly Bag[]>>> = {
  ApiToken: [
    { orgCapabilities: { apiTokens: ["read"] } },
    { name: "chosen", expiresAt: "2099-01-01T00:00:00Z" },
    { name: secret("hidden"), description: secret("hidden"), expiresIn: secret("90d") },
    { expiresIn: "90d", rotation: { rotateBefore: secret("14d") } },
    { name: "theirs", adopt: { id: "t1" } },
  ],
  Annotation: [{ datasets: ["web"], type: "deploy", title: secret("hidden"), triggers: { build: 1 } }],
  DeploymentAnnotation: [
    { datasets: ["web"], commit: "0a1b2c3d4e5f", title: secret("hidden") },
    { datasets: ["web"], commit: "0a1b2c3d4e5f", per: "run" },
    { datasets: ["web"], commit: secret("0a1b2c3d4e5f"), per: "run" },
  ],
  QueryGate: [{ ...samples.QueryGate.declared, apl: secret("['web'] | count") }],
};

const all = (Object.keys(samples) as ResourceName[]).flatMap((type) =>
  [samples[type].declared, ...(declarations[type] ?? [])].map((declared) => ({ type, declared })),
);

/** Inputs that the program of the resource makes anew in each run. */
const madeAnew = (type: ResourceName, { per }: Bag): readonly string[] =>
  type === "DeploymentAnnotation" ? ["startedAt", ...(per === "run" ? ["trigger", "title", "description"] : [])] : [];

const without = (bag: Bag, names: readonly string[]): Bag =>
  Object.fromEntries(Object.entries(bag).filter(([name]) => !names.includes(name)));

let plugin: Plugin;
beforeAll(async () => {
  plugin = await startConfigured({ baseUrl: "http://127.0.0.1:1" });
});
afterAll(async () => plugin[Symbol.asyncDispose]());

test.each(all)('$type: with "*" nothing changes, nor when it is removed: $declared', async ({ type, declared }) => {
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
  expect(released.reasons).toEqual([]);
  const changing = madeAnew(type, declared);
  expect(without(released.inputs, changing)).toEqual(without(first.inputs, changing));
});

const urn = urnOf("ci");

test('a token keeps its generated name with ["name"], and when that is removed', async () => {
  const { inputs: olds } = await plugin.check(urn, {}, { seed: "first" });
  const frozen = await plugin.check(urn, { name: olds.name }, { olds, seed: "second" });
  const released = await plugin.check(urn, {}, { olds: frozen.inputs, seed: "third" });
  for (const { inputs, reasons } of [frozen, released]) {
    expect(reasons).toEqual([]);
    expect(inputs.name).toEqual(olds.name);
    expect(inputs).not.toHaveProperty("chosenName");
  }
});

test.each<{ first: Bag; next: Bag; copied: string }>([
  { first: { description: secret("hidden") }, next: { description: "shown" }, copied: "description" },
  { first: { name: secret("hidden") }, next: { name: "shown", description: secret("new") }, copied: "name" },
  { first: { rotation: secret({ triggers: { by: "x" } }) }, next: {}, copied: "rotation" },
])("a secret that is ignored stays one, whatever the program declares by now: %j", async ({ first, next, copied }) => {
  const { inputs: olds } = await plugin.check(urn, first);
  const { inputs, reasons } = await plugin.check(urn, { ...next, [copied]: olds[copied] }, { olds });
  expect(reasons).toEqual([]);
  expect(inputs[copied]).toEqual(olds[copied]);
  expect(inputs.secretInputs).toEqual(expect.arrayContaining(olds.secretInputs as string[]));
  expect(JSON.stringify(plugin.told)).not.toContain("hidden");
  const changed = await plugin.check(urn, { name: "other" }, { olds: inputs });
  expect(changed.inputs).not.toHaveProperty("secretInputs");
});

test("an input that only the provider makes, and that is not the one of before, is refused", async () => {
  const { inputs: olds } = await plugin.check(urn, {});
  for (const mistaken of [{ key: "other" }, { chosenName: true }]) {
    const { reasons } = await plugin.check(urn, mistaken, { olds });
    expect(reasons).toEqual([expect.stringContaining(`${Object.keys(mistaken)} is not known`)]);
  }
});
