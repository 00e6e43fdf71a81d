import type { Bag } from "../framework/lifecycle";
import { credentialOf } from "../provider/shared/account/evidence";
import type { Settings, Token } from "../sdk";
import type { DeclaredToken, PendingCreate } from "./declared";

/** The group of all default providers of a state, of any version and of both forms of this provider. */
const defaultProvider = "default";

/** The audited account: the documented interface does not name one. */
export interface AuditedAccount {
  readonly baseUrl: string;
  /** The first 12 hex digits of the SHA-256 hash of base URL, access token and organization, as the provider records them. */
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
  /** Whether there is proof that an object belongs to it. */
  isHere(object: Placed): boolean;
  /** Whether the state has nothing that could belong to another account: no token, and objects of one provider only. */
  isOnlyAccount(object: Placed): boolean;
}

/**
 * Finds the account of objects that are not listed: by the object's own evidence, as the provider does, and then by other
 * objects of the same `Provider` in the state, which a hook cannot see. An object of another provider in the state proves
 * nothing.
 */
export function findPlaces(
  { all: tokens, pending }: { readonly all: readonly DeclaredToken[]; readonly pending: readonly PendingCreate[] },
  live: readonly Token[],
  { credential }: AuditedAccount,
): Places {
  const [ids, names] = [new Set(live.map(({ id }) => id)), new Set(live.map(({ name }) => name))];
  const isLive = (id: string) => ids.has(id);
  const credentials = new Set(credential === undefined ? [] : [credential]);
  for (const { id, record } of tokens)
    if (isLive(id) && record.evidence.credential !== undefined) credentials.add(record.evidence.credential);
  const proves = ({ record }: Placed): boolean =>
    record !== undefined && (credentials.has(record.evidence.credential ?? "") || record.evidence.beside.some(isLive));
  const here = new Set<string>();
  for (const token of tokens) if (isLive(token.id) || proves(token)) here.add(groupOf(token));
  // Only this create can have made a token of a name that was generated for it.
  for (const create of pending)
    if (create.isNameOwn && names.has(String(create.inputs.name))) here.add(groupOf(create));
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

/** Tells the reader how to audit the other account. */
export const describeSettings = ({ provider, declaration: { stack } }: Placed): string =>
  `run this with the settings of ${provider === defaultProvider ? `the default provider of ${stack}` : `Provider ${provider.split("::").at(-1)}`}`;

/**
 * Groups the resources of a state by the provider that manages them. A group is named by the state's reference without the
 * UUID, which changes with the provider's arguments. A `Provider` that was renamed with an alias stays the same one.
 */
export function groupProviders(resources: readonly Bag[]): (resource: Bag) => string {
  const renamed = new Map<unknown, string>();
  for (const { type, urn, aliases } of resources)
    if (String(type).startsWith("pulumi:providers:") && Array.isArray(aliases))
      for (const alias of aliases) renamed.set(alias, String(urn));
  const follow = (urn: string, seen: readonly string[] = []): string => {
    const next = renamed.get(urn);
    return next === undefined || seen.includes(next) ? urn : follow(next, [...seen, urn]);
  };
  return ({ provider }) => {
    const urn = typeof provider === "string" ? provider.slice(0, Math.max(0, provider.lastIndexOf("::"))) : "";
    return urn === "" || /::default(_[\w.]+)?$/.test(urn) ? defaultProvider : follow(urn);
  };
}
