import { expect, test } from "@jest/globals";
import { fromEnvironment, requireSettings, resolveSettings, type SettingsSource } from "../../sdk";

const config = (values: Record<string, string>): SettingsSource => ({
  describe: (key) => `stack config event-datasets:${key}`,
  get: (key) => values[key],
});
const complete = { baseUrl: "https://api.example.com/", accessToken: "xaat-1" };

test("each setting comes from the first place that has it, and an empty one counts as missing", () => {
  const environment = fromEnvironment({ EVENT_DATASETS_ACCESS_TOKEN: "xaat-env", EVENT_DATASETS_BASE_URL: "" });
  expect(resolveSettings([environment, config(complete)])).toEqual({
    settings: {
      baseUrl: "https://api.example.com",
      accessToken: "xaat-env",
      profile: "documented",
      requireExpiry: false,
      credentialFrom: "environment variable EVENT_DATASETS_ACCESS_TOKEN",
    },
  });
});

test("what is missing is reported at once, with every place that was looked in", () => {
  expect(() => requireSettings([fromEnvironment({}), config({})])).toThrow(
    "baseUrl is missing: set environment variable EVENT_DATASETS_BASE_URL or stack config event-datasets:baseUrl; " +
      "accessToken is missing: set environment variable EVENT_DATASETS_ACCESS_TOKEN or stack config event-datasets:accessToken",
  );
});

test.each([
  ["api.example.com", /http\(s\) address/],
  ["ftp://api.example.com", /http\(s\) address/],
  ["http://api.example.com", /must use https/],
  ["http://127.0.0.1.example.com", /must use https/],
  ["https://user:pw@api.example.com", /no user name or password/],
  ["https://api.example.com?x=1", /no query string/],
])("the base URL %s is refused", (baseUrl, message) => {
  expect(() => requireSettings([config({ ...complete, baseUrl })])).toThrow(message);
});

test.each(["http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:1", "https://api.example.com/base/"])(
  "the base URL %s is accepted",
  (baseUrl) => {
    expect(requireSettings([config({ ...complete, baseUrl })]).baseUrl).toBe(baseUrl.replace(/\/$/, ""));
  },
);

test("a token with a line end is refused without being quoted", () => {
  const result = resolveSettings([config({ ...complete, accessToken: "xaat-1\nx-evil: 1" })]);
  expect(JSON.stringify(result)).toContain("visible ASCII");
  expect(JSON.stringify(result)).not.toContain("xaat-1");
});

test("an unknown profile is refused with the allowed ones", () => {
  expect(() => requireSettings([config({ ...complete, profile: "full" })])).toThrow(
    "stack config event-datasets:profile must be one of documented, extended",
  );
});
