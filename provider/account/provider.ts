import * as pulumi from "@pulumi/pulumi";
import type { Profile } from "../../sdk";
import { type SettingKey, settingKeys, unknownSettings } from "../../sdk/settings";
import { withPrintableFailures } from "../../values/printable";
import { configNamespace, explicitProviderKey } from "../strings";

/** The arguments of a `Provider`. They are all there is for it: nothing is completed from environment or stack config. */
export interface ProviderArgs {
  /** Address of the service; `https:`, or `http:` for loopback. */
  baseUrl: pulumi.Input<string>;
  /** An access token that the service issued. Always treated as a secret. */
  accessToken: pulumi.Input<string>;
  /**
   * What may be asked of the service.
   * @default "documented"
   */
  profile?: pulumi.Input<Profile | undefined>;
  /**
   * Whether an `ApiToken` without an expiry is an error.
   * @default false
   */
  requireExpiry?: pulumi.Input<boolean | undefined>;
  /** Name of the query parameter for the format of a query's answer, which the documented interface does not show. */
  formatParameter?: pulumi.Input<string | undefined>;
  /** Your own label of the account, to tell it from others at the same address. It is not sent. */
  account?: pulumi.Input<string | undefined>;
  /** The organisation that a personal token is used for. Profile `extended` only. */
  orgId?: pulumi.Input<string | undefined>;
  /**
   * How long a call on one object may take, such as `45s`.
   * @default "30s"
   */
  callDeadline?: pulumi.Input<string | undefined>;
  /**
   * How long a call that lists everything may take.
   * @default "2m"
   */
  listDeadline?: pulumi.Input<string | undefined>;
  /**
   * How long a query may take.
   * @default "2m"
   */
  queryDeadline?: pulumi.Input<string | undefined>;
}

/**
 * The connection to one account, for programs that work with more than the default one.
 *
 * @example
 * ```ts
 * const prod = new Provider("prod", { baseUrl: "https://api.example.com", accessToken: config.requireSecret("prodToken") });
 * new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] } }, { provider: prod });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /** @internal The arguments, for the data functions: they run in the program, where no provider process helps them. */
  readonly connection: pulumi.Output<Partial<Record<SettingKey, string | undefined>>>;
  /** @internal */
  readonly logicalName: string;

  /** @throws Error that names an argument that is missing or not known */
  constructor(name: string, args: ProviderArgs, options: pulumi.ResourceOptions = {}) {
    requireArguments(name, args);
    const entries = settingKeys.map((key) => [key, readArgument(args, key)] as const);
    const named = entries.map(([key, value]) => [`${configNamespace}:${key}`, value]);
    super("pulumi-nodejs", name, { [explicitProviderKey]: name, ...Object.fromEntries(named) }, options);
    this.connection = pulumi.output(Object.fromEntries(entries));
    this.logicalName = name;
  }
}

const requireArguments = withPrintableFailures((name: string, args: ProviderArgs): void => {
  const problems = [
    ...(["baseUrl", "accessToken"] as const)
      .filter((key) => !args[key])
      .map((key) => `argument ${key} is missing or empty`),
    ...unknownSettings(Object.keys(args), (key) => `argument ${key}`),
  ];
  if (problems.length > 0) throw new Error(`Provider "${name}": ${problems.join("; ")}`);
});

/** An argument as the text that all settings are. */
function readArgument(args: ProviderArgs, key: SettingKey): pulumi.Input<string | undefined> {
  const value: pulumi.Input<string | boolean | undefined> = args[key];
  const isText = value === undefined || typeof value === "string";
  const text = isText ? value : pulumi.output<string | boolean | undefined>(value).apply((known) => known?.toString());
  return key === "accessToken" ? pulumi.secret(text) : text;
}
