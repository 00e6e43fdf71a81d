import type * as pulumi from "@pulumi/pulumi";
import type { Inputs, NamedCapabilities, OptionalInputs } from "../../framework/program/inputs";
import type { Action, OrgCapabilities } from "../../sdk";
import type { SealRecipient } from "../seal/recipients";
import type { Adopt } from "./model";
import type { Rotation } from "./rotation";

/**
 * Whom a token's secret is sealed for: an age recipient (`age1…`), or a GitHub public key with its id. Other members of an
 * object are ignored, so that what GitHub's provider looks up can be given as it is.
 */
export type RecipientArgs = Inputs<SealRecipient>;

/** One recipient, or several. */
export type SealForArgs = RecipientArgs | pulumi.Input<readonly RecipientArgs[]>;

/** When a token is replaced by a new one. Durations are short (`36h`, `14d`; s, m, h, d, w) or ISO 8601 (`P90D`). */
export type RotationArgs = OptionalInputs<Rotation>;

/** An existing token to take under management: either `id` or `name`. */
export type AdoptArgs = OptionalInputs<Adopt>;

/**
 * Organisation-level capabilities: for each key the actions that are allowed, each of which can be an output. The key
 * `views` needs the `extended` profile.
 */
export type OrgCapabilityArgs = {
  readonly [Key in keyof OrgCapabilities | "views"]?: pulumi.Input<readonly pulumi.Input<Action>[] | undefined>;
};

/** The arguments of an `ApiToken`. At most one of `expiresAt`, `expiresIn` and `rotation.expireAfter`. */
export interface ApiTokenArgs {
  /**
   * Name of the token. Leave it out where you can: a generated name lets a token be found again whose creation was never
   * answered.
   * @default the resource's name with a random suffix, which stays the same from then on
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
   * What becomes of the token when it is replaced or destroyed: `revoke` deletes it (`extended` profile), `expire` leaves
   * it to its own expiry.
   * @default "revoke" in the `extended` profile, "expire" in the `documented` one, which cannot do more
   */
  retire?: pulumi.Input<"revoke" | "expire" | undefined>;
  /**
   * Takes an existing token under management instead of creating one. What is declared must be what is live. While it is
   * present nothing can change and the token is not rotated; removing it changes nothing.
   */
  adopt?: pulumi.Input<AdoptArgs | undefined>;
  /** Capabilities for each dataset. Their inner structure is not documented: the object is passed on as it is. */
  datasetCapabilities?: pulumi.Input<NamedCapabilities | undefined>;
  /** Organisation-level capabilities: for each key the actions that are allowed. Their order is ignored. */
  orgCapabilities?: pulumi.Input<OrgCapabilityArgs | undefined>;
  /** Capabilities for each view (`extended` profile). */
  viewCapabilities?: pulumi.Input<NamedCapabilities | undefined>;
  /**
   * Seals the secret for these public keys, so that only their owners can read it: an age recipient (`age1…`, needs the package
   * `age-encryption`), or a GitHub key `{ key, keyId }` (needs `libsodium-wrappers`); several as a list. `token` is empty then, and
   * neither outputs nor state nor logs hold the secret: see `sealedToken`. Another set of recipients makes a new token.
   * @example "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"
   */
  sealFor?: SealForArgs | undefined;
}
