import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { namesWhere } from "../../framework/definition";
import { isMarkedSecret } from "../../framework/engineValues";
import { secret } from "../../framework/testing";
import { eventDatasets, type ResourceName } from "../../provider/eventDatasets";
import type { Hosted } from "../../provider/shared/account/connection";
import { startTemporaryEmulator } from "../support/deployment";
import { marks, sampleArguments, samples } from "../support/samples";
import { json, startService } from "../support/service";
import { type Plugin, startConfigured, urnOf } from "./plugin";

// The rule "if any argument is secret", through every hook of every resource: tests/e2e/promises/secretArguments.test.ts has its
// first update on the engine; here the live object is edited by hand, and replaced.

type Bag = Readonly<Record<string, unknown>>;

const live = { name: "adopted", expiresAt: "2090-01-01T00:00:00Z" };
const mark = "cnry-51c7a0e9d3";

describe.each(Object.entries<Hosted>(eventDatasets.resources))("%s", (type, hosted) => {
  const { definition } = hosted;
  const { declared, later } = samples[type as ResourceName];
  // `adopt` has a test of its own. A name that is the id is never secret.
  const { adopt: _, ...others } = sampleArguments(hosted);
  const { name: __, ...nameless } = others;
  const all = declared.name === undefined ? others : nameless;
  let service: Awaited<ReturnType<typeof startTemporaryEmulator>>;
  let plugin: Plugin;

  beforeAll(async () => {
    service = await startTemporaryEmulator({ profile: "extended" });
    await service.ingest("web", [{ x: 1 }]);
    const { url: baseUrl, rootToken: accessToken } = service;
    plugin = await startConfigured({ baseUrl, accessToken });
  });
  afterAll(async () => {
    await plugin[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  const check = async (urn: string, args: Bag, more: { readonly olds?: Bag; readonly seed?: string } = {}) => {
    const { inputs, reasons } = await plugin.check(urn, args, more);
    expect(reasons).toEqual([]);
    return inputs;
  };

  /** Runs every hook of two updates, with an edit by hand between them; gives back all outputs, and all that a user saw. */
  async function run(argument: string, value: unknown) {
    const urn = urnOf(argument, type);
    const before = plugin.told.length;
    const { expiresAt, ...others } = named(declared, argument);
    const lifetime = argument === "expiresIn" || expiresAt === undefined ? {} : { expiresAt };
    const args = { ...others, ...lifetime, [argument]: secret(value) };
    const inputs = await check(urn, args);
    const made = await plugin.create(urn, inputs);
    const end = service.tokens.list().find(({ id }) => id === made.id)?.expiresAt ?? "has none";
    for (const objects of [service.tokens, service.annotations])
      if (objects.list().some(({ id }) => id === made.id)) await objects.change(made.id, { description: "by hand" });
    const read = await plugin.read(urn, made.id, made.outputs, inputs);

    const next = { ...args, ...(later[argument] === undefined ? named(later, argument) : {}) };
    const news = await check(urn, next, { olds: read.inputs });
    const { replaces } = await plugin.diff(urn, made.id, read.outputs, news);
    const isReplaced = replaces.length > 0;
    const last = isReplaced
      ? await plugin.create(urn, await check(urn, next, { seed: "another" }))
      : { id: made.id, outputs: (await plugin.update(urn, made.id, read.outputs, news)) as Bag };
    if (isReplaced) await plugin.delete(urn, made.id, read.outputs);
    await plugin.delete(urn, last.id, last.outputs);
    const told = plugin.told.slice(before).map(({ message }) => message);
    return {
      outputs: [made.outputs, read.outputs, last.outputs],
      told: told.join("\n"),
      end: String(end).slice(0, 16),
    };
  }

  /** A chosen name, of which there can be one. */
  const named = (args: Bag, argument: string): Bag =>
    args.name === undefined ? args : { ...args, name: `${args.name}-${argument}` };

  test.each(Object.entries(all))("a secret %s shows in no state and no message", async (argument, value) => {
    const { outputs: states, told, end } = await run(argument, value);
    expect(told).not.toMatch(marks);
    expect(told).not.toContain(end);
    for (const outputs of states) {
      const open = Object.fromEntries(Object.entries(outputs).filter(([, output]) => !isMarkedSecret(output)));
      expect(JSON.stringify(open)).not.toMatch(marks);
      expect(JSON.stringify(open)).not.toContain(end);
      // A value that can derive from an argument is hidden by the definition, not by its value.
      expect(namesWhere(definition, ({ derives }) => derives === true).filter((name) => name in open)).toEqual([]);
      const { plain: members = [] } = definition.properties.record ?? {};
      expect(Object.keys(open.record ?? {}).filter((member) => !members.includes(member))).toEqual([]);
      const plain = namesWhere(definition, ({ kind, derives, secret }) => kind === "output" && !derives && !secret);
      expect(plain.filter((name) => name in outputs && !(name in open))).toEqual([]);
    }
  });
});

test("adopt.token is always secret, adopt.id never is, and neither hides anything else", async () => {
  await using service = await startTemporaryEmulator({ profile: "extended" });
  const [token] = await service.tokens.add([live]);
  await using plugin = await startConfigured({ baseUrl: service.url, accessToken: service.rootToken });
  const whole = secret({ id: token?.id, token: mark });
  expect(await plugin.check(urnOf("one"), { ...live, adopt: whole })).toMatchObject({
    reasons: [],
    inputs: { adopt: whole, secretInputs: ["adopt"] },
  });
  const adopt = { id: secret(token?.id), token: mark };
  const { inputs, reasons } = await plugin.check(urnOf("one"), { ...live, adopt });
  expect([reasons, inputs.secretInputs, isMarkedSecret(inputs.adopt)]).toEqual([[], undefined, true]);
  const { outputs } = await plugin.create(urnOf("one"), inputs);
  expect(outputs).toMatchObject({ ...live, token: secret(mark) });
  expect(JSON.stringify({ ...outputs, token: 0 })).not.toContain(mark);
});

test("an expiry in plain text stays so in the inputs beside a secret, also when it is read", async () => {
  const expiresAt = "2090-01-01T00:00:00Z";
  const declared = { expiresAt, description: secret("hidden") };
  const written = { id: "t1", name: "ci", description: "hidden", expiresAt, token: "xaat-1" };
  await using service = await startService(json(200, written));
  await using plugin = await startConfigured({ baseUrl: service.url });
  const { inputs } = await plugin.check(urnOf("ci"), declared);
  expect(inputs).toMatchObject(declared);
  const { id, outputs } = await plugin.create(urnOf("ci"), inputs);
  expect(outputs.expiresAt).toEqual(secret(expiresAt)); // the service may have derived it from any argument
  const read = await plugin.read(urnOf("ci"), id, outputs, inputs);
  expect(read.inputs).toMatchObject(declared);
  // Once a secret, it is in plain text again as soon as the program says so.
  const { inputs: olds } = await plugin.check(urnOf("ci"), { ...declared, expiresAt: secret(expiresAt) });
  expect(olds.expiresAt).toEqual(secret(expiresAt));
  const released = await plugin.check(urnOf("ci"), declared, { olds });
  expect(released.inputs).toMatchObject(declared);
});

test("a secret that check keeps stays one, where the program declares another value in plain text", async () => {
  await using plugin = await startConfigured({ baseUrl: "http://127.0.0.1:1" });
  const urn = urnOf("kept", "DeploymentAnnotation");
  const declared = { datasets: ["web"], commit: "0a1b2c3d4e5f" };
  const { inputs: olds } = await plugin.check(urn, { ...declared, title: secret(mark) });
  const { inputs, reasons } = await plugin.check(urn, { ...declared, title: "shown" }, { olds });
  expect(reasons).toEqual([]);
  // The deployment was annotated, so its annotation keeps the title that it has.
  expect(inputs.title).toEqual(secret(mark));
  expect(inputs.commit).toBe("0a1b2c3d4e5f");
});

test("states that differ in secrets alone have the same plain part: no hash tells a secret", async () => {
  // The service gives other values than declared, which the state has to remember.
  const given = { id: "t1", name: "ci", description: "other", expiresAt: "2040-01-01T00:00:00Z", token: "xaat-1" };
  await using service = await startService(json(200, given));
  await using plugin = await startConfigured({ baseUrl: service.url });
  const plainPart = async (description: string, expiresAt: string) => {
    const declared = { name: "ci", description: secret(description), expiresAt: secret(expiresAt) };
    const { inputs } = await plugin.check(urnOf("ci"), declared);
    const { key: _, ...outputs } = (await plugin.create(urnOf("ci"), inputs)).outputs;
    return Object.fromEntries(Object.entries(outputs).filter(([, output]) => !isMarkedSecret(output)));
  };
  const one = await plainPart("first", "2031-01-01T00:00:00Z");
  expect(one).not.toHaveProperty("secretRecord");
  expect(await plainPart("second", "2032-02-02T00:00:00Z")).toEqual(one);
});
