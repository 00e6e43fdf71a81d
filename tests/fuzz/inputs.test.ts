import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { checkInputs } from "../../framework/hooks";
import type { Bag } from "../../framework/lifecycle";
import { dropNulls } from "../../framework/shapes";
import { hasUnknown, notKnown } from "../../framework/unknown";
import type { Hosted, Plan } from "../../provider/account/connection";
import { hostedAnnotation } from "../../provider/annotation/lifecycle";
import { hostedApiToken } from "../../provider/apiToken/lifecycle";
import { hostedDeploymentAnnotation } from "../../provider/deploymentAnnotation/lifecycle";
import type { ResourceName } from "../../provider/nouns";
import { hostedQueryGate } from "../../provider/queryGate/lifecycle";
import { planOf } from "../support/session";
import { runsOf } from "./random";

const settings = { numRuns: runsOf(200) };

/** Any JSON, and unknown values in it. */
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom<unknown>(null, notKnown, "", "P90D", "14d", "2027-01-01T00:00:00Z", "revoke", 0, -1, true),
    fc.string(),
    fc.double(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
  ),
})).value;

/** Values for any of these fields, and for some that nobody knows. */
const inputsOf = (...fields: readonly string[]) =>
  fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fields) }, fc.string()), value, { maxKeys: 6 });

const range = { startTime: "2026-11-20T00:00:00Z", endTime: "2026-11-21T00:00:00Z" };
const marker = { key: "marker", datasets: ["web"], type: "deploy", title: "1.4" };

/** Each resource with inputs that can be used, and with all that it takes. */
const kinds = {
  ApiToken: [
    hostedApiToken,
    { name: "ci", key: "ci" },
    "description expiresAt expiresIn rotation retire adopt sealFor orgCapabilities datasetCapabilities",
  ],
  Annotation: [hostedAnnotation, marker, "description time endTime url triggers retain"],
  DeploymentAnnotation: [
    hostedDeploymentAnnotation,
    { ...marker, startedAt: range.startTime, trigger: "1.4" },
    "required description url",
  ],
  QueryGate: [
    hostedQueryGate,
    { key: "gate", apl: "web | count", expect: { max: 1 }, triggers: { a: 1 }, ...range },
    "every for settle noData warnings",
  ],
} as const satisfies Record<ResourceName, readonly [object, object, string]>;

describe.each(Object.entries(kinds))("%s", (_, [resource, base, fields]) => {
  const { lifecycle } = resource as Hosted;
  const check = (olds: Bag | undefined, news: Bag, plan: Plan) =>
    checkInputs(resource as Hosted, olds && dropNulls(olds), dropNulls(news), plan as Plan);
  const { key, ...own } = base;
  const names = [...fields.split(" "), ...Object.keys(own)];
  // The hints are never of another form: an adapter adds them, and no program.
  const hints = fc.constantFrom({}, { secretInputs: names }, { secretInputs: ["name", "rotation.expireAfter"] });
  const inputs = fc
    .tuple(inputsOf(...names), hints)
    .map(([values, secret]): Bag & { readonly key: string } => ({ ...values, ...secret, key }));
  // Built of what check lets through, one field after another. To throw away what it refuses would take all but for ever: hardly
  // anything random has every field that a resource needs, and fast-check goes on looking.
  const dropUnusable = (given: Readonly<Record<string, unknown>>) => {
    let inputs: Bag & { readonly key: string } = base;
    for (const [key, member] of Object.entries(given)) {
      const checked = check(undefined, { ...inputs, [key]: member }, planOf("extended"));
      if (checked.failures.length === 0) inputs = checked.inputs;
    }
    return inputs;
  };
  /** Recorded values and those of the constructor are known. */
  const known = (given: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(given).filter(([, member]) => !hasUnknown(member)));

  test("check takes any JSON, and says nothing of a value but where it stands", () => {
    fc.assert(
      fc.property(
        inputs,
        fc.option(inputs, { nil: undefined }),
        fc.constantFrom("documented", "extended"),
        (news, olds, profile) => {
          const { failures } = check(olds, news, planOf(profile as "documented"));
          for (const { reason } of failures) expect(reason).toEqual(expect.any(String));
        },
      ),
      settings,
    );
  });

  test("diff takes any state that check let through, and finds no change between a thing and itself", () => {
    fc.assert(
      fc.property(inputs, inputs, (a, b) => {
        const [inputs, news] = [dropUnusable(known(a)), dropUnusable(b)];
        const state = { ...inputs, record: { origin: "created" } };
        const plan = planOf("extended", { isUpdate: false });
        expect(lifecycle.diff("id", state, inputs, plan).replaces).toEqual([]);
        const { changes, replaces: keys } = lifecycle.diff("id", state, news, plan);
        expect(keys.length === 0 || changes).toBe(true);
      }),
      settings,
    );
  });
});
