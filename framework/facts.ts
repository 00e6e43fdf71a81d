import type { KeysWith } from "../values/keys";
import type { Hints } from "./identity";
import type { Incomplete } from "./incomplete";
import type { Shape } from "./shapes";

/** A property of a resource, with all that a form has to know about it. `Facts` says which kind can have which fact. */
export interface Property {
  readonly is: Shape;
  /**
   * - absent: an argument, which programs declare; it is also an output.
   * - `hint`: an input that no program declares: the adapter adds it, or `check` does.
   * - `output`: added by the lifecycle.
   * - `derived`: an output that follows from the state and is not recorded.
   * - `hidden`: recorded in plain text as an output is, and shown to no program.
   * - `record`: everything else that is known about the object, as members of one object.
   */
  readonly kind?: Exclude<Kind, "argument">;
  /** The argument must be declared. A text is the end of the error message: "is missing: TEXT". */
  readonly required?: true | string;
  /** An input is never absent after `check`; an `output` is never absent in a state. */
  readonly always?: true | "output";
  /** `true`: a change replaces the object. A list: only changes of these members do. A function: the settings decide. */
  readonly replaces?: boolean | readonly string[] | ((planning: never) => boolean);
  /** Whether the service or the lifecycle chooses the value if the program declares none. */
  readonly computed?: true;
  /** Whether `check` generated the value of these inputs. */
  readonly generated?: (inputs: never) => boolean;
  /** Whether an update in place with these inputs recomputes the output. */
  readonly renewed?: (inputs: never) => boolean;
  /** Whether the value is always secret, even if the program does not say so. */
  readonly secret?: true;
  /** For an object argument. `secret`: if the member is set, the argument is secret (outputs are not). `id`: never secret. */
  readonly parts?: Readonly<Record<string, "secret" | "id">>;
  /** The argument that the value can derive from, or `true` for any. If such an argument is secret, so is the value. */
  readonly derives?: true | string;
  /** Members of the record that reveal no argument: ids and flags. The other members are secret if any argument is. */
  readonly plain?: readonly string[];
  /** Computes the output from recorded outputs, where it is not recorded itself. */
  readonly from?: readonly [keys: readonly string[], compute: (values: never) => unknown];
}

type Kind = "argument" | "hint" | "output" | "derived" | "hidden" | "record";

/**
 * The closed table: the facts that a property of each kind can have, besides `is` and `kind`. Any other fact is a type error.
 * @typeParam Member the members of its value
 * @typeParam Name the properties of the resource
 * @typeParam Argument those of them that a program declares: nothing else can be secret because the program says so
 */
interface Facts<Member, Name, Argument> {
  readonly argument: Some<"required" | "always" | "computed" | "generated" | "secret"> &
    Replaces<Member> & {
      readonly derives?: true | Argument;
      readonly parts?: { readonly [M in Member & string]?: "secret" | "id" };
    };
  readonly hint: { readonly always?: true; readonly derives?: true | Argument } & Replaces<Member>;
  readonly output: Some<"renewed" | "secret"> & {
    readonly always?: "output";
    readonly derives?: true | Argument;
  } & Partial<From<Name>>;
  readonly derived: From<Name> & { readonly derives?: true | Argument };
  readonly hidden: object;
  readonly record: { readonly plain?: readonly Member[] };
}
type Some<Fact extends keyof Property> = Pick<Property, Fact>;
interface Replaces<Member> {
  readonly replaces?: boolean | readonly Member[] | ((planning: never) => boolean);
}
interface From<Name> {
  readonly from: readonly [keys: readonly Name[], compute: (values: never) => unknown];
}

export type Fact<Key extends keyof Property, Value = unknown> = { readonly [K in Key]: Value };
export type Value<P> = P extends { readonly is: Shape<infer T, unknown> } ? T : never;

type KindOf<P> = P extends { readonly kind: infer K extends Kind } ? K : "argument";
type MemberOf<T> = keyof Exclude<T, undefined> & string;

/**
 * The mistakes in properties. The compiler prints the property and the fact.
 * @typeParam Names all properties of the resource
 */
export type Closed<Own, Names> = string extends keyof Own
  ? "the compiler cannot infer the properties: declare the types of the parameters of functions in their facts"
  : {
      readonly [Name in keyof Own]: Fits<
        Own[Name],
        KindOf<Own[Name]>,
        MemberOf<Value<Own[Name]>>,
        Names,
        Exclude<Names, KeysWith<Own, Fact<"kind">>>
      > &
        Placed<Name, KindOf<Own[Name]>, KeysWith<Own, Fact<"kind", "hidden">>>;
    };
type Fits<P, K extends Kind, Member, Names, Arguments = Names> = Facts<Member, Names, Arguments>[K] & {
  readonly [F in Exclude<
    keyof P,
    "is" | "kind" | keyof Facts<Member, Names, Arguments>[K]
  >]: `${K} has no ${F & string}`;
} & (P extends Fact<"parts", infer Parts>
    ? Fact<"parts", { readonly [M in Exclude<keyof Parts, Member>]: "is no member" }>
    : unknown);
/** The names of what the framework or the engine adds to inputs or to a state. */
type Taken = keyof Hints | keyof Incomplete | "secretRecord" | "__provider" | "id" | "urn";
/** There is one record, of that name, and at most one hidden property. No property has the name of what is added. */
type Placed<Name, K extends Kind, Hidden> = Name extends Taken
  ? { readonly kind: "the framework has a property of this name" }
  : Name extends "record"
    ? K extends "record"
      ? unknown
      : { readonly kind: "record" }
    : K extends "record"
      ? { readonly kind: "a record must be named record" }
      : [K, Exclude<Hidden, Name>] extends ["hidden", infer Other]
        ? [Other] extends [never]
          ? unknown
          : { readonly kind: "only one property may be hidden" }
        : unknown;

/** The facts about the fields of the service, each of which is an argument. */
export type ClosedFields<Spec, Fields, Names> = {
  readonly [Name in keyof Fields]: Name extends keyof Spec
    ? Fits<Fields[Name], "argument", MemberOf<Spec[Name]>, Names>
    : "is not a field of the service";
};

/** Each migration converts a state of one version to the next; the last one makes a state of the present version. */
export type Migration = (state: never) => object;
/** The mistakes in migrations, for the compiler: each must return what the next one takes, and the last one must return `Present`. */
export type Chain<Steps, Present> = Steps extends readonly [unknown, ...infer Rest]
  ? readonly [
      (state: never) => Rest extends readonly [(state: infer Next) => unknown, ...unknown[]] ? Next : Present,
      ...Chain<Rest, Present>,
    ]
  : readonly [];
