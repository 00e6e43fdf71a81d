import { isObject } from "../values/json";
import type { JsonType } from "../values/jsonType";
import type { KeysWith } from "../values/keys";
import { type Canonical, changedKeys, omit } from "./compare";
import type { Chain, Closed, ClosedFields, Fact, Migration, Property, Value } from "./facts";
import type { Hints } from "./identity";
import type { Incomplete } from "./incomplete";
import type { Bag, CheckFailure } from "./lifecycle";
import type { Inputs, Output } from "./program/inputs";
import { judgeMembers, names, nonEmptyText, plainShapes, requireInput, type Shape } from "./shapes";
import { hasUnknown } from "./unknown";

export type Table = Readonly<Record<string, Property>>;

/**
 * The definition of a resource, from which every form of it is made. Of the client, a definition loads only the table of fields.
 * @typeParam Spec the fields of the service, with their doc comments
 * @typeParam Fields what the resource knows of some of them
 * @typeParam Own the properties that only the resource has
 */
export interface ResourceDefinition<Spec = unknown, Fields = unknown, Own = unknown> {
  readonly name: string;
  /** The path in the package of the module that dynamic providers load. It is permanent, because states name it. */
  readonly module: string;
  readonly properties: Table;
  /** The names of the properties, by kind. */
  readonly kinds: ReadonlyMap<Property["kind"], readonly string[]>;
  /** The names of the service's fields. */
  readonly fields: readonly string[];
  /** The client's operations that the resource uses, by purpose. A check refuses the inputs that `create` cannot send. */
  readonly operations?: { readonly create?: string; readonly [use: string]: string | undefined } | undefined;
  /** The alternative to the option `import` in a form that does not support it, such as "look it up with Counter.get". */
  readonly insteadOfImport: string;
  readonly onImport?: string | undefined;
  /** Each converts a state to the next version; a record without a version has version 0. Inputs are not converted. */
  readonly migrations?: readonly Migration[] | undefined;
  /** Only the compiler uses this. */
  readonly types?: readonly [Spec, Fields, Own];
}

/** The hints that every resource has. */
const hints = { key: { is: nonEmptyText, kind: "hint" }, secretInputs: { is: names, kind: "hint" } } as const;

/** The fields of the service that a resource has. */
interface ServiceFields<Spec> {
  /** The client's table: how it reads each field. */
  readonly client: { readonly [Key in keyof Spec]-?: Reader<Exclude<Spec[Key], undefined>> };
  /** Whether a change of a field replaces the object, unless the resource says otherwise for this field. */
  readonly replaces: NonNullable<Property["replaces"]>;
}
type Reader<T> = { readonly response: JsonType<T> };

/** The optional fields whose shape follows from how the client reads them. */
type PlainFields<Spec> = FieldsOfType<Spec, string> | FieldsOfType<Spec, number> | FieldsOfType<Spec, boolean>;
type FieldsOfType<Spec, T> = {
  [Key in keyof Spec]-?: [T | undefined, Spec[Key]] extends [Spec[Key], T | undefined] ? Key : never;
}[keyof Spec];

/** Fails to compile, naming the fields that still need a shape. */
type Forgotten<Field> = [Field] extends [never] ? unknown : { readonly forgotten: Field };

/**
 * Defines a resource. The compiler refuses a false definition: a fact that a kind of property does not have, a field of the
 * service without the shape that it needs, an operation that the client lacks, a migration to a version other than the next.
 * @typeParam Operation the client's operations
 */
