import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { inputsOf } from "../../framework/definition";
import { checkInputs } from "../../framework/hooks";
import type { Bag } from "../../framework/lifecycle";
import { dropNulls } from "../../framework/shapes";
import { hasUnknown, notKnown } from "../../framework/unknown";
import type { Hosted } from "../../provider/account/connection";
import { hostedAnnotation } from "../../provider/annotation/lifecycle";
import { hostedApiToken } from "../../provider/apiToken/lifecycle";
import { hostedDeploymentAnnotation } from "../../provider/deploymentAnnotation/lifecycle";
import type { ResourceName } from "../../provider/nouns";
import { hostedQueryGate } from "../../provider/queryGate/lifecycle";
import type { Profile } from "../../sdk";
import { planOf } from "../support/session";
import { runsOf } from "./random";

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
const valuesOf = (...fields: readonly string[]) =>
  fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fields) }, fc.string()), value, { maxKeys: 6 });

const range = { startTime: "2026-11-20T00:00:00Z", endTime: "2026-11-21T00:00:00Z" };
const marker = { key: "marker", datasets: ["web"], type: "deploy", title: "1.4" };

/** Each resource with inputs that can be used. */
const kinds: Readonly<Record<ResourceName, readonly [Hosted, Bag]>> = {
  ApiToken: [hostedApiToken, { name: "ci", key: "ci" }],
  Annotation: [hostedAnnotation, marker],
  DeploymentAnnotation: [hostedDeploymentAnnotation, { ...marker, startedAt: range.startTime, trigger: "1.4" }],
  QueryGate: [hostedQueryGate, { key: "gate", apl: "web | count", expect: { max: 1 }, triggers: { a: 1 }, ...range }],
};

test.each(Object.entries(kinds))(
  "%s: check takes any JSON; what it lets through, diff takes, and finds no change between a thing and itself",
  (_, [resource, base]) => {
    const { key, ...own } = base;
    const names = inputsOf(resource.definition).filter((name) => !["key", "secretInputs"].includes(name));
    // The hints are never of another form: an adapter adds them, and no program.
    const hints = fc.constantFrom({}, { secretInputs: names }, { secretInputs: ["name", "rotation.expireAfter"] });
    /** Often inputs that can be used but for a few of them. */
    const inputs = fc
      .tuple(valuesOf(...names), hints, fc.constantFrom(own, own, {}))
      .map(([values, secret, usable]) => {
        return dropNulls({ ...usable, ...values, ...secret, key }) as Bag & { readonly key: string };
      });
    const profile = fc.constantFrom<Profile>("documented", "extended");
    fc.assert(
      fc.property(inputs, fc.option(inputs, { nil: undefined }), profile, (news, olds, profile) => {
        const checked = checkInputs(resource, olds, news, planOf(profile));
        for (const { reason } of checked.failures) expect(reason).toEqual(expect.any(String));
        // Recorded values are known.
        if (checked.failures.length > 0 || hasUnknown(checked.inputs)) return;
        const state = { ...checked.inputs, record: { origin: "created" } };
        const plan = planOf(profile, { isUpdate: false });
        expect(resource.lifecycle.diff("id", state, checked.inputs, plan).replaces).toEqual([]);
        const { changes, replaces } = resource.lifecycle.diff("id", state, { ...checked.inputs, ...base }, plan);
        expect(replaces.length === 0 || changes).toBe(true);
      }),
      { numRuns: runsOf(200) },
    );
  },
);
