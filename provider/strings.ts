import type { ProviderPackage } from "../framework/package";
import { fromEnvironment, type SettingKey, type SettingsSource, unknownSettings } from "../sdk/settings";

/** The namespace of stack config and of an explicit provider's inputs. */
export const configNamespace = "event-datasets";

const describeConfig = (key: string): string => `stack config ${configNamespace}:${key}`;

/** The names that the engine stores: permanent. */
export const thisPackage: ProviderPackage = {
  npm: "pulumi-event-datasets",
  namespace: configNamespace,
  unknownSettings: (names) => unknownSettings(names, describeConfig),
};

/** The members of a token's record that prove its account. No argument shows in them. */
export const evidenceMembers = ["credential", "beside"] as const;

/** The input that marks the config of an explicit provider, and holds its name. */
export const explicitProviderKey = `${configNamespace}:provider`;

/** Everything wrong with the arguments of an explicit provider, a sentence each. */
export const findArgumentProblems = (args: Readonly<Record<string, unknown>>): readonly string[] => [
  ...["baseUrl", "accessToken"].filter((key) => !args[key]).map((key) => `argument ${key} is missing or empty`),
  ...unknownSettings(Object.keys(args), (key) => `argument ${key}`),
];

/**
 * The places of the settings. An explicit provider uses only its own arguments, or a token could reach another account's host.
 * Otherwise the environment comes first: for `refresh` and `destroy` the engine passes the stack config of the last update,
 * and a credential that was rotated since then must win.
 * @param provider name of the explicit provider, if there is one
 * @param get reads the explicit provider's argument or the stack config, by setting
 */
export function settingsSources(
  provider: string | undefined,
  get: (key: SettingKey) => string | undefined,
): readonly SettingsSource[] {
  if (provider !== undefined) return [{ describe: (key) => `argument ${key} of Provider "${provider}"`, get }];
  return [fromEnvironment(), { describe: describeConfig, get }];
}
