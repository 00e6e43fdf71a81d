import { describe, expect, test } from "@jest/globals";
import { argumentsOf, mayReplace, namesWhere, type Property } from "../../framework/definition";
import type { Bag } from "../../framework/lifecycle";
import type { Hosted } from "../../provider/account/connection";
import { hostedAnnotation } from "../../provider/annotation/lifecycle";
import { hostedApiToken } from "../../provider/apiToken/lifecycle";
import { hostedDeploymentAnnotation } from "../../provider/deploymentAnnotation/lifecycle";
import type { ResourceName } from "../../provider/nouns";
import { hostedQueryGate } from "../../provider/queryGate/lifecycle";
import { profiles } from "../../sdk/operations";
import { sampleArguments } from "../support/samples";
import { planOf } from "../support/session";

// The common behaviour of all resources. A new one has a row here, or this does not compile.

/** A resource with arguments, and the other values that an update declares, where those are not made from the shape. */
interface Sample {
  readonly hosted: Hosted;
  readonly declared: Bag;
  readonly others: Readonly<Record<string, readonly unknown[]>>;
}

const id = "object-1";
const recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

const samples: Readonly<Record<ResourceName, Sample>> = {
  ApiToken: {
    hosted: hostedApiToken,
    declared: { name: "ci", expiresAt: "2099-01-01T00:00:00Z" },
    others: {
      rotation: [{ triggers: { by: 1 } }, { overlap: "2d" }],
      retire: ["expire", "revoke"],
      adopt: [{ id }],
      orgCapabilities: [{ users: ["read"] }],
      sealFor: [recipient],
    },
  },
  Annotation: {
    hosted: hostedAnnotation,
    declared: { datasets: ["web"], type: "deploy", time: "2026-01-01T00:00:00Z" },
    others: {},
  },
  DeploymentAnnotation: {
    hosted: hostedDeploymentAnnotation,
    declared: { datasets: ["web"], commit: "0a1b2c3d" },
    others: { per: ["run"] },
  },
  QueryGate: {
    hosted: hostedQueryGate,
    declared: { apl: "web | count", startTime: "now-5m", endTime: "now", expect: { max: 1 }, triggers: { a: 1 } },
    others: {
      expect: [{ max: 2 }],
      every: ["1s"],
      for: ["1m"],
      settle: ["10s"],
      noData: ["pass"],
      warnings: ["fail"],
      triggers: [{ a: 2 }],
    },
  },
};

const checkInputs = ({ lifecycle }: Hosted, declared: Bag, olds?: Bag) =>
  lifecycle.check(olds, { ...declared, key: "one" }, planOf("extended")).inputs;

describe.each(Object.entries(samples))("%s", (_, { hosted, declared, others }) => {
  const { definition, lifecycle } = hosted;
  const made = sampleArguments(definition, others);
  const valuesOf = (name: string) => others[name] ?? [made[name]];
  const named = argumentsOf(definition).flatMap((name) => valuesOf(name).map((value) => [name, value] as const));

  /** The inputs that replace the object once one argument has another value. */
  async function findReplaced(name: string, value: unknown, profile: (typeof profiles)[number]) {
    const before = await checkInputs(hosted, declared);
    const state = { ...before, recorded: true, record: {} };
    const news = await checkInputs(hosted, { ...declared, [name]: value }, before);
    return lifecycle.diff(id, state, news, planOf(profile)).replaces;
  }

  test.each(argumentsOf(definition))(
    "a change of %s replaces the object where the definition says so",
    async (name) => {
      const outcomes = new Set<boolean>();
      for (const value of valuesOf(name)) {
        for (const profile of profiles) outcomes.add((await findReplaced(name, value, profile)).length > 0);
      }
      const { replaces } = definition.properties[name] as Property;
      expect([...outcomes].sort()).toEqual(
        replaces === undefined || typeof replaces === "boolean" ? [replaces === true] : [false, true],
      );
    },
  );

  test.each(profiles)("the inputs that can replace the object are known to the preview (%s)", async (profile) => {
    const known = namesWhere(definition, (property) => mayReplace(property, planOf(profile)));
    const replaced = await Promise.all(named.map(([name, value]) => findReplaced(name, value, profile)));
    expect(replaced.flat().filter((name) => !known.includes(name))).toEqual([]);
  });
});
