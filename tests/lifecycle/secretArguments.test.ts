import { beforeAll, describe, expect, test } from "@jest/globals";
import { namesWhere } from "../../framework/definition";
import { isMarkedSecret } from "../../framework/engineValues";
import type { Bag } from "../../framework/lifecycle";
import { type Form, secret } from "../../framework/testing";
import { eventDatasets, type ResourceName } from "../../provider/eventDatasets";
import type { Hosted } from "../../provider/shared/account/connection";
import { startTemporaryEmulator } from "../support/deployment";
import { marks, sampleArguments, samples } from "../support/samples";
import { answering } from "../support/service";
import { begin, beginScript, declarer, Story } from "../support/story";
import { openForTests } from "../support/suite";

// The rule "if any argument is secret", through every hook of every resource: tests/e2e/promises/secretArguments.test.ts has its
// first update on the engine; here the live object is edited by hand, and replaced.

const live = { name: "adopted", expiresAt: "2090-01-01T00:00:00Z" };
const mark = "cnry-51c7a0e9d3";

/** The properties that are not secret. */
const plainOf = (bag: Bag = {}): Bag =>
  Object.fromEntries(Object.entries(bag).filter(([, one]) => !isMarkedSecret(one)));

const service = openForTests(() => startTemporaryEmulator({ profile: "extended" }));
beforeAll(() => service.ingest("web", [{ x: 1 }]));

/** Runs every hook in two updates, with an edit by hand between them; gives back all states. */
async function run(form: Form, type: ResourceName, argument: string, value: unknown) {
  const { url: baseUrl, rootToken: accessToken } = service;
  const story = new Story({ baseUrl, accessToken, profile: "extended" }, { form });
  const { stack } = story;
  const { declared, later } = samples[type];
  // A chosen name, of which there can be one.
  const named = (args: Bag): Bag =>
    args.name === undefined ? args : { ...args, name: `${args.name}-${form}-${argument}` };
  const { expiresAt, ...others } = named(declared);
  const lifetime = argument === "expiresIn" || expiresAt === undefined ? {} : { expiresAt };
  const declare = declarer(type, { ...others, ...lifetime, [argument]: secret(value) });
  await story.up({ one: declare() });
  const id = story.id("one");
  const states = [stack.find("one")?.outputs];
  const end = service.tokens.list().find((one) => one.id === id)?.expiresAt ?? "has none";
  for (const objects of [service.tokens, service.annotations])
    if (objects.list().some((one) => one.id === id)) await objects.change(id, { description: "by hand" });
  await story.refresh();
  states.push(stack.find("one")?.outputs);
  await story.up({ one: declare(later[argument] === undefined ? named(later) : {}) });
  states.push(stack.find("one")?.outputs);
  await story.destroy();
  return { states, told: stack.told.join("\n"), end: String(end).slice(0, 16) };
}

// In the dynamic form a class makes the hints of a DeploymentAnnotation.
const rows = (["dynamic", "native"] as const).flatMap((form) =>
  Object.entries<Hosted>(eventDatasets.resources)
    .filter(([type]) => form === "native" || type !== "DeploymentAnnotation")
    .flatMap(([type, hosted]) => {
      // `adopt` has a test of its own. A name that is the id is never secret.
      const { adopt: _, name, ...others } = sampleArguments(hosted);
      const isId = samples[type as ResourceName].declared.name !== undefined;
      const all = Object.entries({ ...others, ...(!isId && name !== undefined && { name }) });
      return all.map(([argument, value]) => [form, type as ResourceName, argument, { hosted, value }] as const);
    }),
);

