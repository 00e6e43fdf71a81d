import * as pulumi from "@pulumi/pulumi";
import type { JsonObject, OrgCapabilities, TokenSpec } from "../../sdk";
import { isObject } from "../../values/json";
import { withPrintableFailures } from "../../values/printable";
import type { ApiTokenArgs } from "./definition";

/** The capabilities of a token, known at once. */
export interface Capabilities extends Pick<TokenSpec, "datasetCapabilities" | "orgCapabilities" | "viewCapabilities"> {}

/** The capabilities of a token, to be spread into the arguments of an `ApiToken`; any part can be an output. */
type CapabilityArgs = Readonly<Pick<ApiTokenArgs, keyof Capabilities>>;

/** Lists of actions by key, for one dataset, one view or the organization. */
type Grants = Record<string, readonly string[]>;

/** Gives capabilities for the named datasets or views: as outputs where a name is one. */
interface GrantToNames<Kind extends keyof Capabilities> {
  /** @throws Error for a name that is empty or holds a `*` */
  (...names: readonly [string, ...string[]]): { readonly [key in Kind]: JsonObject };
  /** A name that cannot be used fails the output. */
  (
    ...names: readonly [pulumi.Input<string>, ...pulumi.Input<string>[]]
  ): { readonly [key in Kind]: pulumi.Output<object> };
}

/** Whether a value, or a part of it, comes later. */
const isDeferred = (value: unknown): boolean =>
  pulumi.Output.isInstance(value) ||
  value instanceof Promise ||
  (typeof value === "object" && value !== null && Object.values(value).some(isDeferred));

const grantByName = withPrintableFailures((names: readonly unknown[], grants: Grants): Record<string, Grants> => {
  for (const name of names) {
    if (typeof name !== "string" || name === "" || name.includes("*")) {
      throw new Error("capabilities are given for names, one by one: none may be empty or hold a *");
    }
  }
  return Object.fromEntries(names.map((name) => [name, grants]));
});

const grantToNames = <Kind extends "datasetCapabilities" | "viewCapabilities">(kind: Kind, grants: Grants) =>
  ((...names: readonly unknown[]) => {
    const named = isDeferred(names)
      ? pulumi.output(names).apply((known) => grantByName(known as readonly unknown[], grants))
      : grantByName(names, grants);
    return { [kind]: named };
  }) as GrantToNames<Kind>;

const grantToOrganization = (orgCapabilities: OrgCapabilities) => () => ({ orgCapabilities });

/**
 * All of several capabilities together, each part as an output where a part of it is one.
 * @throws Error where two parts give the same thing in forms that do not go together
 */
function merge(...parts: readonly Capabilities[]): Capabilities;
function merge(...parts: readonly (CapabilityArgs | undefined)[]): CapabilityArgs;
function merge(...parts: readonly (CapabilityArgs | undefined)[]): CapabilityArgs {
  const present = parts.filter((part) => part !== undefined && part !== null);
  const kinds = [...new Set(present.flatMap((part) => Object.keys(part)))] as (keyof CapabilityArgs)[];
  return Object.fromEntries(
    kinds.map((kind) => {
      const values = present.map((part) => part[kind]);
      return [
        kind,
        isDeferred(values) ? pulumi.output(values).apply((known) => uniteAll(known, kind)) : uniteAll(values, kind),
      ];
    }),
  );
}

/**
 * Capabilities by what a token is for. Each gives exactly what it names (extended interface, "Tokens", for what datasets
 * and views know; the documented interface passes it on).
 *
 * @example
 * ```ts
 * new ApiToken("ci", { ...capabilities.merge(capabilities.ingest("deploys"), capabilities.annotate()) });
 * ```
 */
export const capabilities = {
  /** Write events into the named datasets. */
  ingest: withPrintableFailures(grantToNames("datasetCapabilities", { ingest: ["create"] })),
  /** Query the named datasets. */
  query: withPrintableFailures(grantToNames("datasetCapabilities", { query: ["read"] })),
  /** Query the named views. */
  queryViews: withPrintableFailures(grantToNames("viewCapabilities", { query: ["read"] })),
  /** Create annotations: what `Annotation` and `pulumi-event-datasets annotate` need in the documented profile. */
  annotate: withPrintableFailures(grantToOrganization({ annotations: ["create"] })),
  /** Read the tokens, not their secrets: what `getTokens` and an audit need. */
  readTokens: withPrintableFailures(grantToOrganization({ apiTokens: ["read"] })),
  /** Create and read tokens: what `ApiToken` needs in the documented profile. Whoever has it can mint any token. */
  manageTokens: withPrintableFailures(grantToOrganization({ apiTokens: ["create", "read"] })),
  /** All of several capabilities together; absent ones are ignored. */
  merge: withPrintableFailures(merge),
} as const;

const uniteAll = withPrintableFailures((values: readonly unknown[], path: string): unknown =>
  values.reduce((a, b) => unite(a, b, path), undefined),
);

/**
 * Two values of one member as one. Objects are merged member by member, lists become the set of both; of other values two
 * equal ones are one, and true and false are true, since it gives more.
 */
function unite(a: unknown, b: unknown, path: string): unknown {
  if (a === undefined || a === null || a === b) return b;
  if (b === undefined || b === null) return a;
  if (Array.isArray(a) && Array.isArray(b)) {
    const members = new Map([...a, ...b].map((member) => [JSON.stringify(member), member]));
    return [...members.values()];
  }
  if (isObject(a) && isObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    const [x, y] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
    return Object.fromEntries(keys.map((key) => [key, unite(x.get(key), y.get(key), `${path}.${key}`)]));
  }
  if (typeof a === "boolean" && typeof b === "boolean") return a || b;
  throw new Error(`capabilities.merge: ${path} has two values that do not go together`);
}
