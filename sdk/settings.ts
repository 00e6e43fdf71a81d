import { canonicalAddress, isLoopback } from "../values/address";
import { defined } from "../values/defined";
import { parseDuration } from "../values/duration";
import { suggestName } from "../values/nearestName";
import { withPrintableFailures } from "../values/printable";
import { longestDeadline, offers, type Profile, profiles } from "./operations";

/** Checked settings of one connection. */
export interface Settings {
  /** Address of the service: canonical, without a trailing slash. */
  readonly baseUrl: string;
  /** The credential. */
  readonly accessToken: string;
  /** The operations and fields that the client may use. Default: `extended` at `axiom.co` and below, else `documented`. */
  readonly profile: Profile;
  /** Whether a declared token without an expiry is an error. Default false. */
  readonly requireExpiry: boolean;
  /** Address of the edge deployment that receives queries, instead of `baseUrl`. Extended profile only. */
  readonly edgeUrl?: string;
  /** Name of the query parameter for the format of a query's response, if the profile does not know it. */
  readonly formatParameter?: string;
  /** Organization that a personal token is used for. Extended profile only. */
  readonly orgId?: string;
  /** How long a call on one object may take, in milliseconds. Default 30,000. */
  readonly callDeadline?: number;
  /** How long a call that lists everything may take, in milliseconds. Default 120,000. */
  readonly listDeadline?: number;
  /** How long a query may take, in milliseconds. Default 120,000. */
  readonly queryDeadline?: number;
  /** The source of the access token, for the message when the service refuses it. */
  readonly credentialFrom: string;
}

/** A connection's settings, by the names that the environment, the stack config and `Provider` share. */
export type SettingKey = Exclude<keyof Settings, "credentialFrom">;

/** A setting's value, or the problem with its text, as in "must be …". The problem never quotes the text. */
type Read<T> = (text: string) => { readonly value: T } | { readonly problem: string };

/** The facts about one setting. */
interface Definition<T> {
  readonly read: Read<T>;
  /** The smallest profile that has it. Default `documented`. */
  readonly profile?: Profile;
  readonly required?: true;
}

type Definitions = { readonly [Key in SettingKey]-?: Definition<Exclude<Settings[Key], undefined>> };

const readMatching =
  (form: RegExp, problem: string): Read<string> =>
  (text) =>
    form.test(text) ? { value: text } : { problem };

const readOneOf =
  <T extends string>(allowed: readonly T[]): Read<T> =>
  (text) => {
    const value = allowed.find((one) => one === text);
    return value === undefined ? { problem: `must be one of ${allowed.join(", ")}` } : { value };
  };

const readBoolean: Read<boolean> = (text) => {
  const choice = readOneOf(["true", "false"])(text);
  return "problem" in choice ? choice : { value: choice.value === "true" };
};

const readDeadline: Read<number> = (text) => {
  const { months, milliseconds } = parseDuration(text) ?? { months: 0, milliseconds: 0 };
  return months > 0 || milliseconds === 0 || milliseconds > longestDeadline
    ? { problem: "must be a duration such as 45s or 2m, at most 1h" }
    : { value: milliseconds };
};

function readBaseUrl(text: string): ReturnType<Read<string>> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["https:", "http:"].includes(url.protocol))
    return { problem: "must be an http(s) address such as https://api.example.com" };
  if (url.username || url.password)
    return { problem: "must hold no user name or password: the credential is the access token" };
  if (url.search || url.hash) return { problem: "must have no query string and no fragment" };
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return {
      problem: "must use https: a credential is not sent in plain text (http is for loopback addresses)",
    };
  }
  return { value: canonicalAddress(text) };
}

/** Every setting. The names in the environment and in the stack config follow from its key. */
const definitions: Definitions = {
  baseUrl: { read: readBaseUrl, required: true },
  accessToken: {
    read: readMatching(/^[\x21-\x7e]+$/, "must hold visible ASCII characters only (no spaces or line ends)"),
    required: true,
  },
  profile: { read: readOneOf(profiles) },
  requireExpiry: { read: readBoolean },
  edgeUrl: { read: readBaseUrl, profile: "extended" },
  formatParameter: { read: readMatching(/^[\w.~-]+$/, "must be the name of a query parameter") },
  orgId: {
    read: readMatching(
      /^[\x21-\x7e]{1,200}$/,
      "must be the id of an organization: visible ASCII characters, no spaces",
    ),
    profile: "extended",
  },
  callDeadline: { read: readDeadline },
  listDeadline: { read: readDeadline },
  queryDeadline: { read: readDeadline },
};

