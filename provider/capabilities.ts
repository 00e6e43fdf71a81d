import type { JsonObject, OrgCapabilities } from "../sdk";

/** The capabilities of a token, to be spread into the arguments of an `ApiToken`. */
export interface Capabilities {
  readonly datasetCapabilities?: JsonObject;
  readonly orgCapabilities?: OrgCapabilities;
  readonly viewCapabilities?: JsonObject;
}

/** Lists of actions by key, for one dataset, one view or the organisation. */
type Grants = Record<string, readonly string[]>;

const grants =
  (kind: "datasetCapabilities" | "viewCapabilities", given: Grants) =>
  (...names: readonly [string, ...string[]]): Capabilities => {
    for (const name of names) {
      if (typeof name !== "string" || name === "" || name.includes("*")) {
        throw new Error("capabilities are given for names, one by one: none may be empty or hold a *");
      }
    }
    return { [kind]: Object.fromEntries(names.map((name) => [name, given])) };
  };

const organisation = (given: OrgCapabilities) => (): Capabilities => ({ orgCapabilities: given });

/**
 * Capabilities by what a token is for. Each gives exactly what it names (extended interface, "Tokens", for what datasets
 * and views know; the documented interface passes it on).
 *
 * ```ts
 * new ApiToken("ci", { ...capabilities.merge(capabilities.ingest("deploys"), capabilities.annotate()) });
 * ```
 */
export const capabilities = {
  /** Write events into the named datasets. */
  ingest: grants("datasetCapabilities", { ingest: ["create"] }),
  /** Query the named datasets. */
  query: grants("datasetCapabilities", { query: ["read"] }),
  /** Query the named views. */
  queryViews: grants("viewCapabilities", { query: ["read"] }),
  /** Create annotations: what `Annotation` and `event-datasets annotate` need in the documented profile. */
  annotate: organisation({ annotations: ["create"] }),
  /** Read the tokens, not their secrets: what `getTokens` and an audit need. */
  readTokens: organisation({ apiTokens: ["read"] }),
  /** Create and read tokens: what `ApiToken` needs in the documented profile. Whoever has it can mint any token. */
  manageTokens: organisation({ apiTokens: ["create", "read"] }),
  /** All of several capabilities together. */
  merge: (...parts: readonly Capabilities[]): Capabilities => parts.reduce<Capabilities>(union, {}),
} as const;

/** Objects are merged key by key, lists of actions become the set of both. */
function union<T extends object>(a: T, b: T): T {
  const merged = new Map<string, unknown>(Object.entries(a));
  for (const [key, value] of Object.entries(b)) {
    const present = merged.get(key);
    if (present === undefined) merged.set(key, value);
    else if (Array.isArray(present)) merged.set(key, [...new Set([...present, ...(value as unknown[])])]);
    else merged.set(key, union(present as object, value as object));
  }
  return Object.fromEntries(merged) as T;
}
