import * as pulumi from "@pulumi/pulumi";
import type { Profile, SettingKey } from "../../sdk";
import { configNamespace, explicitProviderKey } from "../dynamic/strings";

/** The arguments of a `Provider`. They are all there is for it: nothing is completed from environment or stack config. */
export interface ProviderArgs {
  /** Address of the service; `https:`, or `http:` for loopback. */
  baseUrl: pulumi.Input<string>;
  /** An access token that the service issued. Always treated as a secret. */
  accessToken: pulumi.Input<string>;
  /** Default `documented`. */
  profile?: pulumi.Input<Profile | undefined>;
  /** Whether an `ApiToken` without an expiry is an error. Default false. */
  requireExpiry?: pulumi.Input<boolean | undefined>;
  /** Name of the query parameter for the format of a query's answer, which the documented interface does not show. */
  formatParameter?: pulumi.Input<string | undefined>;
  /** Your own label of the account, to tell it from others at the same address. It is not sent. */
  account?: pulumi.Input<string | undefined>;
  /** The organisation that a personal token is used for. Profile `extended` only. */
  orgId?: pulumi.Input<string | undefined>;
  /** How long a call on one object may take: `45s`. Default `30s`. */
  callDeadline?: pulumi.Input<string | undefined>;
  /** How long a call that lists everything may take: `5m`. Default `2m`. */
  listDeadline?: pulumi.Input<string | undefined>;
  /** How long a query may take: `5m`. Default `2m`. */
  queryDeadline?: pulumi.Input<string | undefined>;
}

/**
 * The connection to one account, for programs that work with more than the default one.
 *
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

  /** @throws Error that names an argument that is missing */
  constructor(name: string, args: ProviderArgs, options: pulumi.ResourceOptions = {}) {
    for (const key of ["baseUrl", "accessToken"] as const) {
      if (!args[key]) throw new Error(`Provider "${name}": argument ${key} is missing or empty`);
    }
    const accessToken = pulumi.secret(args.accessToken);
    const requireExpiry = pulumi.output(args.requireExpiry).apply((value) => value?.toString());
    const { baseUrl, profile, formatParameter, account, orgId, callDeadline, listDeadline, queryDeadline } = args;
    const connection = {
      ...{ baseUrl, accessToken, profile, requireExpiry, formatParameter, account, orgId },
      ...{ callDeadline, listDeadline, queryDeadline },
    } satisfies Record<SettingKey, unknown>;
    const named = Object.fromEntries(
      Object.entries(connection).map(([key, value]) => [`${configNamespace}:${key}`, value]),
    );
    super("pulumi-nodejs", name, { [explicitProviderKey]: name, ...named }, options);
    this.connection = pulumi.output(connection);
    this.logicalName = name;
  }
}
