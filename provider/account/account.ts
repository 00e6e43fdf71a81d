import { canonicalAddress } from "../../values/address";
import { fingerprintOf } from "../../values/fingerprint";

/** Where and how an object was last seen. Nothing in the documented interface names an account, so this stands for it. */
export interface Sighting {
  /** Address of the service. */
  readonly baseUrl?: string;
  /** The first 12 hexadecimal digits of the SHA-256 of the credential. */
  readonly credentialHash?: string;
  /** The user's own label of the account, if there is one. */
  readonly account?: string;
  /** Name of the explicit provider; absent for the default one. */
  readonly providerName?: string;
}

/** How a process reaches the service now. An audit of a list that was given to it knows no credential. */
export interface PresentAccount extends Sighting {
  readonly baseUrl: string;
  /** The same digits of the access token alone, where an organization is a part of the credential. Never recorded. */
  readonly fingerprint?: string;
}

/** An organization is a part of the credential: a personal token works for the one that it is sent with. */
export const hashCredential = (accessToken: string, orgId?: string): string =>
  fingerprintOf(orgId === undefined ? accessToken : `${accessToken}\n${orgId}`);

/** The settings of the present account, and the sightings of each object that was found with them. */
export class Evidence {
  readonly here: PresentAccount;
  readonly #known = new Set<string>();

  constructor(here: PresentAccount) {
    this.here = here;
    this.add(here);
  }

  /**
   * Adds an object that was found: it proves the account of others that were last seen in the same way.
   * @returns whether that is new
   */
  add({ baseUrl, credentialHash, account }: Sighting): boolean {
    const before = this.#known.size;
    if (baseUrl !== undefined) this.#known.add(spellFact("address", baseUrl));
    if (credentialHash !== undefined) this.#known.add(spellFact("credential", credentialHash));
    if (account !== undefined) this.#known.add(spellFact("label", account));
    return this.#known.size > before;
  }

  has(...fact: Parameters<typeof spellFact>): boolean {
    return this.#known.has(spellFact(...fact));
  }
}

/** One machine has several names on loopback. */
const spellFact = (kind: "address" | "credential" | "label", text: string): string =>
  `${kind} ${kind === "address" ? canonicalAddress(text).replace(loopback, "$1127.0.0.1") : text}`;
const loopback = /^(https?:\/\/)(localhost|\[::1\])(?=[:/]|$)/;

/** Whether an object belongs to the present account, and the fact that decides it. */
export type Verdict =
  | { readonly is: "same"; readonly because: "label" | "credential" | "nothing recorded" }
  | { readonly is: "other"; readonly because: "label" | "address" }
  | { readonly is: "unknown"; readonly because: "address" | "credential" };

/** Compares accounts, for everybody. A label says more than an address or a credential: both can change. */
export function compareAccounts(recorded: Sighting, evidence: Evidence): Verdict {
  const { baseUrl, credentialHash, account } = recorded;
  const { here } = evidence;
  if (account !== undefined && evidence.has("label", account)) return { is: "same", because: "label" };
  if (account !== undefined && here.account !== undefined) return { is: "other", because: "label" };
  if (baseUrl === undefined) return { is: "same", because: "nothing recorded" };
  const isKnown = credentialHash === undefined || here.credentialHash === undefined;
  const isProven = isKnown || evidence.has("credential", credentialHash);
  if (evidence.has("address", baseUrl)) {
    return isProven ? { is: "same", because: "credential" } : { is: "unknown", because: "credential" };
  }
  // The same credential at another address: the service moved, or the address is wrong.
  const isOwn = credentialHash !== undefined && credentialHash === here.credentialHash;
  return isOwn ? { is: "unknown", because: "address" } : { is: "other", because: "address" };
}

export const describeSighting = ({ baseUrl, account, credentialHash, providerName }: Sighting): string =>
  [
    baseUrl ?? "an address that is not recorded",
    account === undefined ? "" : `account "${account}"`,
    providerName === undefined ? "" : `Provider "${providerName}"`,
    credentialHash === undefined ? "" : `credential hash ${credentialHash}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
