import { expect, test } from "@jest/globals";
import { checkInputs } from "../../framework/hooks";
import type { Bag } from "../../framework/lifecycle";
import { unknown } from "../../framework/testing";
import { notKnown } from "../../framework/unknown";
import { hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import { planOf } from "../support/host";
import { begin, token } from "../support/story";

const logicalName = { key: "ci" };
const fields = {
  name: "fixed",
  description: "text",
  expiresAt: "2099-01-01T00:00:00Z",
  datasetCapabilities: { web: { query: ["read"] } },
  orgCapabilities: { apiTokens: ["read"] },
};

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

test.each<[string, object, readonly string[]]>([
  ...[...Object.keys(fields), "rotation"].map((key): [string, object, string[]] => [
    `${key} is previewed as replaced`,
    { [key]: unknown },
    [key],
  ]),
  ["expiresIn is previewed as replaced", { expiresAt: undefined, expiresIn: unknown }, ["expiresIn"]],
  ["retire is only looked at again", { retire: unknown }, []],
  ["adopt is only looked at again", { adopt: unknown }, []],
  ["overlap is only looked at again", { rotation: { overlap: unknown } }, []],
])("a token whose %s while it is not known yet", async (_, open, replaces) => {
  await using it = await begin();
  await it.declare(fields);
  const { found } = await it.preview({ ci: token({ ...fields, ...open }) });
  expect(found.ci).toEqual({ changes: true, replaces });
});

test.each([{ retire: unknown }, { rotation: unknown }, { rotation: { overlap: unknown } }])(
  "a preview does not say that the old token is revoked while %j is not known yet",
  async (open) => {
    await using it = await begin();
    await it.declare(fields);
    const { words } = await it.preview({ ci: token({ ...fields, description: "new", ...open }) });
    expect(words).toMatch(/Whether the old token is then revoked is not known yet\.$/m);
  },
);

test("a warning calls a token by no name that is secret or not known yet", () => {
  const warningsOf = (inputs: Bag) =>
    checkInputs(hostedApiToken, undefined, { ...logicalName, ...inputs }, planOf()).warnings;
  const byItsKey = [expect.stringMatching(/^API token "ci" never expires/)];
  expect(warningsOf({ name: "cnry-name", secretInputs: ["name"] })).toEqual(byItsKey);
  for (const name of [notKnown, [notKnown], [[notKnown]]]) expect(warningsOf({ name })).toEqual(byItsKey);
});
