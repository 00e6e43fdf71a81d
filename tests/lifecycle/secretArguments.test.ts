import { describe, expect, test } from "@jest/globals";
import { argumentsOf, namesWhere } from "../../framework/definition";
import { Hooks } from "../../framework/hooks";
import type { Bag, Tell } from "../../framework/lifecycle";
import { split } from "../../framework/record";
import type { Hosted } from "../../provider/account/connection";
import { hostedAnnotation } from "../../provider/annotation/lifecycle";
import { hostedApiToken } from "../../provider/apiToken/lifecycle";
import { hostedDeploymentAnnotation } from "../../provider/deploymentAnnotation/lifecycle";
import type { ResourceName } from "../../provider/nouns";
import { hostedQueryGate } from "../../provider/queryGate/lifecycle";
import { startTemporaryEmulator } from "../support/deployment";
import { startHost } from "./hooks";

// The rule "if any argument is secret", through every hook of every resource: tests/e2e/promises/secretArguments.test.ts has its
// first update on the engine; here the live object is edited by hand, and replaced.

const mark = "cnry-51c7a0e9d3";
const instant = "2091-02-03T04:05:06Z";
const marks = /cnry|2091-02-03|age1ql3z7hj|918273645/;
const recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

interface Sample {
  readonly hosted: Hosted;
  readonly declared: Bag;
  /** A later declaration, which replaces the object where the resource can be replaced. */
  readonly later: Bag;
  /** By argument, a value that can be told from all others. */
  readonly secrets: Bag;
  /** Arguments whose values are known words, lengths and flags. */
  readonly words: readonly string[];
}

const samples: Readonly<Record<ResourceName, Sample>> = {
  ApiToken: {
    hosted: hostedApiToken,
    declared: { expiresAt: "2090-01-01T00:00:00Z", retire: "expire" },
    later: { orgCapabilities: { users: ["create"] } },
    secrets: {
      name: mark,
      description: mark,
      expiresAt: instant,
      rotation: { triggers: { [mark]: mark } },
      adopt: { name: `${mark}-adopted` },
      datasetCapabilities: { [mark]: { query: ["read"] } },
      viewCapabilities: { [mark]: { query: ["read"] } },
      sealFor: recipient,
    },
    words: ["expiresIn", "orgCapabilities", "retire"],
  },
  Annotation: {
    hosted: hostedAnnotation,
    declared: { datasets: ["web"], type: "deploy" },
    later: { triggers: { by: 2 } },
    secrets: {
      datasets: [mark],
      title: mark,
      description: mark,
      type: mark,
      time: instant,
      endTime: instant,
      url: `https://x.example/${mark}`,
      triggers: { [mark]: mark },
    },
    words: ["retain"],
  },
  DeploymentAnnotation: {
    hosted: hostedDeploymentAnnotation,
    declared: { datasets: ["web"], commit: "0a1b2c3d" },
    later: { title: "later" },
    secrets: { datasets: [mark], title: mark, description: mark, type: mark, url: `https://x.example/${mark}` },
    words: ["commit", "per", "required"],
  },
  QueryGate: {
    hosted: hostedQueryGate,
    declared: { apl: "['web'] | count", startTime: "now-5m", endTime: "now", expect: { max: 9 }, triggers: { a: 1 } },
    later: { triggers: { a: 2 } },
    secrets: { apl: `['web'] | where x != "${mark}" | count`, expect: { max: 918273645 }, triggers: { [mark]: mark } },
    words: ["startTime", "endTime", "every", "for", "settle", "noData", "warnings"],
  },
};

/** Runs every hook of two updates, with an edit by hand between them; gives back the states, and all that a user saw. */
async function live({ hosted, declared, later }: Sample, name: string, value: unknown) {
  await using service = await startTemporaryEmulator({ profile: "extended", rootToken: "xaat-root" });
  await service.ingest("web", [{ x: 1 }]);
  await service.tokens.add([{ name: `${mark}-adopted`, expiresAt: "2090-01-01T00:00:00Z" }]);
  const told: string[] = [];
  const tell: Tell = { warn: async (line) => void told.push(line), inform: async (line) => void told.push(line) };
  const start = () => new Hooks(hosted, startHost({ baseUrl: service.url, profile: "extended", tell }));
  const check = async (hooks: ReturnType<typeof start>, args: Bag, olds?: Bag) => {
    const given = { ...args, key: "one", secretInputs: [name] };
    const completed = (await hosted.complete?.(given, { project: "web", stack: "dev", ...tell })) ?? given;
    const { inputs, reasons } = await hooks.check(olds, completed, tell);
    expect(reasons).toEqual([]);
    return inputs;
  };
  const first = start();
  const args = { ...declared, [name]: value };
  const inputs = await check(first, args);
  const { id, state } = await first.create(inputs, tell);
  for (const objects of [service.tokens, service.annotations])
    for (const { id } of objects.list()) await objects.change(id, { description: "by hand" });
  const read = await start().read(id, state, tell);
  const drifted = read?.state ?? state;

  const second = start();
  const next = { ...args, ...(later[name] === undefined ? later : {}), ...(name === "adopt" ? declared : {}) };
  const news = await check(second, next, inputs);
  const { replaces } = await second.diff(id, drifted, news, tell);
  const made =
    replaces.length > 0 ? await second.create(news, tell) : { id, state: await second.update(id, drifted, news, tell) };
  if (replaces.length > 0) await second.delete(id, drifted, tell);
  await start().delete(made.id, made.state, tell);
  return { states: [state, drifted, made.state] as Bag[], told: told.join("\n") };
}

describe.each(Object.entries(samples))("%s", (_, sample) => {
  const { definition } = sample.hosted;

  test("every argument has a value or is of known words", () => {
    expect([...Object.keys(sample.secrets), ...sample.words].sort()).toEqual(argumentsOf(definition).sort());
  });

  test.each(Object.entries(sample.secrets))("a secret %s shows in no state and no message", async (name, value) => {
    const { states, told } = await live(sample, name, value);
    expect(JSON.stringify(states)).toMatch(marks);
    expect(told).not.toMatch(marks);
    for (const state of states) {
      const { values, secrets } = split(definition, state);
      const open = Object.fromEntries(Object.entries(values).filter(([key]) => !secrets.includes(key)));
      expect(JSON.stringify(open)).not.toMatch(marks);
      // Nothing of an argument shows in an output, unless the definition says so.
      const outputs = namesWhere(definition, ({ kind, derives, secret }) => kind === "output" && !derives && !secret);
      expect(outputs.filter((output) => secrets.includes(output))).toEqual([]);
    }
  });
});
