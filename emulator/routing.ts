import type { RawBody } from "./body";
import { HttpError } from "./httpError";
import type { JsonObject } from "./json";
import type { LazyDatasets } from "./lazyDatasets";
import type { Store } from "./store";

/** `documented`: what the documented interface names. `extended`: what the public service offers beyond it, too. */
export const profiles = ["documented", "extended"] as const;

export type Profile = (typeof profiles)[number];

/** What handlers work on. */
export interface Service {
  readonly store: Store;
  readonly datasets: LazyDatasets;
  readonly profile: Profile;
  readonly now: () => Date;
}

/** Who sent a request: the root token may do everything. */
export interface Caller {
  readonly root: boolean;
  /** The name of the token; undefined for the root token, and for nobody. */
  readonly name?: string;
  readonly orgCapabilities: JsonObject;
  readonly datasetCapabilities: JsonObject;
}

/** A request that may be carried out. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Empty where the route takes no body. */
  readonly body: JsonObject;
  /** Empty where the route takes no body, or a JSON object. */
  readonly raw: RawBody;
  readonly caller: Caller;
  /** Aborted once nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** Sent as JSON; undefined: no body. */
  readonly body?: unknown;
  /** Sent as it is, in the place of a body. */
  readonly file?: { readonly contentType: string; readonly content: Buffer };
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (service: Service, call: Call) => Answer | Promise<Answer>;

/**
 * Who may call a route: a token that has the action under the key of `orgCapabilities`, say. `token` is any valid one; the
 * handler decides more.
 */
export type Access = "anyone" | "root" | "token" | { readonly key: string; readonly action: string };

export interface Route {
  readonly method: string;
  /** `{name}` stands for one segment. */
  readonly path: string;
  readonly access: Access;
  /** The smallest profile that has it. */
  readonly profile: Profile;
  /** The query parameters that it knows; any other is refused. */
  readonly query?: readonly string[];
  /** Those that it knows in the extended profile besides. */
  readonly extendedQuery?: readonly string[];
  /** Present where the request has a JSON object as its body. */
  readonly body?: { readonly maxBytes: number };
  /** Present where the handler reads the body itself. */
  readonly raw?: { readonly maxBytes: number };
  readonly handler: Handler;
}

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** The routes that a profile has. */
export const routesOf = (routes: readonly Route[], profile: Profile): Route[] =>
  routes
    .filter((route) => profiles.indexOf(route.profile) <= profiles.indexOf(profile))
    .map(({ extendedQuery = [], ...route }) =>
      profile === "extended" ? { ...route, query: [...(route.query ?? []), ...extendedQuery] } : route,
    );

/**
 * Finds the route of a request target. The path is taken as it was sent: a URL parser would resolve `..` and so hide a
 * client that lets an id reach another path.
 * @throws HttpError
 */
export function match(routes: readonly Route[], method: string, target: string): Match {
  const [path, search] = splitTarget(target);
  const segments = segmentsOf(path);
  const matches = routes.flatMap((route) => {
    const params = paramsOf(route.path.split("/").slice(1), segments);
    return params ? [{ route, params }] : [];
  });
  if (matches.length === 0) throw new HttpError(404, "there is no such path");
  const found = matches.find(({ route }) => route.method === method);
  if (!found) {
    const allow = matches.map(({ route }) => route.method).join(", ");
    throw new HttpError(405, `this path takes ${allow}`, { allow });
  }
  const query = new URLSearchParams(search);
  for (const name of query.keys()) {
    // Not quoted: what is where it does not belong may be anything.
    if (!found.route.query?.includes(name)) throw new HttpError(400, "there is no such query parameter");
  }
  return { ...found, query };
}

/** A request target as path and query string. */
export function splitTarget(target: string): readonly [path: string, search: string] {
  const [path = "", ...search] = target.split("?");
  return [path, search.join("?")];
}

function segmentsOf(path: string): string[] {
  // The other forms of a request target (RFC 9112, 3.2) are for proxies.
  if (!path.startsWith("/")) throw new HttpError(400, "the request target must be a path");
  try {
    return path.slice(1).split("/").map(decodeURIComponent);
  } catch {
    throw new HttpError(400, "the path is not well encoded");
  }
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? segment !== part : segment === "") return undefined;
    if (name !== undefined) params[name] = segment;
  }
  return params;
}
