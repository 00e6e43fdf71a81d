import type { Differences } from "../../framework/drift";
import type { Hints } from "../../framework/identity";
import type { TokenSpec } from "../../sdk";
import type { Evidence } from "../account/account";
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
  /** When it was created, by the service's clock if that is known; absent for an adopted token. */
  readonly createdAt?: string;
  readonly record: TokenRecord;
}

/** Everything that is known of a token besides its inputs and outputs. */
export interface TokenRecord extends Evidence, Differences<TokenSpec> {
  /** Its secret never arrived, or could not be sealed: it is of no use, and is replaced. */
  readonly lost?: true;
  /** Tokens that this one replaced and that may still be valid, newest first. */
  readonly replaced?: readonly ReplacedToken[];
}

/** A token that was replaced. */
export interface ReplacedToken {
  readonly id: string;
  /** Absent: it is revoked at the end of the update that replaced it. */
  readonly ends?: "later";
  /** Its expiry, if it has one and no argument is secret. */
  readonly until?: string;
}

export interface DerivedOutputs {
  /** From when on an update replaces the token. */
  readonly rotatesAt?: string;
}
