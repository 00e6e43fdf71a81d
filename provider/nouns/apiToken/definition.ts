import {
  type ArgsOf,
  defineResource,
  type InputsOf,
  type OutputsOf,
  type StateOf,
} from "../../../framework/definition";
import { type Differences, LiveFields } from "../../../framework/drift";
import { tokensOf } from "../../../framework/package";
import type { Inputs } from "../../../framework/program/inputs";
import {
  type Choice,
  choice,
  duration,
  instant,
  type MembersOf,
  made,
  members,
  names,
  nestedSets,
  nonEmptyText,
  oneOf,
  type Shape,
  scalars,
  text,
  textLists,
} from "../../../framework/shapes";
import type { OperationName } from "../../../sdk";
import { type OrgCapabilities, type TokenSpec, tokenFields } from "../../../sdk/resources/tokenFields";
import { fingerprintOf } from "../../../values/fingerprint";
import { toTheSecond } from "../../../values/instant";
import { recipients, type SealRecipient } from "../../shared/seal/recipients";
import { thisPackage } from "../../shared/strings";
import { rotatesAt } from "./rotation";

const rotationMembers = {
  /**
   * How long before its expiry a token is replaced, such as `14d`: the time that consumers have to switch to the new token. Needs
   * `expiresIn`, and must be shorter than that.
   */
  rotateBefore: duration,
  /**
   * How long the old token stays valid after a replacement. The service then expires it, even without another update. Needs the
   * `extended` profile.
   */
  overlap: duration,
  /** Values that replace the token when one of them changes. */
  triggers: scalars,
};

/** When to replace a token with a new one. Durations are short (`36h`, `14d`; units s, m, h, d, w) or ISO 8601 (`P90D`). */
export interface Rotation extends MembersOf<typeof rotationMembers> {}

const adoptMembers = {
  /** Id of the token. */
  id: nonEmptyText,
  /** Secret of the token, if you have it. The service does not return it again. */
  token: nonEmptyText,
};

/** The existing token to take over. */
export interface Adopt extends MembersOf<typeof adoptMembers> {}

/** A token that was replaced. */
export interface ReplacedToken {
  readonly id: string;
  /** Whether it stays valid. If this is absent, the token is revoked at the end of the update that replaced it. */
  readonly ends?: "later";
  /** Its expiry, if it has one and no argument is secret. */
  readonly until?: string;
  /** Identifies its secret, as the output `fingerprint` did. */
  readonly fingerprint?: string;
  /** The key of its own record, if an alias has renamed the resource since then. */
  readonly key?: string;
}

/** The facts about a token that the state keeps in addition to inputs and outputs. */
export interface TokenRecord extends Differences<TokenSpec> {
  /** Tokens that this one replaced and that may still be valid, newest first. */
  readonly replaced?: readonly ReplacedToken[];
}

/** Identifies the secret of a token; undefined if the secret is not known here. */
export const fingerprintOfToken = ({ token, fingerprint }: Partial<Record<"token" | "fingerprint", string>>) =>
  token === undefined ? fingerprint : fingerprintOf(token);

const givesToken = ({ adopt }: { readonly adopt?: unknown }): boolean =>
  (adopt as Adopt | undefined)?.token !== undefined;

