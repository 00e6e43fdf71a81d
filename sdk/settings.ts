import { type Profile, profiles } from "./operations";

/** The connection's settings, by the names that the environment, the stack config and `Provider` share. */
export const settingKeys = ["baseUrl", "accessToken", "profile", "requireExpiry", "formatParameter"] as const;

export type SettingKey = (typeof settingKeys)[number];

/** Where each setting is looked for in the environment. */
export const environmentNames = {
  baseUrl: "EVENT_DATASETS_BASE_URL",
  accessToken: "EVENT_DATASETS_ACCESS_TOKEN",
  profile: "EVENT_DATASETS_PROFILE",
  requireExpiry: "EVENT_DATASETS_REQUIRE_EXPIRY",
  formatParameter: "EVENT_DATASETS_FORMAT_PARAMETER",
} as const satisfies Record<SettingKey, string>;

/** Checked settings of one connection. */
export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly profile: Profile;
  /** Whether a declared token without an expiry is an error. */
  readonly requireExpiry: boolean;
  /** Name of the query parameter for the format of a query's answer, where the profile does not know it. */
  readonly formatParameter?: string;
  /** The place the access token came from, for the message when the service refuses it. */
  readonly credentialFrom: string;
}

/** One place that settings are looked for in. */
export interface SettingsSource {
  /** How a user sets this key here, as in "environment variable EVENT_DATASETS_BASE_URL". */
  describe(key: SettingKey): string;
  get(key: SettingKey): string | undefined;
}

/** What is wrong with one setting. The reason never quotes an access token. */
export interface SettingProblem {
  readonly key: SettingKey;
  readonly reason: string;
}

/** The settings, or everything that is wrong with them. */
export type SettingsResult = { readonly settings: Settings } | { readonly problems: readonly SettingProblem[] };

/** The process environment as a source. */
export const fromEnvironment = (env: Record<string, string | undefined> = process.env): SettingsSource => ({
  describe: (key) => `environment variable ${environmentNames[key]}`,
  get: (key) => env[environmentNames[key]],
});

/** Takes each key from the first source that has it; an empty string counts as missing. */
export function resolveSettings(sources: readonly SettingsSource[]): SettingsResult {
  const problems: SettingProblem[] = [];
  const found = (key: SettingKey) => sources.find((source) => source.get(key));
  const required = (key: SettingKey, problemOf: (value: string) => string | undefined): string => {
    const source = found(key);
    const value = source?.get(key);
    if (!source || !value) {
      const places = sources.map((s) => s.describe(key)).join(" or ");
      problems.push({ key, reason: `${key} is missing: set ${places}` });
      return "";
    }
    const problem = problemOf(value);
    if (problem) problems.push({ key, reason: `${source.describe(key)} ${problem}` });
    return value;
  };

  const baseUrl = required("baseUrl", baseUrlProblem).replace(/\/+$/, "");
  const accessToken = required("accessToken", accessTokenProblem);
  const chosen = <T extends string>(key: SettingKey, allowed: readonly T[], preset: T): T => {
    const source = found(key);
    const value = source?.get(key);
    const match = allowed.find((one) => one === value);
    if (value && !match)
      problems.push({ key, reason: `${source?.describe(key)} must be one of ${allowed.join(", ")}` });
    return match ?? preset;
  };
  const profile = chosen("profile", profiles, "documented");
  const requireExpiry = chosen("requireExpiry", ["true", "false"], "false") === "true";
  const formatParameter = found("formatParameter")?.get("formatParameter");
  if (formatParameter && !/^[\w.~-]+$/.test(formatParameter)) {
    const place = found("formatParameter")?.describe("formatParameter");
    problems.push({ key: "formatParameter", reason: `${place} must be the name of a query parameter` });
  }
  if (problems.length > 0) return { problems };
  const credentialFrom = found("accessToken")?.describe("accessToken") ?? "";
  const optional = formatParameter ? { formatParameter } : {};
  return { settings: { baseUrl, accessToken, profile, requireExpiry, credentialFrom, ...optional } };
}

/**
 * The settings of the first source that has each key.
 * @throws Error that names every missing or unusable setting and each place looked in
 */
export function requireSettings(sources: readonly SettingsSource[]): Settings {
  const result = resolveSettings(sources);
  if ("settings" in result) return result.settings;
  throw new Error(result.problems.map((p) => p.reason).join("; "));
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function baseUrlProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !["https:", "http:"].includes(url.protocol))
    return "must be an http(s) address such as https://api.example.com";
  if (url.username || url.password) return "must hold no user name or password: the credential is the access token";
  if (url.search || url.hash) return "must have no query string and no fragment";
  if (url.protocol === "http:" && !loopback.test(url.hostname)) {
    return "must use https: a credential is not sent in plain text (http is for loopback addresses)";
  }
  return undefined;
}

const accessTokenProblem = (value: string): string | undefined =>
  /^[\x21-\x7e]+$/.test(value) ? undefined : "must hold visible ASCII characters only (no spaces or line ends)";
