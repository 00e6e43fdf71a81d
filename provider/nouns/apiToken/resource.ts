import * as pulumi from "@pulumi/pulumi";
import { type Lookup, optionsOfLookup, register } from "../../../framework/program/registration";
import { deriveOutputs } from "../../../framework/program/resourceClass";
import { defined } from "../../../values/defined";
import { withPrintableFailures } from "../../../values/printable";
import { findSealed } from "../../shared/seal/recipients";
import { thisPackage } from "../../shared/strings";
import {
  type Adopt,
  type ApiTokenArgs,
  type ApiTokenOutputs,
  apiTokenDefinition,
  type RecipientArgs,
} from "./definition";

export type { SealedBoxKey, SealRecipient } from "../../shared/seal/recipients";
export type { Rotation } from "./definition";
export type { Adopt, ApiTokenArgs, RecipientArgs };

// The outputs say in their types whether the secret is sealed.
export interface ApiToken<Sealing extends ApiTokenArgs["sealFor"] = ApiTokenArgs["sealFor"]>
  extends Omit<ApiTokenOutputs, "token" | "sealedToken">,
    Secret<undefined extends Sealing ? string : undefined> {}
type Secret<Plain> = {
  readonly [Key in keyof Pick<ApiTokenOutputs, "token" | "sealedToken">]: Key extends "token"
    ? pulumi.Output<Plain>
    : pulumi.Output<Readonly<Record<string, string>> | (Plain extends string ? undefined : never)>;
};

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
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the SDK assigns the outputs
export class ApiToken<Sealing extends ApiTokenArgs["sealFor"] = ApiTokenArgs["sealFor"]> extends pulumi.CustomResource {
  /** @throws Error if the program does not depend on this package directly */
  constructor(
    name: string,
    args: ApiTokenArgs & { readonly sealFor?: Sealing } = {},
    options: pulumi.CustomResourceOptions = {},
  ) {
    refuseOverlap(name, args, options);
    const adopt = args.adopt && pulumi.output(args.adopt).apply((known) => withSecretToken(known as Adopt | undefined));
    const all = pulumi.mergeOptions(options, { additionalSecretOutputs: ["token"] });
    const instead = defined({ adopt });
    using registration = register(thisPackage, apiTokenDefinition, { name, args, instead, options: all });
    try {
      super(...registration.args);
    } catch (failure) {
      throw registration.complete(failure);
    }
  }

  /**
   * The encrypted secret for one recipient. Undefined without a sealed secret, as for a token that was adopted or looked up.
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
   */
  static get(name: string, ...lookup: Lookup): ApiToken {
    return new ApiToken(name, {}, optionsOfLookup(...lookup));
  }
}

deriveOutputs(ApiToken, apiTokenDefinition);

/** An overlap begins with the create of the successor, so the old token has to be there. An output falls back to a plain create. */
const refuseOverlap = withPrintableFailures(
  (name: string, { rotation }: ApiTokenArgs, { deleteBeforeReplace }: pulumi.CustomResourceOptions): void => {
    const overlap = rotation && "overlap" in rotation ? rotation.overlap : undefined;
    if (deleteBeforeReplace && (overlap ?? undefined) !== undefined)
      throw new Error(
        `ApiToken "${name}": rotation.overlap and the option deleteBeforeReplace do not work together: remove one of them`,
      );
  },
);

const withSecretToken = (adopt: Adopt | undefined) =>
  adopt && { ...adopt, token: adopt.token === undefined ? undefined : pulumi.secret(adopt.token) };
