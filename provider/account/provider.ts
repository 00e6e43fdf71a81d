import * as pulumi from "@pulumi/pulumi";
import type { Profile } from "../../sdk";
import { type SettingKey, settingKeys } from "../../sdk/settings";
import { makePrintable, withPrintableFailures } from "../../values/printable";
import { configNamespace, explicitProviderKey, findArgumentProblems } from "../strings";

/** The arguments of a `Provider`. It uses only these: a missing argument is not taken from the environment or the stack config. */
export interface ProviderArgs {
  /** Base URL of the service: `https:`, or `http:` for a loopback address. */
  baseUrl: pulumi.Input<string>;
  /** Access token for the service. It is always a secret. */
  accessToken: pulumi.Input<string>;
  /**
   * The requests that the provider may send. `documented`: only those of the documented interface. `extended`: also those
   * that the public service offers beyond it, such as the deletion of a token.
   * @default `extended` if `baseUrl` is at `axiom.co` or below it, otherwise `documented`
   */
  profile?: pulumi.Input<Profile | undefined>;
  /**
   * Whether every `ApiToken` must have an expiry.
   * @default false
   */
  requireExpiry?: pulumi.Input<boolean | undefined>;
  /**
   * Base URL of the edge deployment that receives queries, such as `https://eu-central-1.aws.edge.axiom.co`. Their results do
   * not leave the deployment. It accepts API tokens only, and no `queryDataset`. Needs the `extended` profile.
   */
  edgeUrl?: pulumi.Input<string | undefined>;
  /** Name of the query parameter that selects the format of a query result. The documented interface does not show this name. */
  formatParameter?: pulumi.Input<string | undefined>;
  /** Id of the organization that a personal access token acts for. Needs the `extended` profile. */
  orgId?: pulumi.Input<string | undefined>;
  /**
   * Time limit of a request about one object, such as `45s`.
   * @default "30s"
   */
  callDeadline?: pulumi.Input<string | undefined>;
  /**
   * Time limit of a request that lists all objects.
   * @default "2m"
   */
  listDeadline?: pulumi.Input<string | undefined>;
  /**
   * Time limit of a query.
   * @default "2m"
   */
  queryDeadline?: pulumi.Input<string | undefined>;
}

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
    try {
      super("pulumi-nodejs", name, { [explicitProviderKey]: name, ...Object.fromEntries(named) }, options);
    } catch (failure) {
      throw makePrintable(failure);
    }
    this.connection = pulumi.output(Object.fromEntries(entries));
    this.logicalName = name;
  }
}

const requireArguments = withPrintableFailures((name: string, args: ProviderArgs): void => {
  const problems = findArgumentProblems({ ...args });
  if (problems.length > 0) throw new Error(`Provider "${name}": ${problems.join("; ")}`);
});

/** An argument as the text that all settings are. */
function readArgument(args: ProviderArgs, key: SettingKey): pulumi.Input<string | undefined> {
  const value: pulumi.Input<string | boolean | undefined> = args[key];
  const isText = value === undefined || typeof value === "string";
  const text = isText ? value : pulumi.output<string | boolean | undefined>(value).apply((known) => known?.toString());
  return key === "accessToken" ? pulumi.secret(text) : text;
}
