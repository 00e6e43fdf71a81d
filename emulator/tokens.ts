import { randomBytes, randomUUID } from "node:crypto";
import { defined } from "./apl/defined";
import { anyObject, type Check, checkShape, instant, listOf, object, type Shape, string, utc } from "./fields";
import { hashOf } from "./hash";
import { HttpError } from "./httpError";
import { isObject, type JsonObject, type WireObject } from "./json";
import type { Profile } from "./profiles";
import type { Handler } from "./routing";
import type { Store } from "./store";

/** Documented interface, 2.1. The actions have no documented list. */
const orgKeys = [
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
];

const orgCapabilities = (keys: readonly string[]): Check =>
  object({ fields: Object.fromEntries(keys.map((key) => [key, listOf(string())])) });

const fields: Shape["fields"] = {
  name: string({ min: 1 }),
  description: string(),
  expiresAt: instant,
  datasetCapabilities: anyObject, // its inner structure is not documented
  orgCapabilities: orgCapabilities(orgKeys),
};

const shapes: Readonly<Record<Profile, Shape>> = {
  documented: { fields, required: ["name"] },
  extended: {
    fields: { ...fields, orgCapabilities: orgCapabilities([...orgKeys, "views"]), viewCapabilities: anyObject },
    required: ["name"],
  },
};

/**
 * Axiom refuses capabilities without an action: the acceptance test `TestAccAxiomResources_capabilities` of its Terraform
 * provider (axiom/provider_test.go, 2026-04) expects this message for empty lists, which the provider itself lets through. A request
 * that names no capabilities at all is accepted, because the public interface requires only a name.
 */
function checkCapabilities({ orgCapabilities, datasetCapabilities, viewCapabilities }: JsonObject): void {
  const named = [orgCapabilities, datasetCapabilities, viewCapabilities].filter(
    (capabilities) => capabilities !== undefined,
  );
  if (named.length > 0 && !hasAction(named)) throw new HttpError(400, "at least one capability must be set");
}

const hasAction = (value: unknown): boolean =>
  typeof value === "string" || (typeof value === "object" && value !== null && Object.values(value).some(hasAction));

export const createToken: Handler = (service, { body }) => {
  checkShape(body, shapes[service.profile]);
  if (service.profile === "extended") checkCapabilities(body);
  return { status: 200, body: mint(service.store, body) };
};

export const listTokens: Handler = ({ store }) => ({ status: 200, body: store.list("token") });

/** Creates a successor of a token. The old token stays valid until the requested expiry. */
export const regenerateToken: Handler = ({ store, profile }, { params: { id = "" }, body }) => {
  checkShape(body, {
    fields: { existingTokenExpiresAt: instant, newTokenExpiresAt: instant, newToken: object(shapes[profile]) },
    required: ["existingTokenExpiresAt"],
  });
  if (isObject(body.newToken)) checkCapabilities(body.newToken);
  const old = store.get("token", id);
  const { id: _, ...oldFields } = old;
  const spec = {
    ...((body.newToken as JsonObject | undefined) ?? oldFields),
    ...defined({ expiresAt: body.newTokenExpiresAt }),
  };
  return store.atomically(() => {
    store.put("token", withUtc({ ...old, expiresAt: body.existingTokenExpiresAt }));
    return { status: 200, body: mint(store, spec) };
  });
};

/** The only function that sees a secret: the store gets its hash, and only this response shows the secret. */
function mint(store: Store, spec: JsonObject): WireObject {
  const token = `xaat-${randomUUID()}`;
  const shown = withUtc({ id: randomBytes(12).toString("hex"), ...spec });
  store.put("token", shown, hashOf(token).toString("hex"));
  return { ...shown, token };
}

/** Shows the expiry in UTC with `Z`, regardless of the zone in the request (documented interface, 2.1). */
const withUtc = (shown: WireObject): WireObject =>
  typeof shown.expiresAt === "string" ? { ...shown, expiresAt: utc(shown.expiresAt) } : shown;
