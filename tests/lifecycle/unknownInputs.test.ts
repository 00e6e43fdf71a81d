import { expect, test } from "@jest/globals";
import { annotation } from "../../provider/lifecycle/annotation/annotation";
import { type Unchecked, unknown } from "../../provider/lifecycle/contract";
import { apiToken } from "../../provider/lifecycle/token/apiToken";
import { planOf } from "../support/session";

const logicalName = { autoName: "ci" };
const known = {
  name: "fixed",
  description: "text",
  expiresAt: "2099-01-01T00:00:00Z",
  datasetCapabilities: { web: { query: ["read"] } },
  orgCapabilities: { apiTokens: ["read"] },
};

test.each<[string, Unchecked]>([
  ["name", { name: unknown, expiresAt: "2099-01-01T00:00:00Z" }],
  ["one action", { orgCapabilities: { apiTokens: [unknown] }, expiresAt: unknown }],
  ["all capabilities", { orgCapabilities: unknown, datasetCapabilities: unknown, expiresAt: unknown }],
  ["lifetime", { expiresIn: unknown, retire: "expire" }],
  ["rotation", { rotation: unknown, retire: "expire" }],
  ["parts of the rotation", { rotation: { expireAfter: unknown, rotateBefore: "1d", triggers: { by: unknown } } }],
  ["fate", { retire: unknown, expiresIn: "1d" }],
  ["token to adopt", { adopt: unknown, expiresAt: unknown }],
])("a token whose %s is not known yet has neither failures nor warnings", (_, inputs) => {
  for (const profile of ["documented", "extended"] as const) {
    for (const requireExpiry of [false, true]) {
      const checked = apiToken.check(undefined, { ...inputs, ...logicalName }, planOf(profile, { requireExpiry }));
      expect({ failures: checked.failures, warnings: checked.warnings }).toEqual({ failures: [], warnings: [] });
    }
  }
});

test("a warning calls a token whose name is not known yet by its resource's name", () => {
  const { warnings } = apiToken.check(undefined, { name: unknown, ...logicalName }, planOf());
  expect(warnings).toEqual([expect.stringMatching(/^API token "ci" has no expiry/)]);
});

test.each([...Object.keys(known), "retire", "rotation", "expiresIn", "adopt"])(
  "a token whose %s is not known yet is to be looked at again, and not to be replaced",
  (key) => {
    const { replaces, changes } = apiToken.diff("t1", known, { ...known, [key]: unknown } as never, planOf());
    expect({ replaces, changes }).toEqual({ replaces: [], changes: true });
  },
);

test("a token whose expiry was counted from its creation is not to be replaced while its rotation is not known", () => {
  const expiresAt = "2099-01-01T00:00:00Z";
  const rotation = { expireAfter: "90d", rotateBefore: "1d" };
  const state = { name: "fixed", rotation, expiresAt, resolvedExpiresAt: expiresAt };
  for (const inputs of [
    { name: "fixed", rotation: unknown },
    { name: "fixed", rotation: { ...rotation, expireAfter: unknown } },
    { name: "fixed", expiresIn: unknown },
  ]) {
    expect(apiToken.diff("t1", state, inputs as never, planOf())).toMatchObject({ changes: true, replaces: [] });
  }
});

test("an annotation with unknown arguments has no failures, and is not made again", () => {
  const marked = { datasets: ["web"], title: "title", time: "2030-01-01T00:00:00Z", endTime: "2030-01-02T00:00:00Z" };
  for (const inputs of [
    { ...marked, datasets: unknown },
    { ...marked, datasets: [unknown] },
    { ...marked, title: unknown, time: unknown },
    { ...marked, endTime: unknown },
  ]) {
    expect(annotation.check(undefined, inputs, planOf()).failures).toEqual([]);
    expect(annotation.diff("a1", marked, inputs as never, planOf())).toEqual({ changes: true, replaces: [] });
  }
});

test("a warning calls a token by no name that is secret or not known yet", () => {
  const warningsOf = (inputs: Record<string, unknown>) => apiToken.check(undefined, inputs, planOf()).warnings;
  expect(warningsOf({ name: "cnry-name", secretInputs: ["name"] })).toEqual([
    expect.stringMatching(/^API token "\(secret name\)" has no expiry/),
  ]);
  for (const name of [unknown, [unknown], [[unknown]]])
    expect(warningsOf({ name })).toEqual([expect.stringMatching(/^API token "\(name not known yet\)" has no expiry/)]);
});
