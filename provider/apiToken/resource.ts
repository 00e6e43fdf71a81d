import * as pulumi from "@pulumi/pulumi";
import { type OutputsOf, register } from "../../framework/program/registration";
import type { DatasetCapabilities, JsonObject, OrgCapabilities } from "../../sdk";
import { defined } from "../../values/defined";
import { fingerprintOf } from "../../values/fingerprint";
import { withPrintableFailures } from "../../values/printable";
import type { SealRecipient } from "../seal/recipients";
import { thisPackage } from "../strings";
import type { AdoptArgs, ApiTokenArgs, RecipientArgs, SealForArgs } from "./args";
import { apiTokenDefinition } from "./definition";
import type { Adopt } from "./model";
import { type Rotation, rotatesAt } from "./rotation";
import { findSealed, withoutOtherMembers } from "./sealFor";

/**
 * An API token. The service cannot update a token, so most changes create a new token and then retire the old one. In the
 * `documented` profile a retired token is only removed from the state and stays valid until its expiry; a warning names it.
 *
 * @example
 * ```ts
 * const ci = new ApiToken("ci", {
 *   orgCapabilities: { apiTokens: ["read"] },
 *   expiresIn: "90d",
 *   rotation: { rotateBefore: "14d" },
 * });
 * export const secret = ci.token;
 * ```
 */
export class ApiToken<Sealing extends SealForArgs | undefined = SealForArgs | undefined>
  extends pulumi.CustomResource
  implements OutputsOf<typeof apiTokenDefinition>
{
  /** Name of the token, declared or generated. */
  declare readonly name: pulumi.Output<string>;
  /** Description of the token, as declared. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Expiry of the token, declared or counted from its creation: an RFC 3339 timestamp. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  /** Lifetime of the token, as declared. */
  declare readonly expiresIn: pulumi.Output<string | undefined>;
  /** Rotation of the token, as declared. */
  declare readonly rotation: pulumi.Output<Rotation | undefined>;
  /** Action on the token when the resource is replaced or destroyed, as declared. */
  declare readonly retire: pulumi.Output<"revoke" | "expire" | undefined>;
  /** The adopted token, while the argument `adopt` is declared. */
  declare readonly adopt: pulumi.Output<Adopt | undefined>;
  /** Capabilities by name of a dataset, as declared. */
  declare readonly datasetCapabilities: pulumi.Output<DatasetCapabilities | undefined>;
  /** Organization-level capabilities, as declared. */
  declare readonly orgCapabilities: pulumi.Output<OrgCapabilities | undefined>;
  /** Capabilities by name of a view, as declared. */
  declare readonly viewCapabilities: pulumi.Output<JsonObject | undefined>;
  /**
   * Time of creation: an RFC 3339 timestamp. It is by the service's clock if an earlier response stated the time, otherwise by
   * the clock of the machine that created the token. Empty for an adopted token.
   */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /**
   * Secret of the token; always a Pulumi secret. The service returns it only when the token is created, so it is empty for a
   * token that was imported, looked up, or adopted without its secret. It is also empty with `sealFor`.
   */
  declare readonly token: pulumi.Output<undefined extends Sealing ? string : undefined>;
  /** Public keys that the secret is encrypted for, as declared. */
  declare readonly sealFor: pulumi.Output<SealRecipient | readonly SealRecipient[] | undefined>;
  /**
   * With `sealFor`, the encrypted secret for each recipient: under the age recipient, an age file (ASCII armor); under the
   * `keyId`, a sealed box in base64. Not a secret.
   * @remarks The method `sealedFor` returns the value for one recipient.
   */
  declare readonly sealedToken: pulumi.Output<
    undefined extends Sealing ? Readonly<Record<string, string>> | undefined : Readonly<Record<string, string>>
  >;
  declare private readonly recordedFingerprint: pulumi.Output<string | undefined>;

  /** @throws Error if the program does not depend on this package directly */
  constructor(
    name: string,
    args: ApiTokenArgs & { readonly sealFor?: Sealing } = {},
    options: pulumi.CustomResourceOptions = {},
  ) {
    refuseOverlap(name, args, options);
    const adopt = args.adopt && pulumi.output(args.adopt).apply(withSecretToken);
    const all = pulumi.mergeOptions(options, { additionalSecretOutputs: ["token"] });
    const instead = { ...defined({ adopt, sealFor: withoutOtherMembers(args.sealFor) }) };
    using registration = register(thisPackage, apiTokenDefinition, { name, args, instead, options: all });
    try {
      super(...registration.args);
    } catch (failure) {
      throw registration.complete(failure);
    }
  }

  /** Time from which an update replaces the token: an RFC 3339 timestamp. Empty without `rotation.rotateBefore`. */
  get rotatesAt(): pulumi.Output<string | undefined> {
    return pulumi
      .all([this.expiresAt, this.rotation])
      .apply(([expiresAt, rotation]) => rotatesAt({ expiresAt }, rotation)?.toISOString());
  }

  /**
   * The first 12 hexadecimal digits of the SHA-256 hash of the secret. It tells which secret a consumer has
   * (`printf %s "$TOKEN" | sha256sum | cut -c1-12`) without revealing it. Not a secret.
   */
  get fingerprint(): pulumi.Output<string | undefined> {
    return pulumi.unsecret(
      pulumi
        .all([this.recordedFingerprint, this.token])
        .apply(([fingerprint, token]) => fingerprint ?? (token === undefined ? undefined : fingerprintOf(token))),
    );
  }

  // The SDK assigns the recorded value, as it does with every output: the fingerprint of a sealed secret.
  protected set fingerprint(recorded: pulumi.Output<string | undefined>) {
    Object.defineProperty(this, "recordedFingerprint", { value: recorded });
  }

  /**
   * The encrypted secret for one recipient. Empty for a token that was adopted or looked up.
   * @param recipient as in `sealFor`; optional if there is only one
   * @example ci.sealedFor(key) // the encryptedValue of a GitHub secret, for the repository's key
   */
  sealedFor(recipient?: RecipientArgs): pulumi.Output<string> {
    const { sealedToken } = this;
    return pulumi
      .all([sealedToken, pulumi.output(recipient)])
      .apply(async ([sealed, one]) =>
        findSealed(sealed, one, await pulumi.isSecret(sealedToken)),
      ) as pulumi.Output<string>;
  }

  /**
   * Looks up an existing token by its id, without managing it. Its `token` is empty: the secret cannot be read again.
   * @param name logical name of the resource in the program
   * @param id the token's id
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options: pulumi.CustomResourceOptions = {}): ApiToken {
    return new ApiToken(name, {}, { ...options, id });
  }
}

/** An overlap begins with the create of the successor, so the old token has to be there. An output falls back to a plain create. */
const refuseOverlap = withPrintableFailures(
  (name: string, { rotation }: ApiTokenArgs, { deleteBeforeReplace }: pulumi.CustomResourceOptions): void => {
    if (
      !deleteBeforeReplace ||
      typeof rotation !== "object" ||
      !("overlap" in rotation) ||
      rotation.overlap === undefined
    )
      return;
    throw new Error(
      `ApiToken "${name}": rotation.overlap and the option deleteBeforeReplace exclude each other: remove one of them`,
    );
  },
);

const withSecretToken = (adopt: pulumi.UnwrappedObject<AdoptArgs> | undefined) =>
  adopt && { ...adopt, token: adopt.token === undefined ? undefined : pulumi.secret(adopt.token) };
