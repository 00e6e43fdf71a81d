import { expect, test } from "@jest/globals";
import { checkInputs } from "../../framework/hooks";
import type { Bag } from "../../framework/lifecycle";
import { notKnown } from "../../framework/unknown";
import { hostedAnnotation } from "../../provider/nouns/annotation/lifecycle";
import { apiToken, hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import { diffInUpdate, planOf } from "../support/session";

const logicalName = { key: "ci" };
const fields = {
  name: "fixed",
  description: "text",
  expiresAt: "2099-01-01T00:00:00Z",
  datasetCapabilities: { web: { query: ["read"] } },
  orgCapabilities: { apiTokens: ["read"] },
};
const known = { ...fields, ...logicalName };
const recorded = { ...known, record: {} } as const;

test.each<[string, Bag]>([
  ["name", { name: notKnown, expiresAt: "2099-01-01T00:00:00Z" }],
  ["one action", { orgCapabilities: { apiTokens: [notKnown] }, expiresAt: notKnown }],
  ["all capabilities", { orgCapabilities: notKnown, datasetCapabilities: notKnown, expiresAt: notKnown }],
  ["lifetime", { expiresIn: notKnown, retire: "expire" }],
  ["rotation", { rotation: notKnown, expiresIn: "2d", retire: "expire" }],
  ["parts of the rotation", { expiresIn: notKnown, rotation: { rotateBefore: "1d", triggers: { by: notKnown } } }],
  ["fate", { retire: notKnown, expiresIn: "1d" }],
  ["token to adopt", { adopt: notKnown, expiresAt: notKnown }],
])("a token whose %s is not known yet has neither failures nor warnings", (_, inputs) => {
  for (const profile of ["documented", "extended"] as const) {
    for (const requireExpiry of [false, true]) {
      const checked = checkInputs(
        hostedApiToken,
        undefined,
        { ...inputs, ...logicalName },
        planOf(profile, { requireExpiry }),
      );
      expect({ failures: checked.failures, warnings: checked.warnings }).toEqual({ failures: [], warnings: [] });
    }
  }
});

test.each([...Object.keys(fields), "rotation", "expiresIn"])(
  "a token whose %s is not known yet is previewed as replaced",
  async (key) => {
    const { replaces, changes } = await diffInUpdate(hostedApiToken, "t1", recorded, { ...known, [key]: notKnown });
    expect({ replaces, changes }).toEqual({ replaces: [key], changes: true });
  },
);

test.each([{ retire: notKnown }, { adopt: notKnown }, { rotation: { overlap: notKnown } }])(
  "a token that declares %j is only looked at again: no value of it replaces a token",
  async (open) => {
    const { replaces, changes } = await diffInUpdate(hostedApiToken, "t1", recorded, { ...known, ...open });
    expect({ replaces, changes }).toEqual({ replaces: [], changes: true });
  },
);

test.each([
  ["retire", { retire: notKnown }],
  ["rotation", { rotation: notKnown }],
  ["overlap", { rotation: { overlap: notKnown } }],
])("a preview does not say that the old token is revoked while its %s is not known yet", (_, open) => {
  const inputs = { ...known, description: "new", ...open };
  const { notice } = apiToken.diff("t1", recorded, inputs as never, planOf("extended"));
  expect(notice).toMatch(/Whether the old token is then revoked is not known yet\.$/);
});

test("an annotation with unknown arguments has no failures, and is previewed as replaced", async () => {
  const range = { time: "2030-01-01T00:00:00Z", endTime: "2030-01-02T00:00:00Z" };
  const marked = { key: "deployed", datasets: ["web"], title: "title", ...range };
  for (const inputs of [
    { ...marked, datasets: notKnown },
    { ...marked, datasets: [notKnown] },
    { ...marked, title: notKnown, time: notKnown },
    { ...marked, endTime: notKnown },
  ]) {
    expect(checkInputs(hostedAnnotation, undefined, inputs, planOf()).failures).toEqual([]);
    const { changes, replaces } = await diffInUpdate(hostedAnnotation, "a1", { ...marked, record: {} }, inputs);
    expect([changes, replaces.length > 0]).toEqual([true, true]);
  }
});

test("a warning calls a token by no name that is secret or not known yet", () => {
  const warningsOf = (inputs: Bag) =>
    checkInputs(hostedApiToken, undefined, { ...logicalName, ...inputs }, planOf()).warnings;
  const byItsKey = [expect.stringMatching(/^API token "ci" never expires/)];
  expect(warningsOf({ name: "cnry-name", secretInputs: ["name"] })).toEqual(byItsKey);
  for (const name of [notKnown, [notKnown], [[notKnown]]]) expect(warningsOf({ name })).toEqual(byItsKey);
});
