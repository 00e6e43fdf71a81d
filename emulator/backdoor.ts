import { randomBytes } from "node:crypto";
import { type Fault, faultOf } from "./faults";
import { badField, notFound } from "./httpError";
import type { JsonObject, WireObject } from "./json";
import { type Change, type Collection, factsOf, type Kind, kindNames, kinds, type Stored } from "./kinds";
import { type RateLimitOptions, rateLimitOptionsOf } from "./rateLimit";
import type { Route } from "./routing";
import type { Store } from "./store";

/** Reads and changes objects without a request, as another user of the account could. */
export interface Backdoor {
  list(): readonly WireObject[];
  /** Adds objects without validation; an object without an id gets one. Nobody knows the secret of an added token. */
  add(objects: readonly JsonObject[]): Promise<readonly WireObject[]>;
  /** Rejects if there is no such object. */
  remove(id: string): Promise<void>;
  /** Overwrites fields without validation, and resolves to the changed object. */
  change(id: string, fields: JsonObject): Promise<WireObject>;
}

export type Backdoors = { readonly [K in Kind as Collection<K>]: Backdoor };

const backdoor = <K extends Kind>(store: Store, kind: K): Backdoor => ({
  list: () => store.list(kind).map((object) => object.shown),

  add: (objects) =>
    store.commit(() => {
      const shown = objects.map((fields): WireObject => ({ id: randomBytes(12).toString("hex"), ...fields }));
      return { changes: shown.map((object) => changeOf(kind, object.id, factsOf(kind).seed(object))), result: shown };
    }),

  remove: (id) =>
    store.commit(() => {
      if (!store.get(kind, id)) throw notFound(kind);
      return { changes: [changeOf(kind, id, null)], result: undefined };
    }),

  change: (id, fields) =>
    store.commit(() => {
      const object = store.get(kind, id);
      if (!object) throw notFound(kind);
      // The id is the object's key. Of the secret only a hash is stored; a `token` field would be shown in clear text.
      for (const key of ["id", "token"]) if (Object.hasOwn(fields, key)) throw badField(key, "cannot be changed");
      const shown = { ...object.shown, ...fields, id };
      return { changes: [changeOf(kind, id, { ...object, shown })], result: shown };
    }),
});

/** The cast is needed because the compiler cannot relate `kind` and `value` while both are generic. */
const changeOf = <K extends Kind>(kind: K, id: string, value: Stored<K> | null) => ({ kind, id, value }) as Change;

/** One backdoor for each kind, under the kind's plural. */
export const backdoors = (store: Store) =>
  Object.fromEntries(kindNames.map((kind) => [kinds[kind].collection, backdoor(store, kind)])) as Backdoors;

/** The backdoors over HTTP, for tests whose emulator runs in another process. Not part of the service's interface. */
export function testRoutes(plan: (fault: Fault) => void, limitRate: (limit?: RateLimitOptions) => void): Route[] {
  const access = { profile: "documented", access: "root" } as const;
  const body = { maxBytes: 1024 * 1024 };
  const objectRoutes = kindNames.flatMap((kind): Route[] => [
    {
      ...access,
      method: "DELETE",
      path: `/_test/${kinds[kind].collection}/{id}`,
      handler: async ({ store }, { params }) => {
        await backdoor(store, kind).remove(params.id ?? "");
        return { status: 204 };
      },
    },
    {
      ...access,
      method: "PATCH",
      path: `/_test/${kinds[kind].collection}/{id}`,
      body,
      handler: async ({ store }, call) => ({
        status: 200,
        body: await backdoor(store, kind).change(call.params.id ?? "", call.body),
      }),
    },
  ]);
  return [
    ...objectRoutes,
    {
      ...access,
      method: "PUT",
      path: "/_test/rate-limit",
      body,
      handler: (_service, call) => {
        limitRate(rateLimitOptionsOf(call.body));
        return { status: 204 };
      },
    },
    {
      ...access,
      method: "POST",
      path: "/_test/faults",
      body,
      handler: (_service, call) => {
        plan(faultOf(call.body));
        return { status: 204 };
      },
    },
  ];
}
