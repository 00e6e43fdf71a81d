import type * as pulumi from "@pulumi/pulumi";
import type { Inputs, NamedCapabilities, OptionalInputs } from "../../framework/program/inputs";
import type { Action, OrgCapabilities } from "../../sdk";
import type { SealRecipient } from "../seal/recipients";
import type { Adopt } from "./model";
import type { Rotation } from "./rotation";

/**
 * A public key to encrypt the secret for: an age recipient (`age1…`), or a GitHub public key with its id. Other members of
 * an object are ignored, so a public key that GitHub's provider looked up can be passed unchanged.
 */
export type RecipientArgs = Inputs<SealRecipient>;

/** One recipient, or several. */
export type SealForArgs = RecipientArgs | pulumi.Input<readonly RecipientArgs[]>;

/** When a token is replaced by a new one. Durations are short (`36h`, `14d`; units s, m, h, d, w) or ISO 8601 (`P90D`). */
export type RotationArgs = OptionalInputs<Rotation>;

/** The existing token to take under management, by its `id` or its `name`. */
export type AdoptArgs = OptionalInputs<Adopt>;

/**
 * Organization-level capabilities: the allowed actions on each kind of object. `views` needs the `extended` profile.
 * @each Allowed actions on objects of this kind, such as `create` and `read`. Their order is ignored.
 */
export type OrgCapabilityArgs = {
  readonly [Key in keyof OrgCapabilities | "views"]?: pulumi.Input<readonly pulumi.Input<Action>[] | undefined>;
};

/** The arguments of an `ApiToken`. At most one of `expiresAt` and `expiresIn`. */
export interface ApiTokenArgs {
  /**
   * Name of the token. A generated name is safer: if the response to the create is lost, the token can still be found by its
   * name. The plugin follows the project's `pulumi:autonaming` configuration; dynamic providers do not receive it.
   * @default the name of the resource with a random suffix, which is kept
   */
  name?: pulumi.Input<string | undefined>;
  /** Description of the token. */
  description?: pulumi.Input<string | undefined>;
  /**
   * Expiry of the token: an RFC 3339 timestamp such as `2027-01-01T00:00:00Z`. A different spelling of the same time is not
   * a change.
   */
  expiresAt?: pulumi.Input<string | undefined>;
  /**
   * Lifetime of each token, counted from its creation, such as `90d` or `P90D`. A change replaces the token. Without `rotation` the
   * token is not renewed.
   */
  expiresIn?: pulumi.Input<string | undefined>;
  /** When to replace the token by a new one. Without it the token is never renewed. */
  rotation?: pulumi.Input<RotationArgs | undefined>;
  /**
   * Action on the token when the resource is replaced or destroyed. `revoke` deletes the token and needs the `extended`
   * profile. `expire` leaves the token valid until its expiry.
   * @default `revoke` in the `extended` profile, `expire` in the `documented` profile
   */
  retire?: pulumi.Input<"revoke" | "expire" | undefined>;
  /**
   * Takes an existing token under management instead of creating one. The declared arguments must equal those of the live
   * token. While `adopt` is declared, the token is only borrowed: it is not changed, rotated or revoked. Once you remove `adopt`, the
   * resource owns the token, as if it had created it.
   */
  adopt?: pulumi.Input<AdoptArgs | undefined>;
  /** Capabilities by name of a dataset. The documented interface does not show their structure, so they are sent unchanged. */
  datasetCapabilities?: pulumi.Input<NamedCapabilities | undefined>;
  /** Organization-level capabilities: the allowed actions on each kind of object. Their order is ignored. */
  orgCapabilities?: pulumi.Input<OrgCapabilityArgs | undefined>;
  /** Capabilities by name of a view. Needs the `extended` profile. */
  viewCapabilities?: pulumi.Input<NamedCapabilities | undefined>;
  /**
   * Public keys to encrypt the secret for: an age recipient (`age1…`), a GitHub key with the members `key` and `keyId`, or a
   * list of them. The output `token` is then empty, `sealedToken` holds the encrypted secret, and neither the state nor logs
   * hold the secret. A change of the recipients replaces the token.
   * @remarks Age recipients need the npm package `age-encryption`, GitHub keys need `libsodium-wrappers`.
   * @example "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"
   */
  sealFor?: SealForArgs | undefined;
}
