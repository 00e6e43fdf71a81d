import type * as pulumi from "@pulumi/pulumi";

/** A value of which every part can be an output, at any depth. */
export type Inputs<T> = pulumi.Input<MembersAsInputs<T>>;

type MembersAsInputs<T> = T extends readonly unknown[]
  ? number extends T["length"]
    ? readonly Inputs<T[number]>[]
    : { readonly [Index in keyof T]: Inputs<T[Index]> }
  : T extends object
    ? { readonly [Key in keyof T]: Inputs<T[Key]> }
    : T;

/** The members of an object that can all be left out, as arguments. */
export type OptionalInputs<T> = { -readonly [Key in keyof T]?: Inputs<T[Key] | undefined> };

/**
 * Capabilities by the name of a dataset or of a view, such as `{ web: { query: ["read"] } }`; any part of it can be an
 * output. Their inner structure is not documented, so the compiler looks no further, and values of interface types fit.
 */
export type NamedCapabilities = object;
