import { expect, test } from "@jest/globals";
import { fromEnvironment, requireSettings, resolveSettings, type SettingsSource, settingKeys } from "../../sdk";
import { spellSetting } from "../../sdk/settings";
import { findUnknownNames } from "../../values/nearestName";

const config = (values: Record<string, string>): SettingsSource => ({
  describe: (key) => `stack config event-datasets:${key}`,
  get: (key) => values[key],
});
const complete = { baseUrl: "https://api.example.com/", accessToken: "xaat-1" };

test("each setting comes from the first source that has it; an empty text counts as missing", () => {
  const environment = fromEnvironment({ EVENT_DATASETS_ACCESS_TOKEN: "xaat-env", EVENT_DATASETS_BASE_URL: "" });
  expect(resolveSettings([environment, config(complete)])).toEqual({
    settings: {
      baseUrl: "https://api.example.com",
      accessToken: "xaat-env",
      profile: "documented",
      requireExpiry: false,
      credentialFrom: "environment variable EVENT_DATASETS_ACCESS_TOKEN",
      nameOf: spellSetting,
    },
  });
});

test("all missing settings are reported together, each with the places where it could be set", () => {
  expect(() => requireSettings([fromEnvironment({}), config({})])).toThrow(
    "baseUrl is missing: set environment variable EVENT_DATASETS_BASE_URL or stack config event-datasets:baseUrl; " +
      "accessToken is missing: set environment variable EVENT_DATASETS_ACCESS_TOKEN or stack config event-datasets:accessToken",
  );
});

test.each(["http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:1", "https://api.example.com/base/"])(
  "the base URL %s is accepted",
  (baseUrl) => {
    expect(requireSettings([config({ ...complete, baseUrl })]).baseUrl).toBe(baseUrl.replace(/\/$/, ""));
  },
);

test("an access token with a line break is refused without quoting it", () => {
  const result = resolveSettings([config({ ...complete, accessToken: "xaat-1\nx-evil: 1" })]);
  expect(JSON.stringify(result)).toContain("visible ASCII");
  expect(JSON.stringify(result)).not.toContain("xaat-1");
});

test.each([
  ["https://api.axiom.co", "extended"],
  ["https://AXIOM.co:8443/base", "extended"],
  ["https://eu-central-1.aws.edge.axiom.co", "extended"],
  ["https://api.example.com", "documented"],
  ["https://evilaxiom.co", "documented"],
  ["https://api.axiom.co.example.com", "documented"],
  ["http://127.0.0.1:8080/axiom.co", "documented"],
])("without a profile, %s has the profile %s, and a declared profile takes precedence", (baseUrl, profile) => {
  expect(requireSettings([config({ ...complete, baseUrl })]).profile).toBe(profile);
  for (const declared of ["documented", "extended"])
    expect(requireSettings([config({ ...complete, baseUrl, profile: declared })]).profile).toBe(declared);
});

test.each<[Record<string, string>, string | RegExp]>([
  [{ baseUrl: "api.example.com" }, /http\(s\) address/],
  [{ baseUrl: "ftp://api.example.com" }, /http\(s\) address/],
  [{ baseUrl: "http://api.example.com" }, /must use https/],
  [{ baseUrl: "http://127.0.0.1.example.com" }, /must use https/],
  [{ baseUrl: "https://user:pw@api.example.com" }, /not contain a user name or password/],
  [{ baseUrl: "https://api.example.com?x=1" }, /no query string/],
  [{ profile: "full" }, "stack config event-datasets:profile must be one of documented, extended"],
  [{ orgId: "org 1", profile: "extended" }, "stack config event-datasets:orgId must be the id of an organization"],
  [
    { orgId: "org-1" },
    'stack config event-datasets:orgId needs the profile "extended": set stack config event-datasets:profile to "extended"',
  ],
  [{ edgeUrl: "https://edge.example.com" }, 'stack config event-datasets:edgeUrl needs the profile "extended"'],
  [{ edgeUrl: "http://edge.example.com" }, "stack config event-datasets:edgeUrl must use https"],
  [{ callDeadline: "0s" }, "stack config event-datasets:callDeadline must be a duration such as 45s or 2m, at most 1h"],
  [{ listDeadline: "P1M" }, "stack config event-datasets:listDeadline must be a duration"],
  [{ queryDeadline: "30" }, "stack config event-datasets:queryDeadline must be a duration"],
])("%j is refused", (values, message) => {
  expect(() => requireSettings([config({ ...complete, ...values })])).toThrow(message);
});

test("an unknown key is reported with the nearest known one", () => {
  const problems = findUnknownNames(["baseURL", "profile", "region"], settingKeys, (key) => `event-datasets:${key}`);
  expect(problems).toEqual([
    'event-datasets:baseURL is not known; did you mean "baseUrl"?',
    "event-datasets:region is not known",
  ]);
});
