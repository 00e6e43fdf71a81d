import { randomBytes } from "node:crypto";
import { removeDataset } from "./datasetList";
import { badField } from "./httpError";
import type { JsonObject, WireObject } from "./json";
import type { Service } from "./routing";
import type { Store } from "./store";

/** Reads and changes objects without a request, as another user of the account could. */
export interface Backdoor {
  list(): readonly WireObject[];
  /** Adds objects without validation. An object without an id gets one. Nobody knows the secret of an added token. */
  add(objects: readonly JsonObject[]): Promise<readonly WireObject[]>;
  /** Rejects if there is no such object. */
  remove(id: string): Promise<void>;
  /** Overwrites fields without validation, and resolves to the changed object. Rejects a change of `id` or `token`. */
  change(id: string, fields: JsonObject): Promise<WireObject>;
}

export interface Backdoors {
  /** The tokens: read, change or delete them outside your program, to simulate drift. */
  readonly tokens: Backdoor;
  /** The annotations: read, change or delete them outside your program. */
  readonly annotations: Backdoor;
  /** The datasets, without their events. Deleting a dataset deletes its events. The id of a dataset is its name. */
  readonly datasets: Backdoor;
}

const backdoor = (store: Store, kind: string): Backdoor => ({
  list: () => store.list(kind),

  async add(objects) {
    const shown = objects.map((fields): WireObject => ({ id: randomBytes(12).toString("hex"), ...fields }));
    store.atomically(() => {
      for (const object of shown) store.put(kind, object);
    });
    return shown;
  },

  remove: async (id) => store.remove(kind, id),

  async change(id, fields) {
    // The id is the object's key. Of the secret only a hash is stored; a `token` field would be shown in clear text.
    for (const key of ["id", "token"]) if (Object.hasOwn(fields, key)) throw badField(key, "cannot be changed");
    const shown = { ...store.get(kind, id), ...fields, id };
    store.put(kind, shown);
    return shown;
  },
});

export const backdoors = (service: Service): Backdoors => ({
  tokens: backdoor(service.store, "token"),
  annotations: backdoor(service.store, "annotation"),
  datasets: { ...backdoor(service.store, "dataset"), remove: (id) => removeDataset(service, id) },
});
