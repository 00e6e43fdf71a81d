import * as pulumi from "@pulumi/pulumi";
import type { DatasetCapabilities, OrgCapabilities } from "../../sdk";
import { storedProvider, typeToken } from "../dynamic/strings";
import { requireDirectDependency } from "./directDependency";

/** The arguments of an `ApiToken`. */
export interface ApiTokenArgs {
  /**
   * Name of the token. Left out, it is the resource's name with a random suffix, which stays the same from then on.
   * Leave it out where you can: a made name lets a token be found again whose creation was never answered.
   */
  name?: pulumi.Input<string | undefined>;
  /** Free text. */
  description?: pulumi.Input<string | undefined>;
  /**
   * When the token stops working: an RFC 3339 instant such as `2027-01-01T00:00:00Z`. Another spelling of the same
   * instant is no change.
   */
  expiresAt?: pulumi.Input<string | undefined>;
  /** Capabilities for each dataset. Their inner structure is not documented: the object is passed on as it is. */
  datasetCapabilities?: pulumi.Input<DatasetCapabilities | undefined>;
  /** Organisation-level capabilities: for each key the actions that are allowed. Their order is no matter. */
  orgCapabilities?: pulumi.Input<OrgCapabilities | undefined>;
}

/**
 * An API token. The service has no update: a change of any argument makes a new token, after which the old one is
 * dropped. In the `documented` profile dropping forgets the token, which stays valid until its `expiresAt`; a warning
 * says so.
 *
 * ```ts
 * const ci = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] }, expiresAt: "2027-01-01T00:00:00Z" });
 * export const secret = ci.token;
 * ```
 */
export class ApiToken extends pulumi.CustomResource {
  /** The name, whether given or made. */
  declare readonly name: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  declare readonly datasetCapabilities: pulumi.Output<DatasetCapabilities | undefined>;
  declare readonly orgCapabilities: pulumi.Output<OrgCapabilities | undefined>;
  /**
   * The secret, always a Pulumi secret. The service shows it once, so a token that came from `ApiToken.get` has none.
   */
  declare readonly token: pulumi.Output<string>;

  /** @throws Error if the program does not depend on this package directly */
  constructor(name: string, args: ApiTokenArgs = {}, options: pulumi.CustomResourceOptions = {}) {
    requireDirectDependency("ApiToken");
    const properties = {
      name: args.name,
      description: args.description,
      expiresAt: args.expiresAt,
      datasetCapabilities: args.datasetCapabilities,
      orgCapabilities: args.orgCapabilities,
      autoName: name,
      token: undefined,
      __provider: storedProvider("ApiToken"),
    };
    super(
      typeToken("ApiToken"),
      name,
      properties,
      pulumi.mergeOptions(options, { additionalSecretOutputs: ["token"] }),
    );
  }

  /** Looks up an existing token by its id, without managing it. Its `token` is empty: the secret cannot be read again. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}): ApiToken {
    return new ApiToken(name, {}, { ...options, id });
  }
}
