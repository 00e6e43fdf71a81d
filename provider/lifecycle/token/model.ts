import type { TokenSpec } from "../../../sdk";
import type { Sighting } from "../account";
import type { Answers } from "../drift";
import type { SealRecipient } from "../seal/recipients";
import type { Rotation } from "./rotation";

/** Which existing token to take under management: `id` or `name`. */
export interface Adopt {
  /** Its id. */
  readonly id?: string;
  /** Its name; an error if several tokens have it. */
  readonly name?: string;
  /** Its secret, if the user has it: the service does not show it again. */
  readonly token?: string;
}

/** What a token is declared with; `name` is always there after `check`. */
export interface ApiTokenInputs extends TokenSpec {
  /** The logical name that `name` was generated from, which `resourceKey` then need not say; absent for a name that the user chose. */
  readonly autoName?: string;
  /** How long the token is valid, counted from its creation. */
  readonly expiresIn?: string;
  readonly rotation?: Rotation;
  /** What becomes of the token when it is replaced or destroyed. */
  readonly retire?: "revoke" | "expire";
  readonly adopt?: Adopt;
  /** Whom the secret is sealed for: it is recorded in no other form. */
  readonly sealFor?: SealRecipient | readonly SealRecipient[];
  /** Tells the resource from every other of its stack, where `autoName` does not: hooks are not told their resource. Never compared. */
  readonly resourceKey?: string;
  /** The inputs that were declared as secrets: they are shown nowhere, and nothing of them is recorded in plain text. */
  readonly secretInputs?: readonly string[];
}

/** What is recorded of a token. */
export interface ApiTokenState extends ApiTokenInputs, Sighting, Answers<TokenSpec> {
  /** The secret. Only the creation answers it, so it is carried along from there on. */
  readonly token?: string;
  /** The secret, sealed for each recipient, by the recipient's name; there is no `token` then. */
  readonly sealedToken?: Readonly<Record<string, string>>;
  /** The first 12 hexadecimal digits of a sealed secret's SHA-256; of one that is recorded it is derived. */
  readonly fingerprint?: string;
  /** When it was created, by this side's clock; absent for an adopted token. */
  readonly createdAt?: string;
  /** The expiry that `expiresIn` or `rotation.expireAfter` came to, or that an adopted token had, where it is not `expiresAt`. */
  readonly resolvedExpiresAt?: string;
  /** The declared expiry ("": none), where the service gave another; `expiresAt` is then the one that it gave. */
  readonly declaredExpiresAt?: string;
  /** The token exists, but its secret never arrived: it is of no use and is replaced. */
  readonly lost?: true;
  /**
   * Nothing but an answer without a secret named it, so it may be somebody else's token: the generated name that would show
   * whose it is, or "" where none was generated.
   */
  readonly provenBy?: string;
  /** It was not made here but taken over: it is revoked only if `retire` says so, or its successor took its place. */
  readonly adopted?: true;
  /** Tokens that this one replaced and that may still be valid, newest first. */
  readonly replaced?: readonly ReplacedToken[];
}

/** A token that was replaced, as it was. What was declared as a secret is left out. */
export interface ReplacedToken
  extends Pick<TokenSpec, "expiresAt" | "orgCapabilities" | "datasetCapabilities" | "viewCapabilities"> {
  readonly id: string;
  /** Its secret never arrived. */
  readonly lost?: true;
}
