import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { inputsOf } from "../../framework/definition";
import { checkInputs } from "../../framework/hooks";
import type { Bag } from "../../framework/lifecycle";
import { dropNulls } from "../../framework/shapes";
import { hasUnknown, notKnown } from "../../framework/unknown";
import { eventDatasets, type ResourceName } from "../../provider/eventDatasets";
import type { Hosted } from "../../provider/shared/account/connection";
import type { Profile } from "../../sdk";
import { planOf } from "../support/host";
import { samples } from "../support/samples";
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

test.each(Object.entries<Hosted>(eventDatasets.resources))(
  "%s: check takes any JSON; what it lets through, diff takes, and finds no change between a thing and itself",
  (type, resource) => {
    const key = "one";
    const own = samples[type as ResourceName].declared;
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
        // Early enough that no rotation is due.
        const plan = planOf(profile, { now: () => new Date(0) });
        expect(resource.lifecycle.diff("id", state, checked.inputs, plan).replaces).toEqual([]);
        const { changes, replaces } = resource.lifecycle.diff("id", state, { ...checked.inputs, ...own }, plan);
        expect(replaces.length === 0 || changes).toBe(true);
      }),
      { numRuns: runsOf(200) },
    );
  },
);
