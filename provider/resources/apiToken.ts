import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import type { Action, DatasetCapabilities, JsonObject, OrgCapabilities } from "../../sdk";
import type { SealRecipient } from "../lifecycle/seal/recipients";
import type { Adopt, ApiTokenInputs, ApiTokenState } from "../lifecycle/token/model";
import { type Rotation, rotatesAt } from "../lifecycle/token/rotation";
import { type OutputsOf, type PropertyTable, registrationOf } from "./eventDatasetsResource";
import { findSecretInputs, makeResourceKey, memberOf } from "./hints";
import type { NamedCapabilities, OptionalInputs } from "./inputs";
import { withoutPromiseStacks } from "./promiseStacks";
import { findSealed, type RecipientArgs, type SealForArgs, withoutOtherMembers } from "./recipients";

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

const properties = {
  name: "argument",
  description: "argument",
  expiresAt: "argument",
  expiresIn: "argument",
  rotation: "argument",
  retire: "argument",
  adopt: "argument",
  datasetCapabilities: "argument",
  orgCapabilities: "argument",
  viewCapabilities: "argument",
  sealFor: "argument",
  autoName: "made",
  resourceKey: "made",
  secretInputs: "made",
  token: "output",
  sealedToken: "output",
  fingerprint: "output",
  createdAt: "output",
  baseUrl: "internal",
  credentialHash: "internal",
  account: "internal",
  providerName: "internal",
  resolvedExpiresAt: "internal",
  declaredExpiresAt: "internal",
  lost: "internal",
  provenBy: "internal",
  adopted: "internal",
  replaced: "internal",
  answered: "internal",
  answeredHashes: "internal",
} as const satisfies PropertyTable<ApiTokenArgs, ApiTokenInputs, ApiTokenState>;

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
  implements OutputsOf<typeof properties>
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
    const values = {
      ...{ ...args, adopt, sealFor: withoutOtherMembers(args.sealFor), autoName: name },
      resourceKey: makeResourceKey("ApiToken", name, options),
      secretInputs: findSecretInputs({
        ...args,
        adopt: undefined,
        name: [args.name, nameToAdopt(args.adopt)],
        "rotation.expireAfter": memberOf(args.rotation, "expireAfter"),
        "rotation.rotateBefore": memberOf(args.rotation, "rotateBefore"),
      }),
    };
    const all = pulumi.mergeOptions(options, { additionalSecretOutputs: ["token"] });
    const registration = registrationOf("ApiToken", name, properties, values, all);
    const stacks = withoutPromiseStacks();
    try {
      super(...registration);
    } catch (failure) {
      throw stacks.complete(failure);
    } finally {
      stacks.restore();
    }
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
      pulumi.all([this.recordedFingerprint, this.token]).apply(([recorded, token]) => recorded ?? fingerprintOf(token)),
    );
  }

  /** The SDK assigns what is recorded, as it does with every output: the fingerprint of a sealed secret. */
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

/** Its token is always a secret, so of an adoption only the name says something. */
const nameToAdopt = (adopt: ApiTokenArgs["adopt"]): unknown =>
  adopt instanceof Object && !pulumi.Output.isInstance(adopt) && "name" in adopt ? adopt.name : undefined;

const withSecretToken = (adopt: pulumi.UnwrappedObject<AdoptArgs> | undefined) =>
  adopt && { ...adopt, token: adopt.token === undefined ? undefined : pulumi.secret(adopt.token) };

const fingerprintOf = (token: string | undefined): string | undefined =>
  token === undefined ? undefined : createHash("sha256").update(token).digest("hex").slice(0, 12);