export const apiTokenDefinition = defineResource<TokenSpec, OperationName>({ client: tokenFields, replaces: true })({
  name: "ApiToken",
  module: "v1/api-token",
  operations: {
    create: "tokens.create",
    read: "tokens.get",
    list: "tokens.list",
    delete: "tokens.delete",
    overlap: "tokens.regenerate",
  },
  fields: {
    expiresAt: { is: instant, computed: true, derives: true },
    datasetCapabilities: { is: nestedSets },
    orgCapabilities: { is: textLists<OrgCapabilities>('{ apiTokens: ["read"] }') },
    viewCapabilities: { is: nestedSets },
  },
  properties: {
    /**
     * Name of the token. A generated name is safer: if the response to the create gets lost, the provider can still find the token
     * by its name. The plugin follows the project's `pulumi:autonaming` configuration; dynamic providers do not receive it.
     * @default the name of the resource with a random suffix, which is kept
     */
    name: {
      is: nonEmptyText,
      always: true,
      replaces: true,
      computed: true,
      generated: ({ chosenName }: { readonly chosenName?: Choice }) => chosenName !== true,
    },
    /**
     * Lifetime of each token, counted from its creation, such as `90d` or `P90D`. Changing it replaces the token. Without `rotation`,
     * the token is not renewed.
     */
    expiresIn: { is: duration, replaces: true },
    /** When to replace the token with a new one. Without it, the token is never renewed. */
    rotation: { is: members(rotationMembers) as Shape<Rotation>, replaces: ["rotateBefore", "triggers"] },
    /**
     * How to retire the token when the resource is replaced or destroyed. `revoke` deletes it, and needs the `extended` profile.
     * `expire` leaves it valid until its expiry.
     * @default `revoke` in the `extended` profile, `expire` in the `documented` profile
     */
    retire: { is: oneOf("revoke", "expire") },
    /**
     * Takes over an existing token instead of creating one. Declare the token as it is. While `adopt` is declared, the token is only
     * borrowed: it is not changed, rotated or revoked. Once you remove `adopt`, the resource owns the token.
     */
    adopt: { is: members(adoptMembers) as Shape<Adopt>, parts: { id: "id", token: "secret" } },
    /**
     * Public keys to encrypt the secret for: an age recipient (`age1…`), a GitHub key with the members `key` and `keyId`, or a
     * list of them. The output `token` is then empty, `sealedToken` has the encrypted secret, and neither the state nor logs
     * contain the secret. Changing the recipients replaces the token.
     * @remarks Age recipients need the npm package `age-encryption`, GitHub keys need `libsodium-wrappers`.
     * @example "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"
     */
    sealFor: { is: recipients, replaces: true },
    /**
     * Whether the program or `pulumi:autonaming` chose the name. Tokens of other stacks or people may have the same name, so it
     * proves nothing.
     */
    chosenName: { is: choice, kind: "hint" },
    /** Resource options that let the engine drop an old token without calling a hook. The plugin does not see them. */
    deleteOptions: { is: names, kind: "hint" },
    /**
     * Secret of the token; always a Pulumi secret. The service returns it only when the token is created, so it is empty for a
     * token that was imported, looked up, or adopted without its secret. It is also empty with `sealFor`.
     */
    token: { is: text, kind: "output", secret: true, renewed: givesToken },
    /**
     * With `sealFor`, a map from recipient to encrypted secret. For an age recipient: an age file (ASCII armor). For a `keyId`: a
     * sealed box in base64. Not a secret.
     * @remarks The method `sealedFor` returns the value for one recipient.
     */
    sealedToken: { is: made<Readonly<Record<string, string>>>(), kind: "output", derives: "sealFor" },
    /**
     * First 12 hexadecimal digits of the SHA-256 hash of the secret. It shows which secret a consumer has (`printf %s "$TOKEN"
     * | sha256sum | cut -c1-12`) without revealing it. Not a secret.
     */
    fingerprint: {
      is: text,
      kind: "output",
      renewed: givesToken,
      from: [["fingerprint", "token"], fingerprintOfToken],
    },
    /** Time from which an update replaces the token: an RFC 3339 timestamp. Empty without `rotation.rotateBefore`. */
    rotatesAt: {
      is: text,
      kind: "derived",
      derives: true,
      from: [
        ["expiresAt", "rotation"],
        (state: { readonly expiresAt?: string; readonly rotation?: Rotation }) => {
          const at = rotatesAt(state, state.rotation);
          return at && toTheSecond(at);
        },
      ],
    },
    /** The proofs that the token belongs to an account. They reveal no argument: see `Evidence`. */
    evidence: { is: text, kind: "hidden" },
    record: { is: made<TokenRecord>(), kind: "record", plain: ["drifted", "replaced"] },
  },
  insteadOfImport: "take the token over with the argument adopt: { id }, or look it up with ApiToken.get",
  onImport:
    'its secret cannot be read again, so token is empty. If the stack has this token already, remove the copy with "pulumi state delete": its deletion revokes the token',
});

/** The arguments of an `ApiToken`. Set at most one of `expiresAt` and `expiresIn`. */
export interface ApiTokenArgs extends ArgsOf<typeof apiTokenDefinition> {}

/** The inputs of a token; after `check`, `name` is always present. */
export interface ApiTokenInputs extends InputsOf<typeof apiTokenDefinition> {}

/** The state of a token. Its fields have the service's values. */
export interface ApiTokenState extends StateOf<typeof apiTokenDefinition> {}

export interface ApiTokenOutputs extends OutputsOf<typeof apiTokenDefinition> {}

/** A public key to encrypt the secret for. Other members of an object are ignored, so a looked-up key can be passed unchanged. */
export type RecipientArgs = Inputs<SealRecipient>;
export type TokenField = keyof TokenSpec & string;
export const liveToken = new LiveFields<TokenSpec>(apiTokenDefinition);

/** The engine's types of an API token in each of its forms. */
export const apiTokenTypes: readonly string[] = tokensOf(thisPackage, apiTokenDefinition);
