import * as pulumi from "@pulumi/pulumi";
import { type ResourceClass, resourceClass } from "../../framework/program/resourceClass";
import { defined } from "../../values/defined";
import { withPrintableFailures } from "../../values/printable";
import { thisPackage } from "../strings";
import {
  type Adopt,
  type ApiTokenArgs,
  type ApiTokenOutputs,
  apiTokenDefinition,
  type RecipientArgs,
} from "./definition";
import { findSealed, withoutOtherMembers } from "./sealFor";

/** The outputs that say in their types whether the secret is sealed. */
interface Outputs<Sealing> extends Omit<ApiTokenOutputs, "token" | "sealedToken">, Token<Sealing>, Sealed<Sealing> {}
type Token<Sealing> = {
  [Key in keyof Pick<ApiTokenOutputs, "token">]: pulumi.Output<undefined extends Sealing ? string : undefined>;
};
type Sealed<Sealing> = {
  [Key in keyof Pick<ApiTokenOutputs, "sealedToken">]: undefined extends Sealing
    ? ApiTokenOutputs["sealedToken"]
    : pulumi.Output<Readonly<Record<string, string>>>;
};

const Declared = resourceClass(thisPackage, apiTokenDefinition, prepare) as new <
  Sealing extends ApiTokenArgs["sealFor"],
>(
  name: string,
  args?: ApiTokenArgs & { readonly sealFor?: Sealing },
  options?: pulumi.CustomResourceOptions,
) => InstanceType<ResourceClass<ApiTokenArgs, Outputs<Sealing>>>;

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
export class ApiToken<Sealing extends ApiTokenArgs["sealFor"] = ApiTokenArgs["sealFor"]> extends Declared<Sealing> {
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

function prepare(name: string, args: ApiTokenArgs, options: pulumi.CustomResourceOptions) {
  refuseOverlap(name, args, options);
  const adopt = args.adopt && pulumi.output(args.adopt).apply((known) => withSecretToken(known as Adopt | undefined));
  return {
    instead: defined({ adopt, sealFor: withoutOtherMembers(args.sealFor) }),
    options: pulumi.mergeOptions(options, { additionalSecretOutputs: ["token"] }),
  };
}

/** An overlap begins with the create of the successor, so the old token has to be there. An output falls back to a plain create. */
const refuseOverlap = withPrintableFailures(
  (name: string, { rotation }: ApiTokenArgs, { deleteBeforeReplace }: pulumi.CustomResourceOptions): void => {
    const overlap = typeof rotation === "object" && "overlap" in rotation ? rotation.overlap : undefined;
    if (deleteBeforeReplace && overlap !== undefined)
      throw new Error(
        `ApiToken "${name}": rotation.overlap and the option deleteBeforeReplace exclude each other: remove one of them`,
      );
  },
);

const withSecretToken = (adopt: Adopt | undefined) =>
  adopt && { ...adopt, token: adopt.token === undefined ? undefined : pulumi.secret(adopt.token) };
