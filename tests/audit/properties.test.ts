import { isDeepStrictEqual } from "node:util";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readState } from "../../audit";
import type { Token } from "../../sdk";
import { runsOf } from "../fuzz/random";
import { auditsAbout, expiresAt, rulesOf } from "../support/audits";
import { exportOf } from "../support/states";

const audit = auditsAbout("missing", "escalated", "undeclared", "changed");
const runs = { numRuns: runsOf(500) };
const ids = fc.subarray(["a", "b", "c"]);
const actions = fc.subarray(["create", "read"]);
const spec: fc.Arbitrary<Spec> = fc.record({
  description: fc.constantFrom("", "x"),
  expiresAt: fc.constantFrom(expiresAt, "2027-06-01T02:00:00+02:00", "2027-07-01T00:00:00Z"),
  orgCapabilities: fc.option(fc.record({ users: actions, flows: actions }, { requiredKeys: [] }), { nil: undefined }),
});
/** A spec for each of the three. */
const specs = fc.tuple(spec, spec, spec);
const world = fc.record({ live: ids, declared: ids, lives: specs, states: specs });

const at = (id: string) => "abc".indexOf(id);

test("each token is told about exactly as its place says: live and declared, only live, or only declared", () => {
  fc.assert(
    fc.property(world, ({ live, declared, lives, states }) => {
      const tokens = live.map((id) => ({ id, name: `n${id}`, ...lives[at(id)] }) as Token);
      const recorded = declared.map((id) => ({ id, name: `n${id}`, inputs: { ...states[at(id)] } }));
      const { findings, summary, failed } = audit(tokens, { tokens: recorded });
      const told = rulesOf(findings);
      const withoutOthers = (all: string[], others: string[]) => all.filter((id) => !others.includes(id)).sort();
      const differing = live
        .filter((id) => declared.includes(id) && meaning(lives[at(id)]) !== meaning(states[at(id)]))
        .sort();
      const gaining = differing.filter((id) => gains(states[at(id)], lives[at(id)]));
      const expected = [
        ...withoutOthers(declared, live).map((id) => `missing ${id}`),
        ...gaining.map((id) => `escalated ${id}`),
        ...withoutOthers(live, declared).map((id) => `undeclared ${id}`),
        ...withoutOthers(differing, gaining).map((id) => `changed ${id}`),
      ];
      const isFailure = expected.some((line) => !line.startsWith("changed"));
      const seen = [told, summary.live, summary.declared, failed];
      const wanted = [expected, live.length, declared.length, isFailure];
      // Only a difference is worth the time of `expect`.
      if (!isDeepStrictEqual(seen, wanted)) expect(seen).toEqual(wanted);
    }),
    runs,
  );
});

interface Spec {
  readonly description: string;
  readonly expiresAt: string;
  readonly orgCapabilities?: { readonly [key: string]: readonly string[] | undefined } | undefined;
}

const held = (spec: Spec | undefined) =>
  Object.entries(spec?.orgCapabilities ?? {}).flatMap(([key, actions = []]) =>
    actions.map((action) => `${key}:${action}`),
  );
const end = (spec: Spec | undefined) => Date.parse(spec?.expiresAt ?? "");
/** By other means than the code's own. */
const meaning = (spec: Spec | undefined) => JSON.stringify([spec?.description, end(spec), held(spec).sort()]);
const gains = (before: Spec | undefined, after: Spec | undefined) =>
  end(after) > end(before) || held(after).some((one) => !held(before).includes(one));

test("whatever a file holds, it is a state or an error that quotes nothing of it", () => {
  const secret = "canary-5d1f9a0b77c2";
  const value = fc.anything({
    values: [fc.constantFrom(secret, 3, "creating", exportOf({}).deployment)],
    maxDepth: 2,
    maxKeys: 3,
  });
  const keys = "version deployment checkpoint latest resources pending_operations id __proto__".split(" ");
  const key = fc.constantFrom(...keys);
  const deployment = fc.dictionary(key, fc.oneof(value, fc.array(fc.dictionary(key, value))));
  const state = fc.oneof(
    fc.dictionary(key, value, { noNullPrototype: true }),
    fc.record({ version: fc.constant(3), deployment }),
    value,
  );
  fc.assert(
    fc.property(state, (content) => {
      try {
        return readState(content, "the file").source === "the file";
      } catch (e) {
        const { message } = e as Error;
        return message.startsWith("the file: not the state of a stack: ") && !message.includes(secret);
      }
    }),
    runs,
  );
});
