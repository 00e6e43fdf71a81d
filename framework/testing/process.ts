import { isObject } from "../../values/json";
import type { ResourceDefinition } from "../definition";
import { decode, encode, holdsSecret, isMarkedSecret, markSecret } from "../engineValues";
import type { Bag } from "../lifecycle";
import type { Options } from "./program";

/** The resource that a call is about. */
export interface About {
  readonly urn: string;
  readonly definition: ResourceDefinition;
}

export interface Checked {
  readonly inputs: Bag;
  /** Why they cannot be used. */
  readonly reasons: readonly string[];
}

export interface Difference {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  /** The changed properties, which only a plugin tells. */
  readonly changed: readonly string[];
}

export interface EngineObject {
  readonly id: string;
  readonly inputs: Bag;
  readonly outputs: Bag;
}

/** The process of one provider, as the engine calls it. Properties have the marks of secrets and of unknown values. */
export interface Process {
  /** The type token of a resource. */
  tokenOf(definition: ResourceDefinition): string;
  /** The inputs that a program registers for these arguments. */
  declare(about: About, args: Bag, options: Options): Bag;
  check(about: About, olds: Bag | undefined, news: Bag): Promise<Checked>;
  diff(about: About, old: EngineObject, news: Bag): Promise<Difference>;
  /** @throws PartialFailure if an object is left behind */
  create(about: About, inputs: Bag, isPreview: boolean): Promise<Pick<EngineObject, "id" | "outputs">>;
  /** @returns undefined: it is gone */
  read(
    about: About,
    object: EngineObject,
  ): Promise<(Partial<EngineObject> & Pick<EngineObject, "id" | "outputs">) | undefined>;
  /** @throws PartialFailure if the object is left behind in another state */
  update(about: About, old: EngineObject, news: Bag, isPreview: boolean): Promise<Bag>;
  delete(about: About, object: EngineObject): Promise<void>;
  close(): Promise<void>;
}

/** The changed properties that an option of the resource makes a reason to replace it. */
export const replacedByOption = ({ changed }: Difference, { replaceOnChanges = [] }: Options): readonly string[] =>
  changed.filter((key) => replaceOnChanges.includes(key) || replaceOnChanges.includes("*"));

/** A failure that leaves an object behind, which the engine records. */
export class PartialFailure extends Error {
  override readonly name = "PartialFailure";
  readonly id: string;
  readonly outputs: Bag;
  readonly inputs: Bag | undefined;

  constructor(message: string, id: string, outputs: Bag, inputs?: Bag) {
    super(message);
    this.id = id;
    this.outputs = outputs;
    this.inputs = inputs;
  }
}

/** The key of a type's URN. */
export const urnOf = (token: string, name: string): string => `urn:pulumi:dev::web::${token}::${name}`;

/** Values without the marks of secrets, as the engine sends them to a provider that takes none. */
export const reveal = (values: Bag): Bag => encode(decode(values));

/** Marks properties as secrets that were ones before: `annotateSecrets` in the engine's `resource/plugin/provider_plugin.go`. */
export function markAs(before: Bag, values: Bag): Bag {
  const marked = Object.entries(values).map(([key, value]) => {
    const old = before[key];
    if (isPlainObject(value) && isPlainObject(old)) return [key, markAs(old, value)];
    return [key, holdsSecret(old) && !isMarkedSecret(value) ? markSecret(reveal({ value }).value) : value];
  });
  return Object.fromEntries(marked);
}

const isPlainObject = (value: unknown): value is Bag => isObject(value) && !isMarkedSecret(value);
