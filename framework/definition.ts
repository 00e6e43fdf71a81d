import type { Bag } from "./lifecycle";

export interface Property {
  /**
   * - `argument`: declared by programs; an output too.
   * - `source`: declared by programs; other inputs are made from it, and it goes no further.
   * - `hint`: an input that no program declares: the adapter adds it, or `check` does.
   * - `output`: added by the lifecycle.
   * - `derived`: an output that follows from the state and is not recorded.
   * - `record`: everything else that is known about the object, as members of one object.
   */
  readonly kind: "argument" | "source" | "hint" | "output" | "derived" | "record";
  /** The form that a source must have: the lifecycle, which checks the arguments, does not get it. */
  readonly form?: ArgumentForm;
  /** Must be declared; a text continues the words of the error: "is missing: TEXT". */
  readonly required?: true | string;
  /** A change of it replaces the object, and with it every `computed` property; `sometimes`: by its members or the settings. */
  readonly replaces?: true | "sometimes";
  /** Known only after the create, unless the program declares it. */
  readonly computed?: true;
  /** Secret whatever the program says. */
  readonly secret?: true;
  /**
   * Members of an argument that is an object: a secret one makes the value secret whatever the program says, and nothing else; an
   * id is never secret.
   */
  readonly parts?: Readonly<Record<string, "secret" | "id">>;
  /** The value can derive from any argument, so it is secret as soon as one of them is; or it derives from this argument alone. */
  readonly derives?: true | string;
  /** Members of the record in which no argument shows: ids and flags. The others are secret as soon as an argument is. */
  readonly plain?: readonly string[];
}

/**
 * One entry for each argument, input and output of a resource; the compiler rejects a missing one. Every form of the
 * resource derives from it.
 */
type PropertyTable<Args, Inputs, State> = {
  readonly [Key in keyof Args | keyof State]-?: Property & {
    readonly kind: KindOf<Key, Args, Inputs>;
  } & (Key extends "record" ? { readonly plain?: readonly MembersOfRecord<State>[] } : unknown) &
    (Key extends RequiredKeys<Args> ? Pick<Required<Property>, "required"> : { readonly required?: never });
};

/** The keys that cannot be left out. */
type RequiredKeys<T> = {
  [Key in keyof T]-?: Pick<T, Key> extends Required<Pick<T, Key>> ? Key : never;
}[keyof T];

type MembersOfRecord<State> = State extends { readonly record: infer Recorded } ? keyof Recorded & string : never;

type KindOf<Key, Args, Inputs> = Key extends keyof Inputs
  ? Key extends keyof Args
    ? "argument"
    : "hint"
  : Key extends keyof Args
    ? "source"
    : Key extends "record"
      ? "record"
      : "output" | "derived";

export type Table = Readonly<Record<string, Property>>;

export type KeysOf<Properties extends Table, Kind extends Property["kind"]> = {
  [Key in keyof Properties]: Properties[Key]["kind"] extends Kind ? Key : never;
}[keyof Properties] &
  string;

/** A resource as every form of it is made from. It loads neither the lifecycle nor the service's client. */
export interface ResourceDefinition<Properties extends Table = Table> {
  readonly name: string;
  /** The module that dynamic providers load, below the package: permanent, since states name it. */
  readonly module: string;
  readonly properties: Properties;
  /** In the dynamic form it is inside a component of the same name, which completes its arguments. */
  readonly component?: true;
  /** The alternative to the option `import` where a form has none, as in "look it up with ApiToken.get". */
  readonly insteadOfImport: string;
  readonly onImport?: string;
}

export const defineResource =
  <Args extends object, Inputs extends object, State extends Inputs>() =>
  <const Properties extends PropertyTable<Args, Inputs, State> & Table>(
    definition: ResourceDefinition<Properties>,
  ): ResourceDefinition<Properties> =>
    definition;

export interface FunctionDefinition<Args extends object = object> {
  readonly name: string;
  readonly arguments: { readonly [Key in keyof Args]-?: ArgumentForm };
}

/** The form of an argument, and its words for an error. */
export type ArgumentForm =
  | "a string"
  | "an integer"
  | "true or false"
  | "an object"
  | "a list"
  | "a list of strings"
  | readonly string[];

export const namesWhere = ({ properties }: ResourceDefinition, holds: (property: Property) => boolean): string[] =>
  Object.entries(properties).flatMap(([name, property]) => (holds(property) ? [name] : []));

/** The outputs that a replacement computes, unless the program declares them. */
export const computedBy = (definition: ResourceDefinition): string[] =>
  namesWhere(definition, ({ computed }) => computed === true);

export const argumentsOf = (definition: ResourceDefinition): string[] =>
  namesWhere(definition, ({ kind }) => kind === "argument" || kind === "source");

/** The forms of the arguments; undefined: the lifecycle checks it. */
export const formsOf = (definition: ResourceDefinition): Readonly<Record<string, ArgumentForm | undefined>> =>
  Object.fromEntries(argumentsOf(definition).map((name) => [name, definition.properties[name]?.form]));

/** Inputs without those that an adapter added. */
export function withoutHints(definition: ResourceDefinition, inputs: Bag): Bag {
  const hints = namesWhere(definition, ({ kind }) => kind === "hint");
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !hints.includes(name)));
}

export const membersOf = (definition: ResourceDefinition): string[] =>
  namesWhere(definition, ({ kind }) => kind === "argument" || kind === "output");

/**
 * The values whose secrecy decides about the hint `secretInputs`, each with its hint: the one rule of both forms.
 * @param isWhole whether a value cannot be looked into, so that it stands for each of its members
 */
export function secretCandidates(
  { properties }: ResourceDefinition,
  args: Bag,
  isWhole: (value: unknown) => boolean,
): [hint: string, value: unknown][] {
  return Object.entries(args).map(([name, value]) => {
    const parts = Object.hasOwn(properties, name) ? properties[name]?.parts : undefined;
    if (parts === undefined || isWhole(value) || typeof value !== "object" || value === null) return [name, value];
    return [name, Object.fromEntries(Object.entries(value).filter(([part]) => !Object.hasOwn(parts, part)))];
  });
}
