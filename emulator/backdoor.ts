import { type Fault, faultOf } from "./faults";
import { badField, notFound } from "./httpError";
import type { Kind } from "./journal";
import type { JsonObject, WireObject } from "./json";
import type { Route } from "./routing";
import type { Store } from "./store";

/** Looks at and changes objects without a request, as somebody else would who has another access to the service. */
export interface Backdoor {
  list(): readonly WireObject[];
  /** Rejects if there is no such object. */
  remove(id: string): Promise<void>;
  /** Overlays fields without checking them, and resolves to the object as it then is. */
  change(id: string, fields: JsonObject): Promise<WireObject>;
}

export const backdoor = (store: Store, kind: Kind): Backdoor => ({
  list: () => store.list(kind).map((object) => object.shown),

  remove: (id) =>
    store.commit(() => {
      if (!store.get(kind, id)) throw notFound(kind);
      return { changes: [{ kind, id, value: null }], result: undefined };
    }),

  change: (id, fields) =>
    store.commit(() => {
      const object = store.get(kind, id);
      if (!object) throw notFound(kind);
      // The one is what the object is found by; the other is kept as a hash only, and would be shown from then on.
      for (const key of ["id", "token"]) if (Object.hasOwn(fields, key)) throw badField(key, "cannot be changed");
      const shown = { ...object.shown, ...fields, id };
      return { changes: [{ kind, id, value: { ...object, shown } }], result: shown };
    }),
});

/** The same over HTTP, for tests whose emulator is another process. No part of the service's interface. */
export function testRoutes(plan: (fault: Fault) => void): Route[] {
  const access = { profile: "documented", access: "root" } as const;
  const body = { maxBytes: 1024 * 1024 };
  return [
    {
      ...access,
      method: "DELETE",
      path: "/_test/tokens/{id}",
      handler: async ({ store }, { params }) => {
        await backdoor(store, "token").remove(params.id ?? "");
        return { status: 204 };
      },
    },
    {
      ...access,
      method: "PATCH",
      path: "/_test/tokens/{id}",
      body,
      handler: async ({ store }, call) => ({
        status: 200,
        body: await backdoor(store, "token").change(call.params.id ?? "", call.body),
      }),
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
