import { timingSafeEqual } from "node:crypto";
import { quoteName } from "./apl/errors";
import { epochOf } from "./fields";
import { hashOf } from "./hash";
import { HttpError } from "./httpError";
import { isObject } from "./json";
import type { Access, Caller } from "./routing";
import type { Store } from "./store";

/**
 * Finds the caller that a bearer token belongs to.
 * @throws HttpError 401
 */
export function authenticate(authorization: string | undefined, root: Buffer, store: Store, now: Date): Caller {
  const secret = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? "")?.[1];
  if (secret === undefined) throw unauthenticated("a bearer token is required");
  const hash = hashOf(secret);
  if (timingSafeEqual(hash, root)) return { ...nobody, root: true };

  // A lookup by hash: its duration reveals nothing about the secrets.
  const token = store.findToken(hash.toString("hex"));
  if (!token) throw unauthenticated("the token is not known");
  const { name, expiresAt, orgCapabilities, datasetCapabilities } = token;
  const expires = typeof expiresAt === "string" ? epochOf(expiresAt) : Number.POSITIVE_INFINITY;
  if (!(now.getTime() < expires))
    // an expiry that is not a valid timestamp counts as past
    throw unauthenticated("the token has expired");
  return {
    root: false,
    name: String(name),
    orgCapabilities: isObject(orgCapabilities) ? orgCapabilities : {},
    datasetCapabilities: isObject(datasetCapabilities) ? datasetCapabilities : {},
  };
}

/** A caller without any capability. */
export const nobody: Caller = { root: false, orgCapabilities: {}, datasetCapabilities: {} };

/**
 * @param dataset the dataset in the path
 * @throws HttpError 403 that names what is missing
 */
export function authorize(caller: Caller, access: Exclude<Access, "anyone">, dataset = ""): void {
  if (caller.root || access === "token") return;
  if (access === "root") throw new HttpError(403, "only the root token may do this");
  const { action } = access;
  const lack = (what: string) => new HttpError(403, `the token lacks the capability ${what}`);
  if ("key" in access) {
    if (!isAllowed(caller.orgCapabilities, access.key, action)) throw lack(`orgCapabilities.${access.key}: ${action}`);
  } else if (datasetsFor(caller, access.datasetKey, action)?.includes(dataset) === false)
    throw lack(`${access.datasetKey}: ${action} for the dataset ${quoteName(dataset)}`);
}

/**
 * The datasets for which the caller has a capability; undefined means all, as does the name "*" (extended interface,
 * "Datasets").
 */
export function datasetsFor(caller: Caller, key: string, action: string): readonly string[] | undefined {
  if (caller.root) return undefined;
  const all = Object.entries(caller.datasetCapabilities);
  const names = all.flatMap(([name, capabilities]) => (isAllowed(capabilities, key, action) ? [name] : []));
  return names.includes("*") ? undefined : names;
}

function isAllowed(capabilities: unknown, key: string, action: string): boolean {
  if (!isObject(capabilities) || !Object.hasOwn(capabilities, key)) return false;
  const actions = capabilities[key];
  return Array.isArray(actions) && actions.includes(action);
}

const unauthenticated = (message: string) => new HttpError(401, message, { "www-authenticate": "Bearer" });
