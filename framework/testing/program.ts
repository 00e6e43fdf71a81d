import { isObject } from "../../values/json";
import { markSecret, unknownText } from "../engineValues";
import type { Bag } from "../lifecycle";

/** A resource as a program declares it. */
export interface Declared {
  /** Its name in the provider's `resources`. */
  readonly type: string;
  /** Values of arguments, with `secret` and `outputOf` at any depth. */
  readonly args?: Bag;
  readonly options?: Options;
}

/** The options of a resource that concern its provider. Other resources are called by their names. */
export interface Options {
  readonly dependsOn?: readonly string[];
  /** An explicit provider. Absent: the stack's own. */
  readonly provider?: string;
  /** An earlier name of the resource. */
  readonly alias?: string;
  readonly deleteBeforeReplace?: boolean;
  readonly retainOnDelete?: boolean;
  readonly ignoreChanges?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  /** The hook `onError`: whether the engine repeats a create, an update or a deletion that failed. */
  readonly repeats?: (failures: readonly string[]) => boolean;
}

/** The resources of a program by their names. One stands after those that it depends on. */
export type Program = Readonly<Record<string, Declared>>;

/** The options `--target` and `--exclude`. */
export interface Selection {
  readonly target?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** A command of `pulumi`. */
export interface Command extends Selection {
  /** `up` is without its preview: a `preview` before it is a command of its own. */
  readonly command: "up" | "preview" | "refresh" | "destroy";
  /** Absent: the program of the command before. */
  readonly program?: Program;
  /** The option `--refresh` of `up`, `preview` and `destroy`. */
  readonly refresh?: boolean;
  readonly continueOnError?: boolean;
  /** The option `--replace`. */
  readonly replace?: readonly string[];
  /** The settings of explicit providers by their names, and those of the stack as "default". Absent: as before. */
  readonly settings?: Readonly<Record<string, Settings>>;
  /** The remediations of a policy pack, which the engine applies to the inputs of a resource between its check and its diff. */
  readonly remediate?: (name: string, inputs: Bag) => Bag;
  /** Asked before and after each call of a hook: true kills the engine there. */
  readonly killed?: (moment: Moment) => boolean;
}

/** The settings of a provider, as texts. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** A call of a hook, before or after it. */
export interface Moment extends Call {
  readonly isDone: boolean;
}

/** A call of a hook by the engine. */
export interface Call {
  readonly hook: "check" | "diff" | "create" | "read" | "update" | "delete";
  /** The name of the resource in the program. */
  readonly name: string;
  /** Of the object; absent: of none yet. */
  readonly id?: string;
}

/** The result of a diff. */
export interface Found {
  readonly changes: boolean;
  readonly replaces: readonly string[];
}

class Reference {
  readonly name: string;
  readonly property: string;

  constructor(name: string, property: string) {
    this.name = name;
    this.property = property;
  }
}

/** An output of another resource, or its `id`. A resource with such an argument depends on the other one. */
export const outputOf = (name: string, property: string): unknown => new Reference(name, property);

/** A secret value, as `pulumi.secret` makes it. */
export const secret = markSecret;

/** A value that a preview does not know. */
export const unknown = unknownText;

/** An argument's value, with the names of the resources that it takes outputs of. */
export function resolve(value: unknown, find: (name: string, property: string) => unknown) {
  const names = new Set<string>();
  const resolvePart = (part: unknown): unknown => {
    if (part instanceof Reference) {
      names.add(part.name);
      return find(part.name, part.property);
    }
    if (Array.isArray(part)) return part.map(resolvePart);
    if (!isObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, resolvePart(member)]));
  };
  return { value: resolvePart(value), names: [...names] };
}

/** The names that a declaration depends on. */
export function namesIn({ args = {}, options: { dependsOn = [] } = {} }: Declared): readonly string[] {
  return [...new Set([...resolve(args, () => undefined).names, ...dependsOn])];
}

/** Whether the engine asks the provider about a resource; otherwise its state stays. */
export const isSelected = ({ target, exclude = [] }: Selection, name: string): boolean =>
  target ? target.includes(name) : !exclude.includes(name);
