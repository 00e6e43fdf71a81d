import { withDiscretion } from "../values/discretion";
import type { Bag, Tell } from "./lifecycle";
import { judgeMembers, type Shape } from "./shapes";

/**
 * A data function. Without type parameters, the function takes any arguments, which `ask` checks.
 * @typeParam Service what calls the service
 */
export interface Lookup<Args extends object = object, T = unknown, Service = object> {
  readonly name: string;
  /** The client's operations that the function uses. */
  readonly operations?: readonly string[];
  readonly arguments: { readonly [Key in keyof Args]-?: Shape };
  /** @param warn tells the user what must be known before relying on the result; the message follows the function's name */
  query(service: Service, args: Args, warn: Tell["warn"]): Promise<T>;
}

/**
 * Runs a data function, for every adapter. A null argument counts as absent. No message quotes a secret argument.
 * @param asking whether any argument is secret, at any depth, and how the user is told of a result
 * @throws Error for an argument that is not known, or of another form
 */
export async function ask<T, Service>(
  lookup: Lookup<object, T, Service>,
  service: Service,
  args: object,
  { isSecret, warn }: { readonly isSecret: boolean; readonly warn: Tell["warn"] },
): Promise<T> {
  const { name } = lookup;
  const failures = judgeMembers(lookup.arguments as Readonly<Record<string, Shape>>, args as Bag);
  const problems = failures.map(({ property, reason }) => `argument ${property} ${reason}`);
  if (problems.length > 0) throw new Error(`${name}: ${problems.join("; ")}`);
  // Not deeper: a filter can compare with null.
  const present = Object.entries(args).filter(([, value]) => value !== null && value !== undefined);
  const given = Object.fromEntries(present);
  const tell: Tell["warn"] = (message) => warn(`${name}: ${message}`);
  if (!isSecret) return await lookup.query(service, given, tell);
  try {
    const tellLess = () => tell("the response has a warning, which is hidden because an argument is secret");
    return await withDiscretion(() => lookup.query(service, given, tellLess));
  } catch (failure) {
    const { status } = failure as { readonly status?: number };
    const statusNote = status === undefined ? "" : ` (status ${status})`;
    throw new Error(`${name} failed${statusNote}; the reason is hidden because an argument is secret`);
  }
}
