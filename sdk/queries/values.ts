/**
 * A value of an event or of an aggregation. JSON's integers have no bounds: one that a `number` cannot hold exactly (beyond
 * 2^53) is a `bigint`, all others are numbers.
 */
export type QueryValue = null | boolean | number | bigint | string | readonly QueryValue[] | QueryObject;

/** Names with values. One from an answer has no prototype. */
export interface QueryObject {
  readonly [name: string]: QueryValue;
}

/** A `bigint` only beyond 2^53. */
export type Integer = number | bigint;

/** A value of a list that is not documented as a whole: the named ones are known, any other passes. */
export type Open<Known extends string> = Known | (string & {});
