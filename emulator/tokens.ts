import { randomBytes, randomUUID } from "node:crypto";
import { defined } from "./apl/defined";
import { anyObject, type Check, checkShape, instant, listOf, object, orNull, type Shape, string, utc } from "./fields";
import { hashOf } from "./hash";
import { badField, notFound } from "./httpError";
import type { JsonObject, WireObject } from "./json";
import type { Change } from "./kinds";
import { checkBody, type Profile } from "./profiles";
import type { Handler } from "./routing";
import { isZeroTime, withoutZeroTimes } from "./zeroValues";

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
  expiresAt: orNull(instant),
  datasetCapabilities: orNull(anyObject), // its inner structure is not documented; a client in Go sends null for none
  orgCapabilities: orgCapabilities(orgKeys),
};

const shapes: Readonly<Record<Profile, Shape>> = {
  documented: { fields, required: ["name"] },
  extended: {
    fields: { ...fields, orgCapabilities: orgCapabilities([...orgKeys, "views"]), viewCapabilities: anyObject },
    required: ["name"],
  },
};

export const createToken: Handler = (service, { body }) => {
  checkBody(body, service.profile, shapes);
  const minted = mint(body);
  return service.store.commit(() => ({
    changes: [minted.change],
    result: { status: 200, body: minted.response },
  }));
};

export const getToken: Handler = ({ store }, { params }) => {
  const token = store.get("token", params.id ?? "");
  if (!token) throw notFound("token");
  return { status: 200, body: token.shown };
};

export const listTokens: Handler = ({ store }) => ({ status: 200, body: store.list("token").map((t) => t.shown) });

export const deleteToken: Handler = ({ store }, { params: { id = "" } }) =>
  store.commit(() => {
    if (!store.get("token", id)) throw notFound("token");
    return { changes: [{ kind: "token", id, value: null }], result: { status: 204 } };
  });

/** The expiry of the old token. The zero time, which means "none" elsewhere, would keep it valid for ever. */
const realInstant: Check = (value, field) => {
  instant(value, field);
  if (isZeroTime(value)) throw badField(field, "must be an instant at which the token expires");
};

/** Creates a successor of a token; the old token stays valid until the requested expiry. */
export const regenerateToken: Handler = ({ store, profile }, { params: { id = "" }, body }) => {
  checkShape(body, {
    fields: { existingTokenExpiresAt: realInstant, newTokenExpiresAt: instant, newToken: object(shapes[profile]) },
    required: ["existingTokenExpiresAt"],
  });
  return store.commit(() => {
    const old = store.get("token", id);
    if (!old) throw notFound("token");
    const { id: _, ...oldFields } = old.shown;
    const { newTokenExpiresAt } = withoutZeroTimes(body);
    const minted = mint({
      ...((body.newToken as JsonObject | undefined) ?? oldFields),
      ...defined({ expiresAt: newTokenExpiresAt }),
    });
    const expiring = withUtc({ ...old.shown, expiresAt: body.existingTokenExpiresAt });
    return {
      changes: [{ kind: "token", id, value: { ...old, shown: expiring } }, minted.change],
      result: { status: 200, body: minted.response },
    };
  });
};

/** The only function that sees a secret: the change has its hash, and only this response shows the secret. */
function mint(spec: JsonObject): { readonly change: Change; readonly response: WireObject } {
  const id = randomBytes(12).toString("hex");
  const token = `xaat-${randomUUID()}`;
  const datasetCapabilities = spec.datasetCapabilities ?? undefined;
  const shown = withUtc({ id, ...defined({ ...spec, datasetCapabilities }) });
  return {
    change: { kind: "token", id, value: { shown, secretHash: hashOf(token).toString("hex") } },
    response: { ...shown, token },
  };
}

/** Shows the expiry in UTC with `Z`, regardless of the zone in the request (documented interface, 2.1). */
const withUtc = (shown: WireObject): WireObject =>
  typeof shown.expiresAt === "string" ? { ...shown, expiresAt: utc(shown.expiresAt) } : shown;
