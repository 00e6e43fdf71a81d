import { compareAccounts, describeSighting, Evidence, hashCredential } from "../provider/account/account";
import type { Settings } from "../sdk";
import { defined } from "../values/defined";
import type { DeclaredToken } from "./state";

/** The audited account: the documented interface does not name one. */
export interface AuditedAccount {
  readonly baseUrl: string;
  /** The first 12 hex digits of the SHA-256 of the credential. */
  readonly credentialHash?: string | undefined;
  /** The setting `account`. */
  readonly account?: string | undefined;
}

/** The account of settings, as the provider records it. */
export const accountOf = ({ baseUrl, accessToken, account, orgId }: AccountSettings): AuditedAccount => ({
  baseUrl,
  account,
  credentialHash: hashCredential(accessToken, orgId),
});

type AccountSettings = Pick<Settings, "baseUrl" | "accessToken" | "account" | "orgId">;

/** The account of a token that is not listed: this one, another one, or not proven. */
export type Place = "here" | "elsewhere" | "unproven";

const places = { same: "here", other: "elsewhere", unknown: "unproven" } as const;

/**
 * Finds the account of unlisted tokens. A listed token proves that its recorded address is that of the audited service, and
 * that the credential it was last seen with belongs to this account.
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

/** Describes the account of a token in words. */
export const describeAccount = ({ record }: DeclaredToken): string => describeSighting(record.sighting);
