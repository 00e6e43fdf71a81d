import * as v from "valibot";
import { path } from "../path";
import type { CallOptions, Transport } from "../transport";
import { isObject, type JsonObject, withoutNulls } from "../values/json";

/** The keys of `orgCapabilities` (documented interface, 2.1). */
export const orgCapabilityKeys = [
  "annotations",
  "apiTokens",
  "auditLog",
  "billing",
  "dashboards",
  "datasets",
  "endpoints",
  "flows",
  "integrations",
  "monitors",
  "notifiers",
  "rbac",
  "sharedAccessKeys",
  "users",
] as const;

export type OrgCapabilityKey = (typeof orgCapabilityKeys)[number];

/** What a token may do with one kind of thing. The documented interface shows `create` and `read`; its list is open. */
export type Action = "create" | "read" | (string & {});

/** Organisation-level capabilities: for each key the actions that are allowed. Absent and empty mean the same. */
export type OrgCapabilities = { readonly [key in OrgCapabilityKey]?: readonly Action[] };

/** Per-dataset capabilities. Their inner structure is not documented: any object passes, as it is. */
export type DatasetCapabilities = JsonObject;

/** What a token is created from. */
export interface TokenSpec {
  readonly name: string;
  readonly description?: string;
  /** When the token stops working: an ISO 8601 / RFC 3339 instant. */
  readonly expiresAt?: string;
  readonly datasetCapabilities?: DatasetCapabilities;
  readonly orgCapabilities?: OrgCapabilities;
  /** Per-view capabilities (extended interface, "Tokens"). */
  readonly viewCapabilities?: JsonObject;
}

/** A token as get and list answer it, without its secret. Absent fields are those the service left out or gave as null. */
export interface Token extends TokenSpec {
  readonly id: string;
}

/** A token as its creation answers it, and only that answer. */
export interface MintedToken extends Token {
  /** The secret. */
  readonly token: string;
}

const actions = (value: unknown) => Array.isArray(value) && value.every((action) => typeof action === "string");

const tokenEntries = {
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.string(),
  description: v.exactOptional(v.string()),
  expiresAt: v.exactOptional(v.string()),
  datasetCapabilities: v.exactOptional(v.custom<DatasetCapabilities>(isObject, "an object")),
  orgCapabilities: v.exactOptional(
    v.custom<OrgCapabilities>(
      (value) => isObject(value) && Object.values(value).every(actions),
      "an object of arrays of strings",
    ),
  ),
  viewCapabilities: v.exactOptional(v.custom<JsonObject>(isObject, "an object")),
};

const answered = v.pipe(v.unknown(), v.transform(withoutNulls));
const tokenSchema = v.pipe(answered, v.object(tokenEntries));
const tokensSchema = v.pipe(answered, v.array(v.object(tokenEntries)));
const mintedSchema = v.pipe(answered, v.object({ ...tokenEntries, token: v.pipe(v.string(), v.nonEmpty()) }));

/** `/v2/tokens` (documented interface, 4.1 to 4.3). */
export class Tokens {
  constructor(private readonly http: Transport) {}

  /**
   * Mints a token. Only this answer ever carries the secret, so the request is never sent again once it may have
   * arrived.
   * @throws ApiError; with `outcome: "unknown"` a token may exist whose secret nobody knows
   */
  create(spec: TokenSpec, options: CallOptions = {}): Promise<MintedToken> {
    return this.http.send("tokens.create", { path: path`/v2/tokens`, body: spec, answer: mintedSchema, ...options });
  }

  /**
   * One token by its id.
   * @throws ApiError (404: no such token), RangeError for an id that is none
   */
  get(id: string, options: CallOptions = {}): Promise<Token> {
    return this.http.send("tokens.get", { path: path`/v2/tokens/${id}`, answer: tokenSchema, ...options });
  }

  /**
   * All tokens, in the order in which the service lists them. Filters and paging are not documented, so there are none.
   * @throws ApiError
   */
  list(options: CallOptions = {}): Promise<Token[]> {
    return this.http.send("tokens.list", { path: path`/v2/tokens`, answer: tokensSchema, ...options });
  }

  /**
   * Revokes a token (extended interface, "Tokens"): it stops working at once.
   * @throws ApiError (404: no such token), RangeError for an id that is none
   */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.http.send("tokens.delete", { path: path`/v2/tokens/${id}`, ...options });
  }
}