export const defineResource =
  <Spec extends object = object, Operation extends string = string>(service?: ServiceFields<Spec>) =>
  <
    const Own extends Table,
    const Fields extends { readonly [Key in keyof Spec]?: Partial<Property> } = object,
    const Steps extends readonly Migration[] = [],
  >({
    fields,
    properties,
    ...facts
  }: Omit<ResourceDefinition, "fields" | "properties" | "kinds" | "types" | "operations" | "migrations"> & {
    /** The facts about the service's fields that the client's table lacks. */
    readonly fields?: Fields & ClosedFields<Spec, NoInfer<Fields>, keyof (Spec & NoInfer<Own>)>;
    readonly properties: Own;
    readonly operations?: { readonly create?: Operation; readonly [use: string]: Operation | undefined };
    readonly migrations?: Steps & Chain<NoInfer<Steps>, Recorded<StateOf<ResourceDefinition<Spec, Fields, Own>>>>;
  } & { readonly properties: Closed<NoInfer<Own>, keyof (Spec & NoInfer<Own>)> } & Forgotten<
      Exclude<keyof Spec, PlainFields<Spec> | keyof Own | KeysWith<Fields, Fact<"is">>>
    >): ResourceDefinition<Spec, Fields, Own> => {
    const shapes: Readonly<Record<string, Shape>> = plainShapes;
    const known = Object.entries<Reader<unknown>>(service?.client ?? {}).map(([name, { response }]) => [
      name,
      { is: shapes[response.name], replaces: service?.replaces, ...(fields as Partial<Table> | undefined)?.[name] },
    ]);
    const all: Table = { ...Object.fromEntries(known), ...(properties as Table), ...hints };
    const kinds = Map.groupBy(Object.keys(all), (name) => all[name]?.kind);
    const names = known.map(([name]) => String(name));
    return { ...facts, fields: names, properties: all, kinds };
  };

/** The result of a migration: at least the record, and no member of another form than the state's. */
type Recorded<State> = Partial<State> & Pick<State, keyof State & "record">;

type KeysWithout<T, Facts> = Exclude<keyof T, KeysWith<T, Facts>>;

/** All properties of a definition. A mapped type keeps doc comments only if it maps every key. */
type PropertiesOf<Definition> =
  Definition extends ResourceDefinition<infer Spec, infer Fields, infer Own>
    ? Own & FieldsOf<Pick<Spec, Exclude<keyof Spec, keyof Own>>, Fields>
    : never;
type FieldsOf<Spec, Fields> = {
  [Key in keyof Spec]-?: FieldOf<Exclude<Spec[Key], undefined>, Key extends keyof Fields ? Fields[Key] : object>;
};
type FieldOf<T, P> = Omit<P, "is"> & { readonly is: Shape<T, P extends Fact<"is"> ? Argument<P> : T> };

/** The properties of some kinds. An argument has none. */
type OfKind<T, Kind> = Pick<T, KeysWith<T, Fact<"kind", Kind>>>;
type Arguments<T> = Pick<T, KeysWithout<T, Fact<"kind", NonNullable<Property["kind"]>>>>;

type Argument<P> = P extends { readonly is: Shape<unknown, infer Arg> } ? Arg : never;

/** The arguments that a program passes. */
export type ArgsOf<Definition> = ArgsIn<Arguments<PropertiesOf<Definition>>>;
type ArgsIn<T> = RequiredArgs<Pick<T, KeysWith<T, Fact<"required">>>> &
  OptionalArgs<Pick<T, KeysWithout<T, Fact<"required">>>>;
type RequiredArgs<T> = { [Key in keyof T]: Inputs<Argument<T[Key]>> };
type OptionalArgs<T> = { [Key in keyof T]?: Inputs<Argument<T[Key]> | undefined> | undefined };

/** The inputs of a lifecycle, as `check` leaves them. */
export type InputsOf<Definition> = Hints & InputsIn<DeclaredOrHint<PropertiesOf<Definition>>>;
type InputsIn<T> = Present<Pick<T, KeysInInputs<T>>> & Absent<Pick<T, Exclude<keyof T, KeysInInputs<T>>>>;
type KeysInInputs<T> = KeysWith<T, Fact<"required"> | Fact<"always", true>>;
type DeclaredOrHint<T> = Pick<T, KeysWithout<T, Fact<"kind", Exclude<Property["kind"], "hint" | undefined>>>>;
type Present<T> = { readonly [Key in keyof T]: Value<T[Key]> };
type Absent<T> = { readonly [Key in keyof T]?: Value<T[Key]> };

/** The state of a lifecycle: inputs, outputs, the record, and a mark if a failed create left the object behind. */
export type StateOf<Definition> = InputsOf<Definition> &
  Incomplete &
  Absent<OfKind<PropertiesOf<Definition>, "output" | "hidden">> &
  Present<OfKind<PropertiesOf<Definition>, "record">>;

