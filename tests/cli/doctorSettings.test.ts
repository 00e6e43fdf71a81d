import { expect, test } from "@jest/globals";
import { checkSettings, stackConfigOf } from "../../cli/doctor/settings";

const credential = "xaat-canary-of-doctor";

const textsOf = (...args: Parameters<typeof checkSettings>) =>
  checkSettings(...args).map(({ state, text }) => `${state} ${text}`);

test("an unusable value of a stack's config is not shown, because it may be a secret in the wrong place", () => {
  const password = "cnry-of-an-address-5c7e9b1d";
  const config = stackConfigOf({
    "event-datasets:baseUrl": { value: `https://user:${password}@api.example.com`, secret: false },
    "event-datasets:profile": { value: password, secret: false },
  });
  expect(textsOf({}, config)).toEqual([
    "problem stack config event-datasets:baseUrl must not contain a user name or password: set the access token instead",
    "problem accessToken is missing: set environment variable EVENT_DATASETS_ACCESS_TOKEN",
    "problem stack config event-datasets:profile must be one of documented, extended",
  ]);
});

test("a setting of the stack's config is checked with the profile that the environment gives", () => {
  const printed = { "event-datasets:orgId": { value: "acme" } };
  const config = stackConfigOf(printed);
  for (const env of [{ EVENT_DATASETS_PROFILE: "extended" }, { EVENT_DATASETS_BASE_URL: "https://api.axiom.co" }])
    expect(textsOf(env, config)).toContain(
      "unknown orgId: acme (from the stack config): used only by programs, and not tested here",
    );
  expect(textsOf({}, config).join()).toContain(
    'problem stack config event-datasets:orgId needs the profile "extended"',
  );
  // A base URL can bring the profile.
  const hidden = stackConfigOf({ ...printed, "event-datasets:baseUrl": { secret: true } });
  expect(textsOf({}, hidden).join()).not.toContain("problem stack config");
});

const inStack = [
  "accessToken: a secret (from the stack config): used only by programs, and not tested here. So the state contains it",
  "(encrypted), and the engine's logs of -v=11, --tracing and gRPC contain it in plain text. With",
  "EVENT_DATASETS_ACCESS_TOKEN in the environment instead, neither does: set this variable, then run pulumi config rm",
  "event-datasets:accessToken and pulumi up",
].join(" ");

test("a stack's config is shown without secrets, with a warning for a credential in it; one in plain text is a problem", () => {
  const config = stackConfigOf({
    "event-datasets:baseUrl": { value: "https://api.example.com", secret: false },
    "event-datasets:accessToken": { value: "canary", secret: true },
    "event-datasets:profil": { value: "extended", secret: false },
    "web:size": { value: "3", secret: false },
  });
  expect(textsOf({}, config)).toEqual([
    "unknown baseUrl: https://api.example.com (from the stack config): used only by programs, and not tested here",
    `advice ${inStack}`,
    'problem stack config event-datasets:profil is not known; did you mean "profile"?',
  ]);
  // The engine records and logs the stack's, also where the environment's is the one that is used.
  const env = { EVENT_DATASETS_BASE_URL: "https://api.example.com", EVENT_DATASETS_ACCESS_TOKEN: credential };
  expect(textsOf(env, config)).toEqual(
    expect.arrayContaining(["ok accessToken: set (from EVENT_DATASETS_ACCESS_TOKEN)", `advice ${inStack}`]),
  );
  expect(checkSettings(env, {}).filter(({ state }) => state !== "ok")).toEqual([]);
  const plain = stackConfigOf({ "event-datasets:accessToken": { value: "canary", secret: false } });
  expect(textsOf({}, plain)[1]).toMatch(
    /^problem accessToken is in plain text in the stack config: pulumi config set --secret/,
  );
});
