import { canonicalAddress, isLoopback } from "../values/address";
import { defined } from "../values/defined";
import { parseDuration } from "../values/duration";
import type { KeysWith } from "../values/keys";
import { withPrintableFailures } from "../values/printable";
import { longestDeadline } from "./operations";
import { offers, type Profile, profiles } from "./profiles";

/** A setting's value, or the problem with its text, as in "must be …". The problem never quotes the text. */
type Read<T> = (text: string) => { readonly value: T } | { readonly problem: string };

/** The facts about one setting. */
interface Definition<T> {
  readonly read: Read<T>;
  /** The smallest profile that has it. Default `documented`. */
  readonly profile?: Profile;
  readonly required?: true;
  readonly secret?: true;
  /** It always has a value. */
  readonly preset?: true;
}

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
    return { problem: "must be an http(s) address such as https://api.axiom.co" };
  if (url.username || url.password)
    return { problem: "must not contain a user name or password: set the access token instead" };
  if (url.search || url.hash) return { problem: "must have no query string and no fragment" };
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return {
      problem: "must use https: the access token is not sent in plain text (http is for loopback addresses)",
    };
  }
  return { value: canonicalAddress(text) };
}

/** @internal Every setting. The names in the environment and in the stack config, and the arguments of a `Provider`, follow from its key. */
export const settingDefinitions = {
  /** Base URL of the service: `https:`, or `http:` for a loopback address. */
  baseUrl: { read: readBaseUrl, required: true },
  /** Access token for the service. It is always a secret. */
  accessToken: {
    read: readMatching(/^[\x21-\x7e]+$/, "must contain only visible ASCII characters (no spaces or line breaks)"),
    required: true,
    secret: true,
  },
  /**
   * The requests that may be sent. `documented`: create, read and list tokens, create annotations, and query. `extended`: also
   * the other requests that this package can send to Axiom, such as revoking a token.
   * @default `extended` if the host of `baseUrl` is `axiom.co` or a subdomain of it, otherwise `documented`
   */
  profile: { read: readOneOf(profiles), preset: true },
  /**
   * Whether every `ApiToken` must have an expiry.
   * @default false
   */
  requireExpiry: { read: readBoolean, preset: true },
  /**
   * Base URL of the edge deployment that receives queries, such as `https://eu-central-1.aws.edge.axiom.co`. Their results do
   * not leave the deployment. It accepts only API tokens, and does not support `queryDataset`. Needs the `extended` profile.
   */
  edgeUrl: { read: readBaseUrl, profile: "extended" },
  /** Name of the query parameter that selects the format of a query result. Only the `documented` profile needs it. */
  formatParameter: { read: readMatching(/^[\w.~-]+$/, "must be the name of a query parameter") },
  /** Id of the organization that a personal access token acts for. Needs the `extended` profile. */
  orgId: {
    read: readMatching(
      /^[\x21-\x7e]{1,200}$/,
      "must be the id of an organization: visible ASCII characters, no spaces",
    ),
    profile: "extended",
  },
  /**
   * Time limit of a request about one object, such as `45s`.
   * @default "30s"
   */
  callDeadline: { read: readDeadline },
  /**
   * Time limit of a request that lists all objects.
   * @default "2m"
   */
  listDeadline: { read: readDeadline },
  /**
   * Time limit of a query.
   * @default "2m"
   */
  queryDeadline: { read: readDeadline },
} as const satisfies Readonly<Record<string, Definition<unknown>>>;

type Definitions = typeof settingDefinitions;
type Required = KeysWith<Definitions, { readonly required: true }>;
type Present = Required | KeysWith<Definitions, { readonly preset: true }>;
type ValueOf<Entry> = Entry extends { readonly read: Read<infer T> } ? T : never;
type Values<Table> = { readonly [Key in keyof Table]: ValueOf<Table[Key]> };
/** A deadline is written as a duration. */
type Written<Table, Or = never> = {
  readonly [Key in keyof Table]: (ValueOf<Table[Key]> extends number ? string : ValueOf<Table[Key]>) | Or;
};

/** The key of a setting, from which its names in the environment and in the stack config follow. */
export type SettingKey = keyof Definitions;

/** Checked settings of one connection: addresses are canonical, and deadlines are in milliseconds. */
export interface Settings
  extends Values<Pick<Definitions, Present>>,
    Partial<Values<Pick<Definitions, Exclude<SettingKey, Present>>>> {
  /** The source of the access token, for the message when the service refuses it. */
  readonly credentialFrom: string;
  /** How a message names a setting and its place; default: `spellSetting`. */
  readonly nameOf?: (key: SettingKey) => string;
}

