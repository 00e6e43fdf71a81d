import type { Profile } from "../profiles";
import { orgCapabilityKeys } from "./tokenFields";

/** The allowed actions for each key; undefined means any. */
export type Actions = Readonly<Record<string, readonly string[] | undefined>>;

interface CapabilityRules {
  /** Keys of `orgCapabilities`. */
  readonly org: Actions;
  /** Keys within each dataset of `datasetCapabilities`; undefined: its inner structure is open. */
  readonly dataset: Actions | undefined;
  /** Keys within each view of `viewCapabilities`; undefined: there is no such field. */
  readonly view: Actions | undefined;
}

export const crud = ["create", "read", "update", "delete"] as const;
const share = ["create", "read", "delete"] as const;
const assignActions = (keys: readonly string[], actions: readonly string[] | undefined): Actions =>
  Object.fromEntries(keys.map((key) => [key, actions]));

/** The capabilities that each profile knows: documented interface, 2.1; extended interface, "Tokens". */
export const capabilityRules: Readonly<Record<Profile, CapabilityRules>> = {
  documented: { org: assignActions(orgCapabilityKeys, undefined), dataset: undefined, view: undefined },
  extended: {
    org: {
      ...assignActions([...orgCapabilityKeys, "views"], crud),
      auditLog: ["read"],
      billing: ["read", "update"],
      sharedAccessKeys: ["read", "update"],
    },
    dataset: {
      ingest: ["create"],
      query: ["read"],
      share,
      starredQueries: crud,
      trim: ["update"],
      vacuum: ["update"],
      data: ["delete"],
      virtualFields: crud,
    },
    view: { query: ["read"], share },
  },
};
