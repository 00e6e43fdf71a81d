import { isObject } from "../values/json";
import { suggestName } from "../values/nearestName";
import type { ArgumentForm, FunctionDefinition } from "./definition";
import type { Bag, Tell } from "./lifecycle";

/**
 * A data function, for every adapter.
 * @typeParam Client what calls the service
 */
export interface Lookup<Args extends object, T, Client> extends FunctionDefinition<Args> {
  /** @param warn tells the user what must be known before relying on the result */
  readonly query: (client: Client, args: Args, warn: Tell["warn"]) => Promise<T>;
}

/** Whether any argument is secret, at any depth, and how the user is told of a result. */
export interface Asking {
  readonly isSecret: boolean;
  readonly warn: Tell["warn"];
}

/**
 * Runs a data function, for every adapter. No message repeats anything of secret arguments.
 * @throws Error for an argument that is not known, or of another form
 */
export async function ask<Args extends object, T, Client>(
  lookup: Pick<Lookup<Args, T, Client>, "name" | "query"> & {
    readonly arguments: Readonly<Record<string, ArgumentForm>>;
  },
  client: Client,
  args: Args,
  { isSecret, warn }: Asking,
): Promise<T> {
  const { name, query } = lookup;
  requireArguments(name, args, lookup.arguments);
  if (!isSecret) return await query(client, args, warn);
  try {
    return await query(client, args, () =>
      warn(`${name}: the response comes with a warning; it is left out, as arguments are secret`),
    );
  } catch (failure) {
    const { status } = failure as { readonly status?: number };
    const answered = status === undefined ? "" : ` (status ${status})`;
    throw new Error(`${name} failed${answered}; the reason is left out, as arguments are secret`);
  }
}

const isStrings = (value: unknown): boolean =>
  Array.isArray(value) && value.every((member) => typeof member === "string");

const checks: Readonly<Record<Extract<ArgumentForm, string>, (value: unknown) => boolean>> = {
  "a string": (value) => typeof value === "string",
  "an integer": (value) => Number.isSafeInteger(value),
  "true or false": (value) => typeof value === "boolean",
  "an object": isObject,
  "a list": Array.isArray,
  "a list of strings": isStrings,
};

const hasForm = (value: unknown, form: ArgumentForm): boolean =>
  typeof form === "string" ? checks[form](value) : form.includes(value as string);

const describeForm = (form: ArgumentForm): string => (typeof form === "string" ? form : `one of ${form.join(", ")}`);

/**
 * Refuses unknown arguments and wrong forms.
 * @param subject as in `getTokens` or `DeploymentAnnotation "deployed"`
 * @param forms undefined: checked elsewhere
 * @throws Error that names the argument and what it must be, and never its value
 */
export function requireArguments(
  subject: string,
  args: object,
  forms: Readonly<Record<string, ArgumentForm | undefined>>,
): void {
  const names = Object.keys(forms);
  const reasons = Object.entries(args as Bag).flatMap(([name, value]) => {
    if (!Object.hasOwn(forms, name)) {
      const suggestion = suggestName(name, names);
      return [`argument ${name} is not known${suggestion || `; the arguments are ${names.join(", ")}`}`];
    }
    const form = forms[name];
    const isFine = value === undefined || value === null || form === undefined || hasForm(value, form);
    return isFine || form === undefined ? [] : [`argument ${name} must be ${describeForm(form)}`];
  });
  if (reasons.length > 0) throw new Error(`${subject}: ${reasons.join("; ")}`);
}
