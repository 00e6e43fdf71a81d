import * as pulumi from "@pulumi/pulumi";
import { type OutputsOf, register } from "../../framework/program/registration";
import type { DatasetCapabilities, JsonObject, OrgCapabilities } from "../../sdk";
import { defined } from "../../values/defined";
import { fingerprintOf } from "../../values/fingerprint";
import type { SealRecipient } from "../seal/recipients";
import { thisPackage } from "../strings";
import type { AdoptArgs, ApiTokenArgs, RecipientArgs, SealForArgs } from "./args";
import { apiTokenDefinition } from "./definition";
import type { Adopt } from "./model";
import { type Rotation, rotatesAt } from "./rotation";
import { findSealed, withoutOtherMembers } from "./sealFor";

/**
 * An API token. The service has no update: a change of any argument makes a new token, after which the old one is
 * retired. In the `documented` profile retiring forgets the token, which stays valid until its `expiresAt`; a warning
 * says so.
 *
 * @example
 * ```ts
 * const ci = new ApiToken("ci", {
 *   orgCapabilities: { apiTokens: ["read"] },
 *   rotation: { expireAfter: "90d", rotateBefore: "14d" },
 * });
 * export const secret = ci.token;
 * ```
 */
export class ApiToken<Sealing extends SealForArgs | undefined = SealForArgs | undefined>
  extends pulumi.CustomResource
  implements OutputsOf<typeof apiTokenDefinition>
{
  /** The name, whether declared or generated. */
  declare readonly name: pulumi.Output<string>;
  /** The text, as declared. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** When the token stops working, whether declared or counted from its creation: an RFC 3339 instant. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  /** How long it is valid, as declared. */
  declare readonly expiresIn: pulumi.Output<string | undefined>;
  /** The rotation, as it was declared at the last change of the token. */
  declare readonly rotation: pulumi.Output<Rotation | undefined>;
  /** What becomes of it in the end, as declared. */
  declare readonly retire: pulumi.Output<"revoke" | "expire" | undefined>;
  /** The token that was adopted, while the argument is there. */
  declare readonly adopt: pulumi.Output<Adopt | undefined>;
  /** Capabilities for each dataset, as declared. */
  declare readonly datasetCapabilities: pulumi.Output<DatasetCapabilities | undefined>;
  /** Organisation-level capabilities, as declared. */
  declare readonly orgCapabilities: pulumi.Output<OrgCapabilities | undefined>;
  /** Capabilities for each view, as declared. */
  declare readonly viewCapabilities: pulumi.Output<JsonObject | undefined>;
  /** When it was created, by the clock of the machine that did; empty for an adopted token. An RFC 3339 instant. */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /**
   * The secret, always a Pulumi secret. The service shows it once, so a token that came from `ApiToken.get`, or was
   * adopted without it, has none. Empty with `sealFor`: the secret is in `sealedToken` then, for its recipients alone.
   */
  declare readonly token: pulumi.Output<undefined extends Sealing ? string : undefined>;
  /** Whom the secret is sealed for. */
  declare readonly sealFor: pulumi.Output<SealRecipient | readonly SealRecipient[] | undefined>;
  /**
   * With `sealFor`, the secret as each recipient can open it: by the age recipient an age file (ASCII armor), by the `keyId` a sealed
   * box in base64. Not a secret. `sealedFor` finds one of them.
   */
  declare readonly sealedToken: pulumi.Output<
    undefined extends Sealing ? Readonly<Record<string, string>> | undefined : Readonly<Record<string, string>>
  >;
  // What is declared now; the output is what was declared at the last change. Not `#private`: the engine's SDK serializes
  // resources that functions capture, and cannot do that to a class with private names.
  declare private readonly declaredRotation: ApiTokenArgs["rotation"];
  declare private readonly recordedFingerprint: pulumi.Output<string | undefined>;

  /** @throws Error if the program does not depend on this package directly */
  constructor(
    name: string,
    args: ApiTokenArgs & { readonly sealFor?: Sealing } = {},
    options: pulumi.CustomResourceOptions = {},
  ) {
    const adopt = args.adopt && pulumi.output(args.adopt).apply(withSecretToken);
    const all = pulumi.mergeOptions(options, { additionalSecretOutputs: ["token"] });
    const instead = { ...defined({ adopt, sealFor: withoutOtherMembers(args.sealFor) }) };
    using registration = register(thisPackage, apiTokenDefinition, { name, args, instead, options: all });
    super(...registration.args);
    // Not enumerable: a program that exports the whole resource exports its outputs only.
    Object.defineProperty(this, "declaredRotation", { value: args.rotation });
  }

  /** From when on an update replaces the token; empty without a rotation by time. An RFC 3339 instant. */
  get rotatesAt(): pulumi.Output<string | undefined> {
    return pulumi
      .all([this.expiresAt, this.createdAt, pulumi.output(this.declaredRotation)])
      .apply(([expiresAt, createdAt, rotation]) =>
        rotatesAt({ expiresAt, createdAt }, rotation as Rotation | undefined)?.toISOString(),
      );
  }

  /**
   * The first 12 hexadecimal digits of the secret's SHA-256: tells which secret a consumer holds
   * (`printf %s "$TOKEN" | sha256sum | cut -c1-12`) without giving it away. Not a secret.
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
   * The value that is sealed for one recipient, to be handed to it. Empty for a token that was adopted or looked up.
   * @param recipient as in `sealFor`; can be left out where there is one
   * @example ci.sealedFor(key) // the encryptedValue of a GitHub secret, for the repository's key
   */
  sealedFor(recipient?: RecipientArgs): pulumi.Output<string> {
    return pulumi
      .all([this.sealedToken, pulumi.output(recipient)])
      .apply(([sealed, one]) => findSealed(sealed, one)) as pulumi.Output<string>;
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

const withSecretToken = (adopt: pulumi.UnwrappedObject<AdoptArgs> | undefined) =>
  adopt && { ...adopt, token: adopt.token === undefined ? undefined : pulumi.secret(adopt.token) };
