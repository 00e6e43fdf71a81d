import { isObject, type JsonObject } from "../../values/json";
import { jsonType, object, type SpecOf, string, strings } from "../../values/jsonType";
import type { Profile } from "../profiles";
import type { ResponseFields, ResponseObject } from "./wire";

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

/** A key of `orgCapabilities`; only the extended profile knows `views` (extended interface, "Tokens"). */
export type OrgCapabilityKey = (typeof orgCapabilityKeys)[number] | "views";

/**
 * An action that a token allows on one kind of thing. The documented interface shows `create` and `read`; its list is
 * open.
 */
export type Action = "create" | "read" | (string & {});

/**
 * Organization-level capabilities: the allowed actions on each kind of object. Absent and empty mean the same. `views` needs the
 * `extended` profile.
 * @each Allowed actions on objects of this kind, such as `create` and `read`. Their order is ignored.
 */
export type OrgCapabilities = { readonly [key in OrgCapabilityKey]?: readonly Action[] | undefined };

/** Per-dataset capabilities. Their structure is not documented: any object is sent unchanged. */
export type DatasetCapabilities = JsonObject;

const orgCapabilities = jsonType<OrgCapabilities>(
  "an object of arrays of strings",
  (value) => isObject(value) && Object.values(value).every(strings.holds),
);

/** Every field of a token (documented interface, 2.1). Requests, responses, resources and the audit derive from this list. */
export const tokenFields = {
  /** Name of the token. Names need not be unique. */
  name: { response: string, profile: "documented", required: true },
  /** Description of the token. */
  description: { response: string, profile: "documented" },
  /**
   * Expiry of the token: an RFC 3339 timestamp such as `2027-01-01T00:00:00Z`. A different spelling of the same time is not
   * a change. A token without an expiry stays valid until it is revoked.
   */
  expiresAt: { response: string, profile: "documented" },
  /** Capabilities for datasets, by name of the dataset. They are sent unchanged. */
  datasetCapabilities: { response: object, profile: "documented" },
  /** Organization-level capabilities: the allowed actions on each kind of object. Their order is ignored. */
  orgCapabilities: { response: orgCapabilities, profile: "documented" },
  /** Capabilities for views, by name of the view. Needs the `extended` profile. */
  viewCapabilities: { response: object, profile: "extended" },
} as const;

/** The fields of a new token. */
export interface TokenSpec extends SpecOf<typeof tokenFields> {}

/**
 * A token in the responses to get and list, without its secret. A field is absent if the service left it out or sent null, or
 * if it has an unexpected type; `name` is then "". `expiresAt` is absent for a token that never expires.
 */
export interface Token extends ResponseFields<TokenSpec>, ResponseObject {}

/** A token in the response to its creation, the only response with the secret. */
export interface MintedToken extends Token {
  /** The secret. */
  readonly token: string;
}

/**
 * The request to regenerate a token (extended interface, "Tokens"), which creates a new token with a new id and a new secret.
 * The old token stays valid until the given time.
 */
export interface TokenRegeneration {
  /** When the old token stops working: an ISO 8601 / RFC 3339 timestamp. */
  readonly existingTokenExpiresAt: string;
  /** When the new token stops working: an ISO 8601 / RFC 3339 timestamp. Its default is not documented. */
  readonly newTokenExpiresAt?: string | undefined;
  /** The new token, with the same fields as for a create. Its default is not documented. */
  readonly newToken?: TokenSpec | undefined;
}

/** Every field of the request to regenerate a token. */
export const regenerationFields = {
  existingTokenExpiresAt: { profile: "extended" },
  newTokenExpiresAt: { profile: "extended" },
  newToken: { profile: "extended", fields: tokenFields },
} as const satisfies {
  readonly [Field in keyof TokenRegeneration]-?: { readonly profile: Profile; readonly fields?: object };
};