/** The settings as the user wrote them. */
export interface WrittenSettings
  extends Written<Pick<Definitions, Required>>,
    Partial<Written<Pick<Definitions, Exclude<SettingKey, Required>>, undefined>> {}

/** Every key, in the order in which problems are reported. */
export const settingKeys = Object.keys(settingDefinitions) as readonly SettingKey[];

type UpperSnake<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? `_${First}` : Uppercase<First>}${UpperSnake<Rest>}`
  : "";

/** The environment variable of each setting, such as `EVENT_DATASETS_BASE_URL` for `baseUrl`. */
export const environmentNames = Object.fromEntries(
  settingKeys.map((key) => [key, `EVENT_DATASETS_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`]),
) as { readonly [Key in SettingKey]: `EVENT_DATASETS_${UpperSnake<Key>}` };

/** Names a setting in each of its places: `profile (EVENT_DATASETS_PROFILE, event-datasets:profile)`. */
export const spellSetting = (key: SettingKey): string => `${key} (${environmentNames[key]}, event-datasets:${key})`;

/** Names a setting where these settings can come from: an argument of an explicit provider, or the two places of all others. */
const nameIn = ([first, ...others]: readonly SettingsSource[]): ((key: SettingKey) => string) =>
  first === undefined || others.length > 0 ? spellSetting : (key) => first.describe(key);

/** Tells the user how to get the profile `extended`. */
export const howToExtend = ({ nameOf = spellSetting }: Pick<Settings, "nameOf"> = {}): string =>
  `set ${nameOf("profile")} to "extended"`;

/** Axiom offers the profile `extended`. Another service may not. */
const chooseProfile = (baseUrl: unknown): Profile =>
  typeof baseUrl === "string" && /(^|\.)axiom\.co$/.test(new URL(baseUrl).hostname) ? "extended" : "documented";

/** A source of settings. */
export interface SettingsSource {
  /** Describes where a user sets this key, as in "environment variable EVENT_DATASETS_BASE_URL". */
  describe(key: SettingKey): string;
  /** The text that is set here, or undefined. */
  get(key: SettingKey): string | undefined;
}

/** A problem with one setting. The reason never quotes an access token. */
export interface SettingProblem {
  /** The setting. */
  readonly key: SettingKey;
  /** A sentence that names the place and the allowed values. */
  readonly reason: string;
}

/** The settings or, if they are wrong, all problems with them. */
export type SettingsResult = { readonly settings: Settings } | { readonly problems: readonly SettingProblem[] };

/** The process environment as a source. */
export const fromEnvironment = (env: Record<string, string | undefined> = process.env): SettingsSource => ({
  describe: (key) => `environment variable ${environmentNames[key]}`,
  get: (key) => env[environmentNames[key]],
});

/** Reads each key from the first source that has it; an empty string counts as missing. */
export function resolveSettings(sources: readonly SettingsSource[]): SettingsResult {
  const problems: SettingProblem[] = [];
  const values: Partial<Record<SettingKey, unknown>> = {};
  const sourceOf = (key: SettingKey) => sources.find((source) => source.get(key));
  for (const key of settingKeys) {
    const { read, required }: Definition<unknown> = settingDefinitions[key];
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
  const nameOf = nameIn(sources);
  const profile = (values.profile as Profile | undefined) ?? chooseProfile(values.baseUrl);
  for (const key of settingKeys) {
    if (values[key] === undefined || offers(profile, { profile: "documented", ...settingDefinitions[key] })) continue;
    problems.push({
      key,
      reason: `${sourceOf(key)?.describe(key)} needs the profile "extended": ${howToExtend({ nameOf })}`,
    });
  }
  if (problems.length > 0) return { problems };
  const credentialFrom = sourceOf("accessToken")?.describe("accessToken") ?? "";
  return { settings: { requireExpiry: false, ...defined(values), profile, credentialFrom, nameOf } as Settings };
}

/**
 * Reads each setting from the first source that has it.
 * @throws Error that names every missing or invalid setting and the places where it could be set
 */
export const requireSettings = withPrintableFailures((sources: readonly SettingsSource[]): Settings => {
  const result = resolveSettings(sources);
  if ("settings" in result) return result.settings;
  throw new Error(result.problems.map((p) => p.reason).join("; "));
});
