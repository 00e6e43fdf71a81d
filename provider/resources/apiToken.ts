import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import type { Action, DatasetCapabilities, JsonObject, OrgCapabilities } from "../../sdk";
import { storedProvider, typeToken } from "../dynamic/strings";
import { type Rotation, rotatesAt } from "../lifecycle/token/rotation";
import { requireDirectDependency } from "./directDependency";

/** Lists of actions by key, where a list and each action can be an output. */
type InputsOf<Capabilities> = {
  readonly [Key in keyof Capabilities]: pulumi.Input<readonly pulumi.Input<Action>[] | undefined>;
};

/** When a token is replaced by a new one. Durations are short (`36h`, `14d`; s, m, h, d, w) or ISO 8601 (`P90D`). */
export interface RotationArgs {
  /** How long each token is valid, counted from its creation. Goes with `rotateBefore`. */
  expireAfter?: pulumi.Input<string | undefined>;
  /**
   * How long before its expiry a token is replaced by the next `pulumi up`: the time in which consumers take up the new
   * one while the old one still works. Shorter than `expireAfter`.
   */
  rotateBefore?: pulumi.Input<string | undefined>;
  /** A change of any of these values replaces the token. */
  triggers?: pulumi.Input<Record<string, pulumi.Input<string | number | boolean>> | undefined>;
}

/** An existing token to take under management: either `id` or `name`. */
export interface AdoptArgs {
  id?: pulumi.Input<string | undefined>;
  /** An error if several tokens have it. */
  name?: pulumi.Input<string | undefined>;
  /** The token's secret, if you have it: the service does not show it again. Always treated as a secret. */
  token?: pulumi.Input<string | undefined>;
}

/** The arguments of an `ApiToken`. At most one of `expiresAt`, `expiresIn` and `rotation.expireAfter`. */
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
  /** How long the token is valid, counted from its creation: `90d`, `P90D`. */
  expiresIn?: pulumi.Input<string | undefined>;
  /** Replaces the token before it expires. */
  rotation?: pulumi.Input<RotationArgs | undefined>;
  /**
   * What becomes of the token when it is replaced or destroyed: `revoke` deletes it (`extended` profile, the default
   * there), `expire` leaves it to its own expiry (all that the `documented` profile can do).
   */
  retire?: pulumi.Input<"revoke" | "expire" | undefined>;
  /**
   * Takes an existing token under management instead of creating one. What is declared must be what is live. While it is
   * present nothing can change and the token is not rotated; removing it changes nothing.
   */
  adopt?: pulumi.Input<AdoptArgs | undefined>;
  /** Capabilities for each dataset. Their inner structure is not documented: the object is passed on as it is. */
  datasetCapabilities?: pulumi.Input<DatasetCapabilities | undefined>;
  /** Organisation-level capabilities: for each key the actions that are allowed. Their order is no matter. */
  orgCapabilities?: pulumi.Input<InputsOf<OrgCapabilities> | undefined>;
  /** Capabilities for each view (`extended` profile). */
  viewCapabilities?: pulumi.Input<JsonObject | undefined>;
}

/**
 * An API token. The service has no update: a change of any argument makes a new token, after which the old one is
 * retired. In the `documented` profile retiring forgets the token, which stays valid until its `expiresAt`; a warning
 * says so.
 *
 * ```ts
 * const ci = new ApiToken("ci", {
 *   orgCapabilities: { apiTokens: ["read"] },
 *   rotation: { expireAfter: "90d", rotateBefore: "14d" },
 * });
 * export const secret = ci.token;
 * ```
 */
export class ApiToken extends pulumi.CustomResource {
  /** The name, whether given or made. */
  declare readonly name: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  /** When the token stops working, whether given or counted from its creation. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  declare readonly datasetCapabilities: pulumi.Output<DatasetCapabilities | undefined>;
  declare readonly orgCapabilities: pulumi.Output<OrgCapabilities | undefined>;
  declare readonly viewCapabilities: pulumi.Output<JsonObject | undefined>;
  /** When it was created, by the clock of the machine that did; empty for an adopted token. */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /**
   * The secret, always a Pulumi secret. The service shows it once, so a token that came from `ApiToken.get`, or was
   * adopted without it, has none.
   */
  declare readonly token: pulumi.Output<string>;
  /** From when on an update replaces the token; empty without a rotation by time. An RFC 3339 instant. */
  readonly rotatesAt: pulumi.Output<string | undefined>;
  /**
   * The first 12 hexadecimal digits of the secret's SHA-256: tells which secret a consumer holds
   * (`printf %s "$TOKEN" | sha256sum | cut -c1-12`) without giving it away. Not a secret.
   */
  readonly fingerprint: pulumi.Output<string | undefined>;

  /** @throws Error if the program does not depend on this package directly */
  constructor(name: string, args: ApiTokenArgs = {}, options: pulumi.CustomResourceOptions = {}) {
    requireDirectDependency("ApiToken");
    const properties = {
      name: args.name,
      description: args.description,
      expiresAt: args.expiresAt,
      expiresIn: args.expiresIn,
      rotation: args.rotation,
      retire: args.retire,
      adopt: args.adopt && pulumi.output(args.adopt).apply(withSecretToken),
      datasetCapabilities: args.datasetCapabilities,
      orgCapabilities: args.orgCapabilities,
      viewCapabilities: args.viewCapabilities,
      autoName: name,
      token: undefined,
      createdAt: undefined,
      __provider: storedProvider("ApiToken"),
    };
    super(
      typeToken("ApiToken"),
      name,
      properties,
      pulumi.mergeOptions(options, { additionalSecretOutputs: ["token"] }),
    );
    this.fingerprint = pulumi.unsecret(this.token.apply(fingerprintOf));
    this.rotatesAt = pulumi
      .all([this.expiresAt, this.createdAt, pulumi.output(args.rotation)])
      .apply(([expiresAt, createdAt, rotation]) =>
        rotatesAt({ expiresAt, createdAt }, rotation as Rotation | undefined)?.toISOString(),
      );
  }

  /** Looks up an existing token by its id, without managing it. Its `token` is empty: the secret cannot be read again. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}): ApiToken {
    return new ApiToken(name, {}, { ...options, id });
  }
}

const withSecretToken = (adopt: pulumi.UnwrappedObject<AdoptArgs> | undefined) =>
  adopt && { ...adopt, token: adopt.token === undefined ? undefined : pulumi.secret(adopt.token) };

const fingerprintOf = (token: string | undefined): string | undefined =>
  token === undefined ? undefined : createHash("sha256").update(token).digest("hex").slice(0, 12);
