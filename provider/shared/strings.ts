import type { ProviderPackage, Setting } from "../../framework/package";
import { fromEnvironment, type SettingKey, type SettingsSource, settingDefinitions } from "../../sdk/settings";

/** The names that the engine stores, which are permanent. */
export const thisPackage: ProviderPackage = {
  npm: "pulumi-event-datasets",
  namespace: "event-datasets",
  settings: settingDefinitions as Readonly<Record<SettingKey, Setting>>,
};

/**
 * The places of the settings. An explicit provider uses only its own arguments: otherwise a token could reach the host of
 * another account. Without an explicit provider, the environment comes first: for `refresh` and `destroy` the engine passes the
 * stack config of the last update, and an access token that was rotated since then must win.
 * @param provider name of the explicit provider, if there is one
 * @param get reads the explicit provider's argument or the stack config, by setting
 */
export function settingsSources(
  provider: string | undefined,
  get: (key: SettingKey) => string | undefined,
): readonly SettingsSource[] {
  if (provider !== undefined) return [{ describe: (key) => `argument ${key} of Provider "${provider}"`, get }];
  return [fromEnvironment(), { describe: (key) => `stack config ${thisPackage.namespace}:${key}`, get }];
}
