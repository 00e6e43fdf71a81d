import { describe, expect, test } from "@jest/globals";
import { argumentsOf, mayReplace, namesWhere } from "../../framework/definition";
import type { Property } from "../../framework/facts";
import type { Bag } from "../../framework/lifecycle";
import { eventDatasets, type ResourceName } from "../../provider/eventDatasets";
import type { Hosted } from "../../provider/shared/account/connection";
import { profiles } from "../../sdk/profiles";
import { planOf } from "../support/host";
import { sampleArguments, samples } from "../support/samples";

// The common behaviour of all resources.

const id = "object-1";

/** The other values that an update declares, where one sample does not do. */
const others: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  ApiToken: { rotation: [{ triggers: { by: 1 } }, { overlap: "2d" }], retire: ["expire", "revoke"] },
};

const checkInputs = ({ lifecycle }: Hosted, declared: Bag, olds?: Bag) =>
  lifecycle.check(olds, { ...declared, key: "one" }, planOf("extended")).inputs;

describe.each(Object.entries<Hosted>(eventDatasets.resources))("%s", (type, hosted) => {
  const { definition, lifecycle } = hosted;
  const { declared } = samples[type as ResourceName];
  const made = sampleArguments(hosted);
  const valuesOf = (name: string) => others[type]?.[name] ?? [made[name]];
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
