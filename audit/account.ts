import { hashCredential } from "../provider/lifecycle/account";
import type { Settings } from "../sdk";
import { canonicalAddress } from "../sdk/values/address";
import type { DeclaredToken } from "./state";

/** The account that an audit lists, as far as it is known: nothing in the documented interface names one. */
export interface AuditedAccount {
  readonly baseUrl: string;
  /** The first 12 hex digits of the SHA-256 of the credential. */
  readonly credentialHash?: string | undefined;
  /** The setting `account`. */
  readonly account?: string | undefined;
}

/** The account that settings are for, as the provider records it. */
export const accountOf = ({ baseUrl, accessToken, account, orgId }: AccountSettings): AuditedAccount => ({
  baseUrl,
  account,
  credentialHash: hashCredential(accessToken, orgId),
});

type AccountSettings = Pick<Settings, "baseUrl" | "accessToken" | "account" | "orgId">;

/** Where a token that is not listed belongs: to this account, to another, or to one of which nothing proves either. */
export type Place = "here" | "elsewhere" | "unproven";

/**
 * Says where tokens that are not listed belong. One that was found proves that the address it was recorded under is the
 * audited service's, and that the credential it was last seen with is of this account.
 */
export function placing(
  tokens: readonly DeclaredToken[],
  isLive: (id: string) => boolean,
  audited: AuditedAccount,
): (token: DeclaredToken) => Place {
  const found = tokens.filter(({ id }) => isLive(id));
  const addresses = new Set([audited.baseUrl, ...textsOf(found, "baseUrl")].map(canonicalAddress));
  const hashes = new Set([audited.credentialHash, ...textsOf(found, "credentialHash")]);
  const labels = new Set([audited.account, ...textsOf(found, "account")]);

  return ({ outputs }) => {
    const [address, hash, label] = [outputs.baseUrl, outputs.credentialHash, outputs.account].map(textOf);
    // The user's own words: they say more than an address, which changes, and a credential, which is renewed.
    if (label !== undefined && labels.has(label)) return "here";
    if (label !== undefined && audited.account !== undefined) return "elsewhere";
    if (address !== undefined && !addresses.has(canonicalAddress(address))) return "elsewhere";
    const isProven = hash === undefined || audited.credentialHash === undefined || hashes.has(hash);
    return isProven ? "here" : "unproven";
  };
}

const textsOf = (tokens: readonly DeclaredToken[], member: string): string[] =>
  tokens.map(({ outputs }) => textOf(outputs[member])).filter((text) => text !== undefined);

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** How an account is told to people: its address, its label, and the credential that it was last seen with. */
export function describePlace({ outputs }: DeclaredToken): string {
  const parts = [
    textOf(outputs.baseUrl) ?? "an address that the state does not name",
    textOf(outputs.account) && `account ${textOf(outputs.account)}`,
    textOf(outputs.credentialHash) && `last seen with credential ${textOf(outputs.credentialHash)}`,
  ];
  return parts.filter(Boolean).join(", ");
}
