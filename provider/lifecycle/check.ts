import { isObject } from "../../sdk/values/json";
import type { Checked, Lifecycle, Plan, Unchecked } from "./contract";

/**
 * What every adapter calls in place of a lifecycle's own `check`: `null` is absent, in every input of every resource.
 */
export const checkInputs = <Inputs extends object, State extends Inputs>(
  lifecycle: Lifecycle<Inputs, State>,
  olds: Unchecked | undefined,
  news: Unchecked,
  plan: Plan,
): Checked<Inputs> => lifecycle.check(olds && dropNulls(olds), dropNulls(news), plan);

const dropNulls = (inputs: Unchecked): Unchecked => withoutNullMembers(inputs) as Unchecked;

/** Deep in objects. An entry of a list stays: without it the list would say something else. */
function withoutNullMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullMembers);
  if (!isObject(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(present.map(([key, member]) => [key, withoutNullMembers(member)]));
}
