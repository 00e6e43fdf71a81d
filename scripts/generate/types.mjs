// @ts-check
import ts from "typescript";

/**
 * @typedef {object} Spec
 * @property {string} [type]
 * @property {string} [$ref]
 * @property {Spec[]} [oneOf]
 * @property {Spec} [items]
 * @property {Spec} [additionalProperties]
 * @property {string} [description]
 * @property {string | number | boolean} [default]
 * @property {true} [secret]
 * @property {true} [willReplaceOnChanges]
 */
/** @typedef {{ description?: string, type: "object", properties: Record<string, Spec>, required?: string[] }} ObjectSpec */
/** @typedef {{ description?: string, type: "string", enum: { value: string }[] }} EnumSpec */

export const PACKAGE = "event-datasets";
export const ANY = "pulumi.json#/Any";
/** Types of which only the arguments have a name for readers. */
const GENERIC = new Set(["Plain", "PlainMembers", "MembersAsInputs", "ObjectInputs"]);
const SECRETS = new Set(["ApiToken.token", "ApiTokenAdopt.token", "Provider.accessToken"]);

/** @param {string} name */
export const token = (name) => `${PACKAGE}:index:${name}`;

/** Types of TypeScript as those of a schema. Objects are named after the type, or after where they stand. */
export class Types {
  /** @type {Map<string, ObjectSpec | EnumSpec>} */
  named = new Map();
  /** @type {Map<ts.Type, string>} */
  #names = new Map();

  /** @param {import("./declarations.mjs").Declarations} declarations */
  constructor(declarations) {
    this.declarations = declarations;
    this.checker = declarations.checker;
  }

  /**
   * @param {string} name
   * @param {ts.Type} type
   * @param {readonly string[]} [only]
   * @returns {ObjectSpec}
   */
  objectOf(name, type, only) {
    /** @type {Record<string, Spec>} */
    const properties = {};
    const required = [];
    const alias = isGeneric(type) ? type.aliasTypeArguments?.[0]?.aliasSymbol : type.aliasSymbol;
    const each = alias && this.declarations.tagOf(alias, "each");
    for (const symbol of this.checker.getPropertiesOfType(type)) {
      if (only && !only.includes(symbol.name)) continue;
      const description = this.declarations.describe(symbol) ?? each;
      const { spec, optional } = this.#member(symbol, `${name}${capital(symbol.name)}`, description);
      const preset = presetOf(this.declarations.docOf(symbol).preset);
      const secret = SECRETS.has(`${name}.${symbol.name}`) ? { secret: /** @type {const} */ (true) } : {};
      const asType = this.declarations.tagOf(symbol, "asType");
      const isInteger = spec.type === "number" && asType === "integer";
      properties[symbol.name] = {
        ...(asType === "union" ? { oneOf: this.unionOf(symbol) } : spec),
        ...(isInteger ? { type: "integer" } : {}),
        ...(description ? { description } : {}),
        ...(preset === undefined ? {} : { default: preset }),
        ...secret,
      };
      if (!optional) required.push(symbol.name);
    }
    return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
  }

  /**
   * An object of one of several forms, by member: what only some have is optional.
   * @param {string} name
   * @param {ts.Type} type
   * @returns {ObjectSpec}
   */
  eitherOf(name, type) {
    const forms = this.checker
      .getPropertiesOfType(type)
      .map((form) => this.objectOf(name, this.checker.getTypeOfSymbol(form)));
    const required = forms[0]?.required?.filter((key) => forms.every((form) => form.required?.includes(key))) ?? [];
    return { type: "object", properties: Object.assign({}, ...forms.map((form) => form.properties)), required };
  }

