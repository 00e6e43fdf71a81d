import type { Hints } from "../../framework/identity";
import type { TokenSpec } from "../../sdk";
import type { Sighting } from "../account/account";
import type { SealRecipient } from "../seal/recipients";
import type { Rotation } from "./rotation";

/** The existing token to take under management, by its `id` or its `name`. */
export interface Adopt {
  /** Id of the token. */
  readonly id?: string;
  /** Name of the token. It is an error if several tokens have this name. */
  readonly name?: string;
  /** Secret of the token, if you have it. The service does not return it again. */
  readonly token?: string;
}

/** The inputs of a token; `name` is always there after `check`. */
export interface ApiTokenInputs extends TokenSpec, Hints {
  /** The program chose the name: tokens of other stacks and people may have it, so it proves nothing. */
  readonly chosenName?: true;
  /** How long the token is valid, counted from its creation. */
  readonly expiresIn?: string;
  readonly rotation?: Rotation;
  /** How the token is retired when it is replaced or destroyed. */
  readonly retire?: "revoke" | "expire";
  readonly adopt?: Adopt;
  /** Whom the secret is sealed for: it is recorded in no other form. */
  readonly sealFor?: SealRecipient | readonly SealRecipient[];
}

/** The state of a token. Its fields are as the service has them. */
export interface ApiTokenState extends ApiTokenInputs {
  /** The secret. Only the response to the create holds it, so it is carried along from there on. */
  readonly token?: string;
  /** The secret, sealed for each recipient, by the recipient's name; there is no `token` then. */
  readonly sealedToken?: Readonly<Record<string, string>>;
  /** The first 12 hexadecimal digits of a sealed secret's SHA-256; of a recorded secret it is derived. */
  readonly fingerprint?: string;
  /** When it was created, by this side's clock; absent for an adopted token. */
  readonly createdAt?: string;
  readonly record: TokenRecord;
}

/**
 * Where a token comes from.
 * - `created`: by a create of this resource.
 * - `adopted`: it existed before. It is revoked only if `retire` says so, or its successor replaced it.
 * - `lost`: created by this resource, but its secret never arrived. It is of no use and is replaced.
 * - `alleged`: an unusable response named its id, so it may be somebody else's token. Only the generated name proves it.
 */
export type Origin = "created" | "adopted" | "lost" | "alleged";

/** Everything that is known of a token besides its inputs and outputs. */
export interface TokenRecord extends Sighting {
  readonly origin: Origin;
  /**
   * The declared values for which the service has others ("": none was declared). Of an expiry that is counted from the
   * creation: the one that the token was requested with.
   */
  readonly declared?: Partial<TokenSpec>;
  /** The expiry that a refresh replaced by another one, empty for none: only that shows an overlap afterwards. */
  readonly priorExpiresAt?: string;
  /** Tokens that this one replaced and that may still be valid, newest first. */
  readonly predecessors?: readonly Predecessor[];
}

/**
 * The fate of a token that was replaced: it is revoked, or stays valid until its expiry. With `overlap` the create of its
 * successor moved that expiry.
 */
export type Fate = "revoke" | "expire" | "overlap";

/** A token that was replaced, with its fate, so that any later process can finish the replacement. */
export interface Predecessor
  extends Pick<TokenSpec, "expiresAt" | "orgCapabilities" | "datasetCapabilities" | "viewCapabilities"> {
  readonly id: string;
  readonly fate: Fate;
  readonly origin: Origin;
  /** The key in its own record, if its successor has another one: the resource was renamed or moved with an alias. */
  readonly key?: string;
  /** It may belong to another account than its successor: only its own account can tell whether it is gone. */
  readonly elsewhere?: true;
  /** The fields that are left out because they were declared as secrets. */
  readonly hidden?: readonly string[];
}

export interface DerivedOutputs {
  /** From when on an update replaces the token. */
  readonly rotatesAt?: string;
}
