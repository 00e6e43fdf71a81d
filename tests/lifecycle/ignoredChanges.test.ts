import { describe, expect, test } from "@jest/globals";
import type { Bag } from "../../framework/lifecycle";
import { type Form, secret } from "../../framework/testing";
import type { ResourceName } from "../../provider/eventDatasets";
import { samples } from "../support/samples";
import { begin, declarer, token, type World } from "../support/story";

// With the option `ignoreChanges` the engine copies earlier inputs, as `check` left them, into those that it has checked next.

/** Further declarations, with secrets among them. */
const declarations: Readonly<Partial<Record<ResourceName, readonly Bag[]>>> = {
  ApiToken: [
    { orgCapabilities: { apiTokens: ["read"] } },
    { name: "chosen", expiresAt: "2099-01-01T00:00:00Z" },
    { name: secret("hidden"), description: secret("hidden"), expiresIn: secret("90d") },
    { expiresIn: "90d", rotation: { rotateBefore: secret("14d") } },
    { name: "theirs", adopt: {} },
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

/** A stack on a service with a dataset, and a token that an adoption finds. */
async function beginWith(form: Form, declared: Bag) {
  const world = await begin("extended", { form });
  if (declared.apl !== undefined) await world.service.ingest("web", [{ x: 1 }]);
  if (declared.adopt === undefined) return { world, args: declared };
  const { id } = await world.client.tokens.create({ name: String(declared.name) });
  return { world, args: { ...declared, adopt: { id } } };
}

const unchanged = { changes: false, replaces: [] };
const inputsOf = ({ stack }: World, name = "ci"): Bag => stack.find(name)?.inputs ?? {};

describe.each<Form>(["dynamic", "native"])("in the %s form", (form) => {
  // In the dynamic form a class makes the hints of a DeploymentAnnotation.
  const rows = all.filter(({ type }) => form === "native" || type !== "DeploymentAnnotation");

  test.each(rows)('$type: with "*" nothing changes, nor when it is removed: $declared', async ({ type, declared }) => {
    const { world, args } = await beginWith(form, declared);
    await using _ = world;
    const declare = (options = {}) => world.up({ frozen: declarer(type, args)({}, options) });
    await declare();
    const first = inputsOf(world, "frozen");
    for (const _ of ["second", "third"]) {
      expect((await declare({ ignoreChanges: ["*"] })).found.frozen).toEqual(unchanged);
      expect(inputsOf(world, "frozen")).toEqual(first);
    }
    const changing = madeAnew(type, declared);
    if (changing.length < 2) expect((await declare()).found.frozen).toEqual(unchanged);
    else await declare();
    expect(without(inputsOf(world, "frozen"), changing)).toEqual(without(first, changing));
  });

  test('a token keeps its generated name with ["name"], and when that is removed', async () => {
    await using world = await begin("extended", { form });
    const id = await world.declare();
    const { name } = inputsOf(world);
    for (const ignoreChanges of [["name"], []]) {
      expect(await world.declare({}, { ignoreChanges })).toBe(id);
      expect(inputsOf(world)).toMatchObject({ name });
      expect(inputsOf(world)).not.toHaveProperty("chosenName");
    }
  });

  test.each<{ first: Bag; next: Bag; copied: string }>([
    { first: { description: secret("hidden") }, next: { description: "shown" }, copied: "description" },
    { first: { name: secret("hidden") }, next: { name: "shown", retire: secret("revoke") }, copied: "name" },
    { first: { rotation: secret({ triggers: { by: "hidden" } }) }, next: {}, copied: "rotation" },
  ])(
    "a secret that is ignored stays one, whatever the program declares by now: %j",
    async ({ first, next, copied }) => {
      await using world = await begin("extended", { form });
      await world.declare(first);
      const olds = inputsOf(world);
      await world.declare(next, { ignoreChanges: [copied] });
      expect(inputsOf(world)[copied]).toEqual(olds[copied]);
      if (form === "native")
        expect(inputsOf(world).secretInputs).toEqual(expect.arrayContaining(olds.secretInputs as string[]));
      expect(world.stack.told.join()).not.toContain("hidden");
      await world.declare({ name: "other" });
      expect(inputsOf(world)).not.toHaveProperty("secretInputs");
    },
  );
});

test.each([{ key: "other" }, { chosenName: true }])(
  "an input that only the provider makes, and that is not the one of before, is refused: %j",
  async (mistaken) => {
    await using world = await begin("extended", { form: "native" });
    await world.declare();
    await expect(world.preview({ ci: token(mistaken) })).rejects.toThrow(`${Object.keys(mistaken)} is not known`);
  },
);
