import { compareAccounts, describeSighting, Evidence, hashCredential } from "../provider/account/account";
import type { Settings } from "../sdk";
import { defined } from "../values/defined";
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

const places = { same: "here", other: "elsewhere", unknown: "unproven" } as const;

/**
 * Says where tokens that are not listed belong. A token that was found proves that the address it was recorded under is the
 * audited service's, and that the credential it was last seen with is of this account.
 */
export function findPlaces(
  tokens: readonly DeclaredToken[],
  isLive: (id: string) => boolean,
  { baseUrl, credentialHash, account }: AuditedAccount,
): (token: DeclaredToken) => Place {
  const evidence = new Evidence({ baseUrl, ...defined({ credentialHash, account }) });
  for (const { id, record } of tokens) if (isLive(id)) evidence.add(record.sighting);
  return ({ record }) => places[compareAccounts(record.sighting, evidence).is];
}

/** The account of a token for people. */
export const describeAccount = ({ record }: DeclaredToken): string => describeSighting(record.sighting);