/** Every key, in the order in which problems are reported. */
export const settingKeys = Object.keys(definitions) as readonly SettingKey[];

type UpperSnake<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? `_${First}` : Uppercase<First>}${UpperSnake<Rest>}`
  : "";

/** Where each setting is looked for in the environment: `baseUrl` in `EVENT_DATASETS_BASE_URL`. */
export const environmentNames = Object.fromEntries(
  settingKeys.map((key) => [key, `EVENT_DATASETS_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`]),
) as { readonly [Key in SettingKey]: `EVENT_DATASETS_${UpperSnake<Key>}` };

/** How a user names a setting in each place: `profile (EVENT_DATASETS_PROFILE, event-datasets:profile)`. */
export const spellSetting = (key: SettingKey): string => `${key} (${environmentNames[key]}, event-datasets:${key})`;

/** Tells the user how to get the profile that has everything. */
export const howToExtend = `set ${spellSetting("profile")} to extended`;

/** The public service offers the profile `extended`. Of another service, only the documented interface is known. */
const chooseProfile = (baseUrl: unknown): Profile =>
  typeof baseUrl === "string" && /(^|\.)axiom\.co$/.test(new URL(baseUrl).hostname) ? "extended" : "documented";

/** A source of settings. */
export interface SettingsSource {
  /** How a user sets this key here, as in "environment variable EVENT_DATASETS_BASE_URL". */
  describe(key: SettingKey): string;
  /** The text that is set here; undefined: none. */
  get(key: SettingKey): string | undefined;
}

/** A problem with one setting. The reason never quotes an access token. */
export interface SettingProblem {
  /** The setting. */
  readonly key: SettingKey;
  /** A sentence that names the place and the allowed values. */
  readonly reason: string;
}

/** The settings, or all problems with them. */
export type SettingsResult = { readonly settings: Settings } | { readonly problems: readonly SettingProblem[] };

/** The process environment as a source. */
export const fromEnvironment = (env: Record<string, string | undefined> = process.env): SettingsSource => ({
  describe: (key) => `environment variable ${environmentNames[key]}`,
  get: (key) => env[environmentNames[key]],
});

/** Takes each key from the first source that has it; an empty string counts as missing. */
export function resolveSettings(sources: readonly SettingsSource[]): SettingsResult {
  const problems: SettingProblem[] = [];
  const values: Partial<Record<SettingKey, unknown>> = {};
  const sourceOf = (key: SettingKey) => sources.find((source) => source.get(key));
  for (const key of settingKeys) {
    const { read, required }: Definition<unknown> = definitions[key];
    const source = sourceOf(key);
    const text: unknown = source?.get(key);
    const reading = !source
      ? { value: undefined }
      : typeof text === "string"
        ? read(text)
        : { problem: "must be a string" };
    if ("problem" in reading) problems.push({ key, reason: `${source?.describe(key)} ${reading.problem}` });
    else values[key] = reading.value;
    if (source || !required) continue;
    const places = sources.map((one) => one.describe(key)).join(" or ");
    problems.push({ key, reason: `${key} is missing: set ${places}` });
  }
  const profile = (values.profile as Profile | undefined) ?? chooseProfile(values.baseUrl);
  for (const key of settingKeys) {
    if (values[key] === undefined || offers(profile, { profile: "documented", ...definitions[key] })) continue;
    problems.push({ key, reason: `${sourceOf(key)?.describe(key)} needs the profile extended: ${howToExtend}` });
  }
  if (problems.length > 0) return { problems };
  const credentialFrom = sourceOf("accessToken")?.describe("accessToken") ?? "";
  return { settings: { requireExpiry: false, ...defined(values), profile, credentialFrom } as Settings };
}

/**
 * Takes each setting from the first source that has it.
 * @throws Error that names every missing or invalid setting and the places where it could be set
 */
export const requireSettings = withPrintableFailures((sources: readonly SettingsSource[]): Settings => {
  const result = resolveSettings(sources);
  if ("settings" in result) return result.settings;
  throw new Error(result.problems.map((p) => p.reason).join("; "));
});

/**
 * Finds the names that are not settings.
 * @param names the names as the user wrote them, without a prefix
 * @param describe how a user would set a name there, as in "stack config event-datasets:baseUrl"
 */
export const unknownSettings = (names: readonly string[], describe: (name: string) => string): string[] =>
  names
    .filter((name) => !settingKeys.some((key) => key === name))
    .map((name) => `${describe(name)} is not known${suggestName(name, settingKeys)}`);