/** The outputs of a resource class. */
export type OutputsOf<Definition> = OutputsIn<
  Pick<PropertiesOf<Definition>, KeysWithout<PropertiesOf<Definition>, Fact<"kind", "hint" | "hidden" | "record">>>
>;
type OutputsIn<T> = { readonly [Key in keyof T]: Output<OutputValue<Value<T[Key]>, T[Key]>> };
type OutputValue<T, P> = P extends Fact<"required"> | Fact<"always"> ? Mutable<T> : Mutable<T> | undefined;
type Mutable<T> = T extends readonly (infer Item)[] ? (T extends readonly [unknown, ...unknown[]] ? T : Item[]) : T;

export const namesWhere = ({ properties }: ResourceDefinition, holds: (property: Property) => boolean): string[] =>
  Object.entries(properties).flatMap(([name, property]) => (holds(property) ? [name] : []));

export const namesOf = ({ kinds }: ResourceDefinition, kind: Property["kind"]): readonly string[] =>
  kinds.get(kind) ?? [];

/** The properties that a replacement computes, unless the program declares them. */
export const computedBy = (definition: ResourceDefinition): string[] =>
  namesWhere(definition, ({ kind, computed }) => kind === "output" || kind === "derived" || computed === true);

const isInput = ({ kind }: Property): boolean => kind === undefined || kind === "hint";

/** The names of the inputs of a lifecycle. */
export const inputsOf = <Definition extends ResourceDefinition>(
  definition: Definition,
): (keyof InputsOf<Definition> & string)[] => namesWhere(definition, isInput) as never[];

export const argumentsOf = (definition: ResourceDefinition): readonly string[] => namesOf(definition, undefined);

/** Whether changing an argument may replace the object with these settings. */
export const mayReplace = ({ replaces }: Pick<Property, "replaces">, planning: object): boolean =>
  typeof replaces === "function" ? replaces(planning as never) : Boolean(replaces);

/** Unknown inputs whose change may replace the object. The preview then shows everything that depends on it as unknown. */
export const findUnknownReplacing = (definition: ResourceDefinition, inputs: object, planning: object): string[] =>
  namesWhere(definition, (property) => mayReplace(property, planning)).filter((name) => {
    const value = (inputs as Bag)[name];
    const { replaces } = definition.properties[name] as Property;
    const members: unknown = isObject(value) && Array.isArray(replaces) && replaces.map((member) => value[member]);
    return hasUnknown(members || value);
  });

export const comparisonsOf = <Key extends string>({ properties }: ResourceDefinition, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, (properties[key] as Property).is.canonical])) as Record<Key, Canonical>;

/** The inputs among these whose values differ in meaning. */
export const changedInputs = <Key extends string>(
  definition: ResourceDefinition,
  keys: readonly Key[],
  a: object,
  b: object,
): Key[] => changedKeys(comparisonsOf(definition, keys), a, b);

/** Inputs without those that an adapter added. */
export const withoutHints = (definition: ResourceDefinition, inputs: Bag): Bag =>
  omit(inputs, namesOf(definition, "hint"));

export const membersOf = (definition: ResourceDefinition): string[] =>
  namesWhere(definition, ({ kind }) => kind === undefined || kind === "output");

/** Finds mistakes in inputs, using only their definition. */
export function judgeInputs(definition: ResourceDefinition, inputs: Bag): CheckFailure[] {
  const { properties } = definition;
  const missing = Object.entries(properties).flatMap(([name, { required }]) =>
    required === undefined ? [] : requireInput(inputs, name, required),
  );
  const known = Object.fromEntries(inputsOf(definition).map((name) => [name, (properties[name] as Property).is]));
  return [...missing, ...judgeMembers(known, inputs, false, argumentsOf(definition))];
}

/** The `derived` outputs of a state, and the outputs that only one form records. */
export const derive = (definition: ResourceDefinition, state: Bag): Bag =>
  Object.fromEntries(
    Object.entries(definition.properties).flatMap(([name, { from }]) => {
      const value = from?.[1](state as never);
      return value === undefined ? [] : [[name, value]];
    }),
  );
