import type { RawBody } from "./body";
import type { Engine } from "./engine/engine";
import { HttpError } from "./httpError";
import type { JsonObject } from "./json";
import type { Profile } from "./profiles";
import type { Store } from "./store";
import type { Door } from "./unset";

/** An action on a token. `actor` is the name of the token that was used for the action, or `root`. */
export interface AuditEntry {
  readonly action: string;
  readonly id: unknown;
  readonly name: unknown;
  readonly actor: string;
}

/** The objects that handlers use. */
export interface Service {
  readonly store: Store;
  readonly datasets: Engine;
  readonly profile: Profile;
  readonly now: () => Date;
  /** Writes into the audit log; undefined if the service keeps none. */
  readonly audit?: ((entry: AuditEntry) => Promise<void>) | undefined;
}

/** The sender of a request. The root token may do everything. */
export interface Caller {
  readonly root: boolean;
  /** The name of the token; undefined for the root token and for requests without a token. */
  readonly name?: string;
  readonly orgCapabilities: JsonObject;
  readonly datasetCapabilities: JsonObject;
}

/** An authorized request. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Empty if the route takes no body. */
  readonly body: JsonObject;
  /** Empty if the route takes no body or a JSON object. */
  readonly raw: RawBody;
  readonly caller: Caller;
  /** Aborts when nobody waits for the response any more. */
  readonly signal: AbortSignal;
}

export interface HandlerResult {
  readonly status: number;
  /** The body, which is sent as JSON; undefined if there is none. */
  readonly body?: unknown;
  /** JSON as text, instead of `body`. */
  readonly json?: Uint8Array;
  /** Sent unchanged, instead of `body`. */
  readonly content?: { readonly type: string; readonly bytes: Uint8Array };
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response to one request. */
export interface Reply {
  send(result: HandlerResult): void;
  /** Closes the connection without a response. */
  close(): void;
}

export type Handler = (service: Service, call: Call) => HandlerResult | Promise<HandlerResult>;

/**
 * Who may call a route: a token that has the action under the key of `orgCapabilities`, or under the key of
 * `datasetCapabilities` for the dataset whose name is the path's `id`. `token`: any valid token; the handler checks the rest.
 */
export type Access =
  | "anyone"
  | "root"
  | "token"
  | { readonly key: string; readonly action: string }
  | { readonly datasetKey: string; readonly action: string };

export interface Route {
  readonly method: string;
  /** `{name}` stands for one segment. */
  readonly path: string;
  readonly access: Access;
  /** The smallest profile that has the route. */
  readonly profile: Profile;
  /** The supported query parameters; any other is refused. */
  readonly query?: readonly string[];
  /** Additional query parameters of the extended profile. */
  readonly extendedQuery?: readonly string[];
  /** Present if the body is a JSON object: its largest size, and how it is read. */
  readonly body?: { readonly maxBytes: number; readonly read?: Door };
  /** Present if the handler parses the body itself: its largest size. */
  readonly raw?: { readonly maxBytes: number };
  readonly handler: Handler;
  /** Whether only the emulator's page sends this request. */
  readonly isPage?: boolean;
}

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** The routes that a profile has. */
export const routesOf = (routes: readonly Route[], profile: Profile): readonly Route[] =>
  routes
    .filter((route) => profile === "extended" || route.profile === profile)
    .map((route) =>
      profile === "extended" ? { ...route, query: [...(route.query ?? []), ...(route.extendedQuery ?? [])] } : route,
    );

/**
 * Finds the route of a request target. The path is not normalized: a URL parser would resolve `..` and so hide a
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
    throw new HttpError(405, `this path accepts only ${allow}`, { allow });
  }
  const query = new URLSearchParams(search);
  // Not quoted: a misplaced value may be a secret.
  // An item of a list may have its place after the name.
  for (const name of query.keys())
    if (![name, name.replace(/\[\d*\]$/, "[]")].some((known) => found.route.query?.includes(known)))
      throw new HttpError(400, "there is no such query parameter");
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
    throw new HttpError(400, "the path is not validly percent-encoded");
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
