import { fromEnvironment, type SettingKey, type SettingsSource } from "../../sdk/settings";
import { configNamespace } from "../strings";

/**
 * The places where settings are looked for. An explicit provider's arguments are all there is for it, or a token could
 * reach another account's host. Otherwise the environment comes first: for `refresh` and `destroy` the engine hands over
 * the stack config of the last update, and a credential rotated since then must win.
 *
 * @param provider name of the explicit provider, if there is one
 * @param get reads the explicit provider's argument or the stack config, by setting
 */
export function settingsSources(
  provider: string | undefined,
  get: (key: SettingKey) => string | undefined,
): readonly SettingsSource[] {
  if (provider !== undefined) return [{ describe: (key) => `argument ${key} of Provider "${provider}"`, get }];
  return [fromEnvironment(), { describe: (key) => `stack config ${configNamespace}:${key}`, get }];
}
