import * as ts from "typescript";
import { defined } from "../../values/defined";
import type { Declarations } from "./declarations";

/** The type of a value in a package schema. */
export interface Spec {
  type?: string;
  $ref?: string;
  oneOf?: Spec[];
  items?: Spec;
  additionalProperties?: Spec;
  description?: string;
  default?: string | number | boolean;
  secret?: true;
  willReplaceOnChanges?: true;
}

export interface ObjectSpec {
  readonly description?: string;
  readonly type: "object";
  readonly properties: Readonly<Record<string, Spec>>;
  readonly required?: readonly string[];
}

interface EnumSpec {
  readonly description?: string;
  readonly type: "string";
  readonly enum: readonly { readonly value: string }[];
}

/** A value of any type. */
export const any: Spec = { $ref: "pulumi.json#/Any" };
const anyMembers: Spec = { type: "object", additionalProperties: any };

/**
 * Converts the types of a program to those of a package schema. An object is named after its type, or after the property that
 * has it.
 */
export class Types {
  /** By their tokens. */
  readonly named = new Map<string, ObjectSpec | EnumSpec>();
  readonly #names = new Map<ts.Type, string>();
  readonly #declarations: Declarations;
  readonly #checker: ts.TypeChecker;
  readonly #tokenOf: (name: string) => string;
  readonly #isSecret: (owner: string, property: string) => boolean;

  /** @param isSecret whether a property of an object is always secret */
  constructor(
    declarations: Declarations,
    tokenOf: (name: string) => string,
    isSecret: (owner: string, property: string) => boolean,
  ) {
    this.#declarations = declarations;
    this.#checker = declarations.checker;
    this.#tokenOf = tokenOf;
    this.#isSecret = isSecret;
  }

