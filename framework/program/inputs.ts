import type * as pulumi from "@pulumi/pulumi";

export type { Output } from "@pulumi/pulumi";

/** A value in which any part, at any depth, can be an output. */
export type Inputs<T> = pulumi.Input<MembersAsInputs<T>>;

// An open list of words (`string & {}`) counts as an object, too.
type MembersAsInputs<T> = T extends string
  ? T
  : T extends readonly unknown[]
    ? number extends T["length"]
      ? readonly Inputs<T[number]>[]
      : { readonly [Index in keyof T]: Inputs<T[Index]> }
    : T extends object
      ? ObjectInputs<T>
      : T;

type ObjectInputs<T> = { readonly [Key in keyof T]: Inputs<T[Key]> };
