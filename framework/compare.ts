import { readExpiry } from "../values/expiry";
import { canonicalInstant } from "../values/instant";
import { hasUnknown } from "./unknown";

/** Turns a value into one that is the same for all spellings of one meaning; undefined stands for absent or empty. */
export type Canonical = (value: unknown) => unknown;

/** A text as it is; the empty one is no different from none. */
export const asText: Canonical = (value) => (value === "" || value === null ? undefined : value);

/**
 * An instant by the moment it names, the zero time that stands for none as none. What is not a valid instant, from the
 * service, is compared as text.
 */
export const asInstant: Canonical = (value) => {
  if (typeof value !== "string") return asText(value);
  return readExpiry(value).kind === "never" ? undefined : (canonicalInstant(value) ?? value);
};

/** A list of names as a set. */
export const asSet: Canonical = (value) =>
  Array.isArray(value) && value.length > 0 ? [...new Set(value.map(String))].sort() : undefined;

/**
 * Capabilities: lists of strings as sets, keys in any order, empty lists and objects as absent. Lists of anything else
 * keep their order, since what it means is not documented.
 */
export const asCapabilities: Canonical = (value) =>
  foldJson(value, {
    leaf: (leaf) => JSON.stringify(asText(leaf)),
    list: (list, texts) => {
      if (list.every((member) => typeof member === "string")) return JSON.stringify(asSet(list));
      return `[${texts.map((text) => text ?? "null").join()}]`;
    },
    object: (members) => (members.length > 0 ? joinMembers(members) : undefined),
  });

/** Any plain value; the order of an object's keys is ignored. */
export const asJson: Canonical = (value) =>
  foldJson(value, {
    leaf: (leaf) => JSON.stringify(leaf ?? undefined),
    list: (_, texts) => `[${texts.map((text) => text ?? "null").join()}]`,
    object: joinMembers,
  });

type Text = string | undefined;
type Member = readonly [key: string, text: string];

/** How a text is made of a JSON value, from the inside out. `undefined` stands for absent. */
interface Fold {
  leaf(value: unknown): Text;
  list(list: readonly unknown[], texts: readonly Text[]): Text;
  /** The members that are present, ordered by their keys. */
  object(members: readonly Member[]): Text;
}

interface Node {
  readonly value: unknown;
  readonly key: string;
  readonly parent: Node | undefined;
  /** The texts of its members, the last one first. */
  readonly texts: [key: string, text: Text][];
}

const joinMembers = (members: readonly Member[]): string =>
  `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join()}}`;

/** Without recursion: what a service answers can be nested deeper than a stack is. */
function foldJson(root: unknown, fold: Fold): Text {
  const nodes: Node[] = [{ value: root, key: "", parent: undefined, texts: [] }];
  // The list grows while it is gone through: the members of each node come after it.
  for (const parent of nodes) {
    if (!isContainer(parent.value)) continue;
    for (const [key, value] of Object.entries(parent.value)) nodes.push({ value, key, parent, texts: [] });
  }
  let text: Text;
  for (const node of nodes.reverse()) {
    text = foldNode(node, fold);
    node.parent?.texts.push([node.key, text]);
  }
  return text;
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

function foldNode({ value, texts }: Node, fold: Fold): Text {
  if (!isContainer(value)) return fold.leaf(value);
  if (Array.isArray(value)) return fold.list(value, texts.map(([, text]) => text).reverse());
  const present = texts.filter((member): member is [string, string] => member[1] !== undefined);
  return fold.object(present.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The text that stands for a value in a comparison. */
export const canonicalText = (canonical: Canonical, value: unknown): string | undefined =>
  JSON.stringify(canonical(value));

/** Whether two known values mean the same. Most are spelled the same, too, and then there is nothing to work out. */
export const isSame = (canonical: Canonical, a: unknown, b: unknown): boolean =>
  a === b || canonicalText(canonical, a) === canonicalText(canonical, b);

/** The fields of a response that could not be read, with the reason. */
export interface Odd {
  readonly odd?: Readonly<Record<string, string>>;
}

/** Something to compare: values by key, and the keys of which an answer held something that could not be read. */
type Comparable<Key extends string> = { readonly [key in Key]?: unknown } & Odd;

/** The keys whose values differ in meaning. A value that is not known yet, or could not be read, counts as unchanged. */
export function changedKeys<Key extends string>(
  comparisons: Readonly<Record<Key, Canonical>>,
  a: Comparable<NoInfer<Key>>,
  b: Comparable<NoInfer<Key>>,
): Key[] {
  const isUnknown = (side: Comparable<Key>, key: Key) => hasUnknown(side[key]) || side.odd?.[key] !== undefined;
  return keysOf(comparisons).filter(
    (key) => !isUnknown(a, key) && !isUnknown(b, key) && !isSame(comparisons[key], a[key], b[key]),
  );
}

/** The keys of a table, as its type has them. */
export const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>): Key[] => Object.keys(table) as Key[];

/** The named members that are present, as a new object. */
export function pick<T extends object, Key extends keyof T>(object: T, keys: readonly Key[]): Pick<T, Key> {
  return Object.fromEntries(keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]])) as Pick<
    T,
    Key
  >;
}