  /**
   * The type of an object. If it has several forms, the type has the members of all of them, and a member that only some forms
   * have is optional.
   */
  objectOf(name: string, type: ts.Type, only?: readonly string[]): ObjectSpec {
    const forms = (type.isUnion() ? type.types : [type]).map((form) => this.#formOf(name, form, only));
    const [first] = forms;
    const required = first?.required?.filter((key) => forms.every((form) => form.required?.includes(key)));
    return {
      type: "object",
      properties: Object.assign({}, ...forms.map(({ properties }) => properties)),
      ...(required && (required.length > 0 || forms.length > 1) ? { required } : {}),
    };
  }

  #formOf(name: string, type: ts.Type, only: readonly string[] | undefined): ObjectSpec {
    const alias = isNameless(type) ? type.aliasTypeArguments?.[0]?.aliasSymbol : type.aliasSymbol;
    const each = alias && this.#declarations.tagOf(alias, "each");
    const members = this.#checker.getPropertiesOfType(type).filter((member) => only?.includes(member.name) ?? true);
    const isRequired = (member: ts.Symbol) =>
      !(member.flags & ts.SymbolFlags.Optional) && !this.#partsOf(this.#checker.getTypeOfSymbol(member)).isOptional;
    return {
      type: "object",
      properties: Object.fromEntries(members.map((member) => [member.name, this.#memberOf(name, member, each)])),
      required: members.filter(isRequired).map((member) => member.name),
    };
  }

  #memberOf(owner: string, member: ts.Symbol, each: string | undefined): Spec {
    const description = this.#declarations.describe(member) ?? each;
    const asType = this.#declarations.tagOf(member, "asType");
    const type = this.#checker.getTypeOfSymbol(member);
    const spec =
      asType === "union"
        ? { oneOf: this.unionOf(type, member.name) }
        : this.specOf(type, `${owner}${capital(member.name)}`, description);
    return {
      ...spec,
      ...(spec.type === "number" && asType === "integer" ? { type: "integer" } : {}),
      ...defined({ description, default: presetOf(this.#declarations.docOf(member).preset) }),
      ...(this.#isSecret(owner, member.name) ? { secret: true } : {}),
    };
  }

  /** The types of a union, without duplicates. */
  unionOf(type: ts.Type, path: string): Spec[] {
    const specs = this.#partsOf(type).parts.map((part) => this.specOf(part, path));
    return [...new Map(specs.map((spec) => [JSON.stringify(spec), spec])).values()];
  }

  /** The members of a union, without undefined and null, and without the promise and the output in an `Input`. */
  #partsOf(type: ts.Type): { readonly parts: readonly ts.Type[]; readonly isOptional: boolean } {
    const known = this.#valueOf(type);
    if (known) return this.#partsOf(known);
    if (type.flags & (ts.TypeFlags.Conditional | ts.TypeFlags.TypeParameter)) {
      const constraint = this.#checker.getBaseConstraintOfType(type);
      if (constraint && constraint !== type) return this.#partsOf(constraint);
    }
    const all = type.isUnion() ? type.types : [type];
    const isAbsent = (part: ts.Type) => (part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) !== 0;
    const present = all.filter((part) => !isAbsent(part) && part.symbol?.name !== "Promise" && !this.#valueOf(part));
    const parts = present.flatMap((part) =>
      part.flags & ts.TypeFlags.TypeParameter ? this.#partsOf(part).parts : [part],
    );
    return { parts, isOptional: all.some(isAbsent) };
  }

  /** The type of an output's value. */
  #valueOf(type: ts.Type): ts.Type | undefined {
    if (type.aliasSymbol?.name === "Output") return type.aliasTypeArguments?.[0];
    const get = !type.isUnion() && type.getProperty("apply") && type.getProperty("get");
    return get ? this.#checker.getTypeOfSymbol(get).getCallSignatures()[0]?.getReturnType() : undefined;
  }

  /** @param description of the property, for a type without a name of its own */
  specOf(type: ts.Type, path: string, description?: string): Spec {
    const { parts } = this.#partsOf(type);
    const words = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    if (words.length > 1 && words.length === parts.length) return this.#enumOf(words, path, description);
    const is = (flags: ts.TypeFlags) => parts.length > 0 && parts.every((part) => hasFlags(part, flags));
    if (is(ts.TypeFlags.StringLike)) return { type: "string" };
    if (is(ts.TypeFlags.BooleanLike)) return { type: "boolean" };
    if (is(ts.TypeFlags.NumberLike)) return { type: "number" };
    const [part, ...others] = parts;
    if (!part || others.length > 0) return any;
    if (part.flags & ts.TypeFlags.NonPrimitive) return anyMembers;
    if (this.#checker.isArrayType(part) || this.#checker.isTupleType(part)) {
      const [item] = this.#checker.getTypeArguments(part as ts.TypeReference);
      return { type: "array", items: item ? this.specOf(item, singular(path), description) : any };
    }
    const members = this.#checker.getIndexTypeOfType(part, ts.IndexKind.String);
    if (members) return { type: "object", additionalProperties: this.specOf(members, path, description) };
    const names = this.#checker.getPropertiesOfType(part).map((member) => member.name);
    if (names.length === 0) return any;
    // Some languages have no such names.
    if (names.some((name) => name.startsWith("_"))) return anyMembers;
    return { $ref: `#/types/${this.#tokenOf(this.#nameOf(part, path, description))}` };
  }

  /** A closed list of words, named after the property that has it. */
  #enumOf(words: readonly string[], path: string, description: string | undefined): Spec {
    const token = this.#tokenOf(capital(path));
    this.named.set(token, { ...defined({ description }), type: "string", enum: words.map((value) => ({ value })) });
    return { $ref: `#/types/${token}` };
  }

  #nameOf(type: ts.Type, path: string, description: string | undefined): string {
    const seen = this.#names.get(type);
    if (seen) return seen;
    // `ObjectInputs<Adopt>` gets the doc comment of `Adopt`.
    const source = isNameless(type) ? type.aliasTypeArguments?.[0] : type;
    const own = isNameless(type) ? source?.aliasSymbol?.name : typeName(type);
    const name = own === undefined ? path : own.replace(/Args$/, "");
    this.#names.set(type, name);
    const token = this.#tokenOf(name);
    if (this.named.has(token)) return name;
    // Before its members: one of them can be of the same type.
    const spec = { type: "object", properties: {} } as const;
    this.named.set(token, spec);
    const words = this.#declarations.describe(source?.aliasSymbol ?? source?.symbol) ?? description;
    Object.assign(spec, { description: words }, this.objectOf(name, type));
    return name;
  }
}

/** Generic types. Readers know them by the names of their arguments. */
const generic: ReadonlySet<string> = new Set(["Plain", "PlainMembers", "MembersAsInputs", "ObjectInputs"]);

const typeName = (type: ts.Type): string => type.aliasSymbol?.name ?? type.symbol?.name ?? "__type";
const isNameless = (type: ts.Type): boolean => typeName(type).startsWith("__") || generic.has(typeName(type));
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const singular = (name: string): string => name.replace(/(series)$|(ch|sh|x)es$|s$/i, "$1$2");

/** Whether a type is of a kind; `string & {}` is a string. */
const hasFlags = (type: ts.Type, flags: ts.TypeFlags): boolean =>
  (type.flags & flags) !== 0 || (type.isIntersection() && type.types.some((part) => (part.flags & flags) !== 0));

/** A default that is a literal, as in `"5m"`; a default in words is part of the description only. */
const presetOf = (text: string): string | number | boolean | undefined =>
  /^("[^"]*"|true|false|\d+)$/.test(text) ? JSON.parse(text) : undefined;
