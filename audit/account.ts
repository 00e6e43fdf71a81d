import { credentialOf } from "../provider/account/evidence";
import type { Settings } from "../sdk";
import type { DeclaredToken } from "./state";

/** The audited account: the documented interface does not name one. */
export interface AuditedAccount {
  readonly baseUrl: string;
  /** The first 12 hex digits of the SHA-256 of base URL, access token and organization, as the provider records them. */
  readonly credential?: string | undefined;
}

/** The account of settings, as the provider records it. */
export const accountOf = (settings: Pick<Settings, "baseUrl" | "accessToken" | "orgId">): AuditedAccount => ({
  baseUrl: settings.baseUrl,
  credential: credentialOf(settings),
});

/** The account of a token that is not listed: this one, another one, or not proven. */
export type Place = "here" | "elsewhere" | "unproven";

/**
 * Finds the account of unlisted tokens, as the provider does, by the access token and by the tokens recorded beside it; and by the
 * other tokens of its state, which the provider does not see.
 */
export function findPlaces(
  tokens: readonly DeclaredToken[],
  isLive: (id: string) => boolean,
  { credential }: AuditedAccount,
): (token: DeclaredToken) => Place {
  const here = new Set(tokens.filter(({ id }) => isLive(id)).map(({ declaration }) => declaration.source));
  return ({ record: { evidence }, declaration }) => {
    if (credential !== undefined && evidence.credential === credential) return "here";
    if (evidence.beside.some(isLive)) return "here";
    if (evidence.credential === undefined) return "unproven";
    return here.has(declaration.source) ? "here" : "elsewhere";
  };
}
