import type { QueryValue } from "../../sdk";
import * as answers from "../../sdk/queries/rows";
import { printable } from "./printable";

/**
 * The one value of an answer that has one: the value of a query with one aggregation and one group, or the one field of
 * one row.
 * @throws Error if there is not exactly one
 */
export function scalar(answer: answers.Answer): QueryValue {
  try {
    return answers.scalar(answer);
  } catch (failure) {
    // Within an `apply` it would otherwise hang the update.
    throw printable(failure as Error);
  }
}