test.each(rows)(
  "in the %s form, %s: a secret %s shows in no state and no message",
  async (form, type, argument, row) => {
    const { states, told, end } = await run(form, type, argument, row.value);
    const { definition } = row.hosted;
    expect(told).not.toMatch(marks);
    expect(told).not.toContain(end);
    for (const outputs of states) {
      const open = plainOf(outputs);
      expect(JSON.stringify(open)).not.toMatch(marks);
      expect(JSON.stringify(open)).not.toContain(end);
      // A value that can derive from an argument is hidden by the definition, not by its value.
      expect(namesWhere(definition, ({ derives }) => derives === true).filter((name) => name in open)).toEqual([]);
      const { plain: members = [] } = definition.properties.record ?? {};
      expect(Object.keys(open.record ?? {}).filter((member) => !members.includes(member))).toEqual([]);
      const plain = namesWhere(definition, ({ kind, derives, secret }) => kind === "output" && !derives && !secret);
      expect(plain.filter((name) => name in (outputs ?? {}) && !(name in open))).toEqual([]);
    }
  },
);

describe.each<Form>(["dynamic", "native"])("in the %s form", (form) => {
  const find = (story: Story) => {
    const { inputs = {}, outputs = {} } = story.stack.find("ci") ?? {};
    return { inputs, outputs };
  };

  test("adopt.token is always secret, adopt.id never is, and neither hides anything else", async () => {
    await using world = await begin("extended", { form });
    const { id } = await world.client.tokens.create(live);
    await world.declare({ ...live, adopt: { id: secret(id), token: mark } });
    const { inputs, outputs } = find(world);
    expect([inputs.secretInputs, isMarkedSecret(inputs.adopt)]).toEqual([undefined, form === "native"]);
    expect(outputs).toMatchObject({ ...live, token: secret(mark) });
    expect(JSON.stringify({ ...plainOf(outputs), adopt: 0 })).not.toContain(mark);
    const whole = secret({ id, token: mark });
    await world.declare({ ...live, adopt: whole });
    expect(find(world).inputs).toMatchObject({ adopt: whole, secretInputs: ["adopt"] });
  });

  test("an expiry in plain text stays so in the inputs beside a secret, also when it is read", async () => {
    const { expiresAt } = live;
    const shown = { id: "t1", name: "ci", description: "hidden", expiresAt };
    const answers = { "POST /v2/tokens": { ...shown, token: "xaat-1" }, "GET /v2/tokens": [shown] };
    await using story = await beginScript("documented", answering(answers));
    const declared = { expiresAt, description: secret("hidden") };
    await story.declare(declared);
    expect(find(story).inputs).toMatchObject(declared);
    expect(find(story).outputs.expiresAt).toEqual(secret(expiresAt)); // the service may have derived it from any argument
    await story.refresh();
    expect(find(story).inputs).toMatchObject(declared);
    // Once a secret, it is in plain text again as soon as the program says so.
    await story.declare({ ...declared, expiresAt: secret(expiresAt) });
    expect(find(story).inputs.expiresAt).toEqual(secret(expiresAt));
    await story.declare(declared);
    expect(find(story).inputs).toMatchObject(declared);
  });

  test("states that differ in secrets alone have the same plain part: no hash tells a secret", async () => {
    // The service gives other values than declared, which the state has to remember.
    const given = { id: "t1", name: "ci", description: "other", expiresAt: "2040-01-01T00:00:00Z", token: "xaat-1" };
    const plainPart = async (description: string, expiresAt: string) => {
      await using story = await beginScript(
        "documented",
        answering({ "POST /v2/tokens": given, "GET /v2/tokens": [] }),
      );
      await story.declare({ name: "ci", description: secret(description), expiresAt: secret(expiresAt) });
      const { key: _, ...open } = plainOf(find(story).outputs);
      return open;
    };
    const one = await plainPart("first", "2031-01-01T00:00:00Z");
    expect(one).not.toHaveProperty("secretRecord");
    expect(await plainPart("second", "2032-02-02T00:00:00Z")).toEqual(one);
  });
});

test("a secret that check keeps stays one, where the program declares another value in plain text", async () => {
  await using world = await begin("documented", { form: "native" });
  const declare = declarer("DeploymentAnnotation", { datasets: ["web"], commit: "0a1b2c3d4e5f" });
  await world.up({ kept: declare({ title: secret(mark) }) });
  await world.up({ kept: declare({ title: "shown" }) });
  // The deployment was annotated, so its annotation keeps the title that it has.
  expect(world.stack.find("kept")?.inputs).toMatchObject({ title: secret(mark), commit: "0a1b2c3d4e5f" });
});
