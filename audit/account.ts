import { credentialOf } from "../provider/shared/account/evidence";
import type { Settings } from "../sdk";
import type { DeclaredToken, PendingCreate } from "./declared";
import type { Declaration } from "./findings";

/** The group of all default providers of a state: of any version, and of both forms of this provider. */
export const defaultProvider = "default";

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

/** An object of a state. A create that did not finish has no evidence of its own. */
export type Placed = Pick<DeclaredToken, "declaration" | "provider"> & Partial<Pick<DeclaredToken, "record">>;

/** Whether objects belong to the audited account. */
export interface Places {
  /** Whether something proves it. */
  isHere(object: Placed): boolean;
  /** Whether the state has nothing that could belong to another account: no token, and objects of one provider only. */
  isOnlyAccount(object: Placed): boolean;
}

/**
 * Finds the account of objects that are not listed: by the object's own evidence, as the provider does, and then by the other objects
 * of its provider in the state, which the provider does not see. Nothing is proven by an object of another provider of the state.
 */
export function findPlaces(
  tokens: readonly DeclaredToken[],
  pending: readonly PendingCreate[],
  isLive: { id(id: string): boolean; name(name: string): boolean },
  { credential }: AuditedAccount,
): Places {
  const credentials = new Set(credential === undefined ? [] : [credential]);
  for (const { id, record } of tokens)
    if (isLive.id(id) && record.evidence.credential !== undefined) credentials.add(record.evidence.credential);
  const proves = ({ record }: Placed): boolean =>
    record !== undefined &&
    (credentials.has(record.evidence.credential ?? "") || record.evidence.beside.some(isLive.id));
  const here = new Set<string>();
  for (const token of tokens) if (isLive.id(token.id) || proves(token)) here.add(groupOf(token));
  // Only this create can have made a token of a name that was generated for it.
  for (const create of pending)
    if (create.isNameOwn && isLive.name(String(create.inputs.name))) here.add(groupOf(create));
  const groups = Map.groupBy<string, Placed>([...tokens, ...pending], ({ declaration }) => declaration.source);
  const mixed = new Set(
    [...groups].flatMap(([source, objects]) =>
      objects.some(({ record }) => record !== undefined) || new Set(objects.map(groupOf)).size > 1 ? [source] : [],
    ),
  );
  return {
    isHere: (object) => proves(object) || here.has(groupOf(object)),
    isOnlyAccount: ({ declaration }) => !mixed.has(declaration.source),
  };
}

const groupOf = ({ declaration, provider }: Placed): string => JSON.stringify([declaration.source, provider]);

/** Whether a create may have left its token in another account, which the list does not show. */
export const isElsewhere = (create: PendingCreate, { isHere, isOnlyAccount }: Places): boolean =>
  !isHere(create) && !isOnlyAccount(create);

/** A create that may have left its token in another account. */
export function describePendingElsewhere({ declaration, provider, inputs: { name } }: PendingCreate): string {
  const words = typeof name === "string" ? `API token "${name}"` : "an API token";
  return `The create of ${words} did not finish, and nothing proves that it belongs to the audited account: ${describeSettings(provider, declaration)}`;
}

/** What a reader does to see the other account. */
export const describeSettings = (provider: string, { stack }: Declaration): string =>
  `run this with the settings of ${provider === defaultProvider ? `the default provider of ${stack}` : `Provider ${provider.split("::").at(-1)}`}`;
