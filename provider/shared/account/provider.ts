import type { Inputs } from "../../../framework/program/inputs";
import { providerClass } from "../../../framework/program/providerClass";
import type { WrittenSettings } from "../../../sdk/settings";
import { thisPackage } from "../strings";

/** The arguments of a `Provider`. It uses only these: a missing argument is not taken from the environment or the stack config. */
export interface ProviderArgs extends AsInputs<WrittenSettings> {}
type AsInputs<T> = { -readonly [Key in keyof T]: Inputs<T[Key]> };

/**
 * A connection to one account. Use it to manage objects in more than one account, or with settings that differ from those
 * of the environment and the stack config.
 *
 * @example
 * ```ts
 * const prod = new Provider("prod", { baseUrl: "https://api.example.com", accessToken: config.requireSecret("prodToken") });
 * new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] } }, { provider: prod });
 * ```
 */
export class Provider extends providerClass<ProviderArgs>(thisPackage) {}
