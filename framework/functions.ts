import { withDiscretion } from "../values/discretion";
import { suggestName } from "../values/nearestName";
import type { Bag, Tell } from "./lifecycle";
import type { Shape } from "./shapes";
import { hasUnknown } from "./unknown";

/**
 * A data function.
 * @typeParam Service what calls the service
 */
export interface Lookup<Args extends object, T, Service> {
  readonly name: string;
  /** The client's operations that it uses. */
  readonly operations?: readonly string[];
  readonly arguments: { readonly [Key in keyof Args]-?: Shape };
  /** @param warn tells the user what must be known before relying on the result; the message follows the function's name */
  query(service: Service, args: Args, warn: Tell["warn"]): Promise<T>;
}

/** A data function of any arguments: `ask` checks them. */
export type AnyLookup<T, Service> = Lookup<object, T, Service>;

/**
 * Runs a data function, for every adapter. An argument that is null is absent. No message repeats anything of secret arguments.
 * @param asking whether any argument is secret, at any depth, and how the user is told of a result
 * @throws Error for an argument that is not known, or of another form
 */
export async function ask<T, Service>(
  lookup: AnyLookup<T, Service>,
  service: Service,
  args: object,
  { isSecret, warn }: { readonly isSecret: boolean; readonly warn: Tell["warn"] },
): Promise<T> {
  const { name } = lookup;
  requireArguments(name, args, lookup.arguments as Readonly<Record<string, Shape>>);
  // Not deeper: a filter can compare with null.
  const present = Object.entries(args).filter(([, value]) => value !== null && value !== undefined);
  const given = Object.fromEntries(present);
  const tell: Tell["warn"] = (message) => warn(`${name}: ${message}`);
  if (!isSecret) return await lookup.query(service, given, tell);
  try {
    const tellLess = () => tell("the response comes with a warning; it is left out, as arguments are secret");
    return await withDiscretion(() => lookup.query(service, given, tellLess));
  } catch (failure) {
    const { status } = failure as { readonly status?: number };
    const statusNote = status === undefined ? "" : ` (status ${status})`;
    throw new Error(`${name} failed${statusNote}; the reason is left out, as arguments are secret`);
  }
}

/** The reason why a value does not have its shape; absent and unknown values have any. */
function findWrongForm(value: unknown, { judge }: Shape): string | undefined {
  if (value === undefined || value === null || hasUnknown(value)) return undefined;
  const [found] = judge(value);
  return found && [found.at && `at ${found.at}`, found.reason].filter(Boolean).join(" ");
}

/**
 * @param subject as in `getCounter`
 * @throws Error that names the argument and what it must be, and never its value
 */
function requireArguments(subject: string, args: object, shapes: Readonly<Record<string, Shape>>): void {
  const names = Object.keys(shapes);
  const reasons = Object.entries(args as Bag).flatMap(([name, value]) => {
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    if (!shape) {
      const suggestion = suggestName(name, names);
      return [`argument ${name} is not known${suggestion || `; the arguments are ${names.join(", ")}`}`];
    }
    const reason = findWrongForm(value, shape);
    return reason === undefined ? [] : [`argument ${name} ${reason}`];
  });
  if (reasons.length > 0) throw new Error(`${subject}: ${reasons.join("; ")}`);
}
