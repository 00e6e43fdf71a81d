import { expect, test } from "@jest/globals";
import { annotation } from "../../provider/lifecycle/annotation/annotation";
import { deploymentMarker } from "../../provider/lifecycle/annotation/deploymentMarker";
import { checkInputs } from "../../provider/lifecycle/check";
import type { Lifecycle, Plan, Unchecked } from "../../provider/lifecycle/contract";
import { queryGate } from "../../provider/lifecycle/gate/queryGate";
import { apiToken } from "../../provider/lifecycle/token/apiToken";
import { planOf } from "../support/session";

// With the option `ignoreChanges` the engine copies earlier inputs, as `check` left them, into those that it has checked next.

type Any = Lifecycle<Record<string, unknown>, Record<string, unknown>>;

const range = { startTime: "now-1h", endTime: "now" };
const gate = { name: "gate", apl: "['web'] | count", ...range, expect: { max: 5 }, triggers: { image: "1" } };
const marker = { datasets: ["web"], type: "deploy", startedAt: "2026-01-01T00:00:00Z", trigger: "commit 0a1b2c3d" };

const declarations: readonly (readonly [string, object, Unchecked])[] = [
  ["a token with a generated name", apiToken, { autoName: "ci" }],
  ["a token with a chosen name", apiToken, { autoName: "ci", resourceKey: "key", name: "chosen" }],
  ["a token with a secret end", apiToken, { autoName: "ci", expiresIn: "90d", secretInputs: ["expiresIn"] }],
  ["an adopted token", apiToken, { autoName: "ci", adopt: { name: "theirs" } }],
  ["an annotation", annotation, { datasets: ["web"], type: "deploy", title: "hidden", secretInputs: ["title"] }],
  ["a deployment's annotation", deploymentMarker, { ...marker, title: "hidden", secretInputs: ["title"] }],
  ["a gate", queryGate, { ...gate, secretInputs: ["apl"] }],
];

const check = (lifecycle: object, olds: Unchecked | undefined, news: Unchecked, plan: Plan) => {
  const { inputs, failures } = checkInputs(lifecycle as Any, olds, news, plan);
  expect(failures).toEqual([]);
  return inputs;
};

test.each(declarations)('%s is as it was with "*", and when that is removed', (_, lifecycle, declared) => {
  const plan = planOf("extended");
  const first = check(lifecycle, undefined, declared, plan);
  let olds: Unchecked = first;
  for (let times = 0; times < 2; times++) {
    const frozen = check(lifecycle, olds, { ...olds }, plan);
    expect(frozen).toEqual(first);
    olds = frozen;
  }
  expect(check(lifecycle, olds, declared, plan)).toEqual(first);
});

test.each([
  { autoName: "ci" },
  { autoName: "ci", resourceKey: "key" },
  { autoName: "ci", adopt: { name: "theirs" }, secretInputs: ["name"] },
])("a token keeps its name with the option for that alone, and when it is removed: %j", (declared) => {
  const plan = planOf("extended");
  const { adopt: _, secretInputs: __, ...later } = { adopt: undefined, secretInputs: undefined, ...declared };
  const first = check(apiToken, undefined, declared, plan);
  const frozen = check(apiToken, first, { ...later, name: first.name }, plan);
  const released = check(apiToken, frozen, later, plan);
  expect([frozen, released].map(({ name, secretInputs }) => [name, secretInputs])).toEqual(
    Array(2).fill([first.name, first.secretInputs]),
  );
  const state = { ...first, createdAt: "2026-01-01T00:00:00Z", token: "xaat-1" };
  expect(
    (apiToken as object as Any).diff("t1", state, released, planOf("extended", { updating: false })).replaces,
  ).toEqual([]);
});

test("a name that is chosen after a generated one replaces it, and a generated one after a chosen one", () => {
  const plan = planOf("extended");
  const generated = check(apiToken, undefined, { autoName: "ci" }, plan);
  const chosen = check(apiToken, generated, { autoName: "ci", resourceKey: "key", name: "chosen" }, plan);
  expect(chosen).toEqual({ name: "chosen", resourceKey: "key" });
  expect(check(apiToken, chosen, { autoName: "ci" }, plan).name).toMatch(/^ci-[0-9a-f]{7}$/);
});

test("a declared name beside adopt is kept as it is declared, also where it was generated before", () => {
  const plan = planOf("extended");
  const generated = check(apiToken, undefined, { autoName: "ci" }, plan);
  const adopting = { autoName: "ci", name: generated.name, adopt: { id: "t1" } };
  expect(check(apiToken, generated, adopting, plan)).toMatchObject({ name: generated.name, adopt: { id: "t1" } });
});