  /**
   * @param {ts.Symbol} symbol
   * @param {string} path
   * @param {string} [description]
   */
  #member(symbol, path, description) {
    const type = this.checker.getTypeOfSymbol(symbol);
    const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0 || this.#parts(type).absent;
    return { spec: this.specOf(type, path, description), optional };
  }

  /**
   * The types of a union, each once.
   * @param {ts.Symbol} symbol
   * @returns {Spec[]}
   */
  unionOf(symbol) {
    const { parts } = this.#parts(this.checker.getTypeOfSymbol(symbol));
    const specs = parts.map((part) => this.specOf(part, symbol.name));
    return [...new Map(specs.map((spec) => [JSON.stringify(spec), spec])).values()];
  }

  /**
   * The members of a union, without what stands for absent, and without the promise and the output of an input.
   * @param {ts.Type} type
   * @returns {{ parts: ts.Type[], absent: boolean }}
   */
  #parts(type) {
    const known = this.#known(type);
    if (known) return this.#parts(known);
    if (type.flags & (ts.TypeFlags.Conditional | ts.TypeFlags.TypeParameter)) {
      const constraint = this.checker.getBaseConstraintOfType(type);
      if (constraint && constraint !== type) return this.#parts(constraint);
    }
    const all = type.isUnion() ? type.types : [type];
    const isAbsent = (/** @type {ts.Type} */ part) => (part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) !== 0;
    const present = all.filter((part) => !isAbsent(part) && part.symbol?.name !== "Promise" && !this.#known(part));
    const parts = present.flatMap((part) =>
      part.flags & ts.TypeFlags.TypeParameter ? this.#parts(part).parts : [part],
    );
    return { parts, absent: all.some(isAbsent) };
  }

  /**
   * The type of an output's value.
   * @param {ts.Type} type
   */
  #known(type) {
    if (type.aliasSymbol?.name === "Output") return type.aliasTypeArguments?.[0];
    const get = !type.isUnion() && type.getProperty("apply") && type.getProperty("get");
    return get ? this.checker.getTypeOfSymbol(get).getCallSignatures()[0]?.getReturnType() : undefined;
  }

  /**
   * @param {ts.Type} type
   * @param {string} path
   * @param {string} [description] of the property, for a type without a name of its own
   * @returns {Spec}
   */
  specOf(type, path, description) {
    const { parts } = this.#parts(type);
    const words = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
    if (words.length > 1 && words.length === parts.length) return this.#enumOf(words, path, description);
    const is = (/** @type {ts.TypeFlags} */ flags) => parts.length > 0 && parts.every((part) => hasFlags(part, flags));
    if (is(ts.TypeFlags.StringLike)) return { type: "string" };
    if (is(ts.TypeFlags.BooleanLike)) return { type: "boolean" };
    if (is(ts.TypeFlags.NumberLike)) return { type: "number" };
    const [part, ...others] = parts;
    if (!part || others.length > 0) return { $ref: ANY };
    const anyMembers = { type: "object", additionalProperties: { $ref: ANY } };
    if (part.flags & ts.TypeFlags.NonPrimitive) return anyMembers;
    if (this.checker.isArrayType(part) || this.checker.isTupleType(part)) {
      const [item] = this.checker.getTypeArguments(/** @type {ts.TypeReference} */ (part));
      return { type: "array", items: item ? this.specOf(item, singular(path), description) : { $ref: ANY } };
    }
    const members = this.checker.getIndexTypeOfType(part, ts.IndexKind.String);
    if (members) return { type: "object", additionalProperties: this.specOf(members, path, description) };
    const names = this.checker.getPropertiesOfType(part).map((symbol) => symbol.name);
    if (names.length === 0) return { $ref: ANY };
    // Not every language has names that begin so.
    if (names.some((name) => name.startsWith("_"))) return anyMembers;
    return { $ref: `#/types/${token(this.#name(part, path, description))}` };
  }

  /**
   * A closed list of words, named after where it stands.
   * @param {readonly string[]} words
   * @param {string} path
   * @param {string | undefined} description
   * @returns {Spec}
   */
  #enumOf(words, path, description) {
    const name = token(capital(path));
    const spec = { type: /** @type {const} */ ("string"), enum: words.map((value) => ({ value })) };
    this.named.set(name, { ...(description ? { description } : {}), ...spec });
    return { $ref: `#/types/${name}` };
  }

  /**
   * @param {ts.Type} type
   * @param {string} path
   * @param {string | undefined} description
   */
  #name(type, path, description) {
    const seen = this.#names.get(type);
    if (seen) return seen;
    const given = nameOf(type);
    const generic = isGeneric(type);
    // Of `ObjectInputs<Adopt>`, the words are those of `Adopt`.
    const source = generic ? type.aliasTypeArguments?.[0] : type;
    const symbol = source?.aliasSymbol ?? source?.symbol;
    const own = generic ? source?.aliasSymbol?.name : given;
    const name = own === undefined ? path : own.replace(/Args$/, "").replace(/Capability$/, "Capabilities");
    this.#names.set(type, name);
    if (!this.named.has(token(name))) {
      /** @type {ObjectSpec} */
      const spec = { type: "object", properties: {} };
      this.named.set(token(name), spec);
      Object.assign(
        spec,
        { description: this.declarations.describe(symbol) ?? description },
        this.objectOf(name, type),
      );
    }
    return name;
  }
}

/** @param {ts.Type} type */
const nameOf = (type) => type.aliasSymbol?.name ?? type.symbol?.name ?? "__type";

/** Whether a type has no name for readers. @param {ts.Type} type */
const isGeneric = (type) => nameOf(type).startsWith("__") || GENERIC.has(nameOf(type));

/** @param {string} name */
const capital = (name) => name.charAt(0).toUpperCase() + name.slice(1);
/** @param {string} name */
const singular = (name) => name.replace(/(series)$|(ch|sh|x)es$|s$/i, "$1$2");

/**
 * Whether a type is of a kind; `string & {}` is a string.
 * @param {ts.Type} type
 * @param {ts.TypeFlags} flags
 */
const hasFlags = (type, flags) =>
  (type.flags & flags) !== 0 || (type.isIntersection() && type.types.some((part) => (part.flags & flags) !== 0));

/**
 * A default that is a literal, as in `"5m"`; a default in words is part of the description only.
 * @param {string} text
 */
const presetOf = (text) =>
  /^("[^"]*"|true|false|\d+)$/.test(text) ? /** @type {string | number | boolean} */ (JSON.parse(text)) : undefined;
