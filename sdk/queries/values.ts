/**
 * A value of an event or of an aggregation. An integer beyond 2^53, which a `number` cannot hold exactly, is a
 * `bigint`; all other numbers are of the type `number`.
 */
export type QueryValue = null | boolean | number | bigint | string | readonly QueryValue[] | QueryObject;

/** Names with values. An object from a response has no prototype. */
export interface QueryObject {
  readonly [name: string]: QueryValue;
}

/** A `bigint` only beyond 2^53. */
export type Integer = number | bigint;

/** A value from a list that is only partly documented: other values are allowed. */
export type Open<Known extends string> = Known | (string & {});
