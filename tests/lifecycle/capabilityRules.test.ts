import { describe, expect, test } from "@jest/globals";
import { notKnown } from "../../framework/unknown";
import { hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import type { Profile } from "../../sdk";
import { checkWith } from "../support/host";

const check = (profile: Profile, inputs: object) => {
  const news = { name: "ci", key: "ci", expiresAt: "2030-01-01T00:00:00Z", ...inputs };
  const { failures, warnings } = checkWith(hostedApiToken, news, { profile });
  return { failures, warnings };
};

describe("in the extended profile", () => {
  test.each<[Record<string, unknown>, string]>([
    [
      { orgCapabilities: { user: ["read"] } },
      `orgCapabilities.user is not known; did you mean "users"? the keys are annotations, apiTokens,`,
    ],
    [{ orgCapabilities: { auditLog: ["create"] } }, "orgCapabilities.auditLog must be a list of read"],
    [{ orgCapabilities: { billing: ["delete"] } }, "orgCapabilities.billing must be a list of read, update"],
    [{ orgCapabilities: { users: ["write"] } }, "orgCapabilities.users must be a list of create, read, update, delete"],
    [{ datasetCapabilities: { web: { query: ["create"] } } }, "datasetCapabilities.web.query must be a list of read"],
    [{ datasetCapabilities: { web: { ingest: "create" } } }, "datasetCapabilities.web.ingest must be a list of create"],
    [
      { datasetCapabilities: { web: { write: ["create"] } } },
      "datasetCapabilities.web.write is not known; the keys are ingest,",
    ],
    [
      { viewCapabilities: { errors: { share: ["update"] } } },
      "viewCapabilities.errors.share must be a list of create, read, delete",
    ],
  ])("%j passes with a warning that names the allowed values", (inputs, message) => {
    const { failures, warnings } = check("extended", inputs);
    expect([failures, warnings]).toEqual([[], [expect.stringContaining(message)]]);
  });

  test("everything that the interface names passes, and unknown values wait", () => {
    const everything = {
      orgCapabilities: { views: ["create"], apiTokens: ["delete"], billing: ["update"], rbac: [notKnown] },
      datasetCapabilities: { web: { ingest: ["create"], data: ["delete"], virtualFields: ["update"] }, api: notKnown },
      viewCapabilities: { errors: { query: ["read"], share: ["delete"] } },
    };
    expect(check("extended", everything)).toEqual({ failures: [], warnings: [] });
  });
});

describe("in the documented profile", () => {
  test.each([Number.NaN, Number.POSITIVE_INFINITY])("a number that JSON cannot express is refused: %d", (number) => {
    const limited = (limit: number) => ({ datasetCapabilities: { web: { any: [{ limit }] } } });
    expect(check("documented", limited(number)).failures).toEqual([
      "datasetCapabilities must contain only finite numbers: JSON has no others",
    ]);
    expect(check("documented", limited(3)).failures).toEqual([]);
  });

  test("a key that is not documented passes with a warning, and any action passes", () => {
    const inputs = {
      orgCapabilities: { views: ["create"], users: ["impersonate"] },
      datasetCapabilities: { web: { any: "thing" } },
    };
    expect(check("documented", inputs)).toEqual({
      failures: [],
      warnings: [expect.stringMatching(/^API token "ci" orgCapabilities\.views is not known; .* it is sent anyway$/)],
    });
  });
});

test.each([
  ["datasetCapabilities", { "cnry-dataset": { qury: ["read"] } }],
  ["datasetCapabilities", { "cnry-dataset": { query: ["raed"] } }],
  ["viewCapabilities", { "cnry-view": { qury: ["read"] } }],
  ["orgCapabilities", { cnryuser: ["read"] }],
  ["orgCapabilities", { cnryuser: "read" }],
])("there is no warning about secret %s, and no failure names a key below it: %j", (name, value) => {
  for (const profile of ["documented", "extended"] as const) {
    const { failures, warnings } = check(profile, { [name]: value, secretInputs: [name] });
    expect(failures.join()).not.toMatch(/cnry|qury|did you mean/);
    expect(warnings).toEqual([]);
  }
});
