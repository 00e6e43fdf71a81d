import { asCapabilities } from "../framework/compare";
import type { Token } from "../sdk";

/**
 * Capabilities as a set of single rights: what tells a right from every other, and how people read it. `apiTokens:create`,
 * and for a dataset `web.query:read`.
 */
export type Rights = ReadonlyMap<string, string>;

/**
 * The rights that a value of `orgCapabilities`, `datasetCapabilities` or `viewCapabilities` holds. What is no list of
 * strings has no documented meaning; it becomes one right with its value, so that a change of it is a gain. What is
 * unknown holds none.
 */
export function rightsOf(capabilities: unknown): Rights {
  const rights = new Map<string, string>();
  const add = (path: readonly string[], kind: string, value: unknown, words: string) =>
    rights.set(JSON.stringify([path, kind, value]), path.map(wordOf).join(".") + words);
  const visit = (value: unknown, path: readonly string[]): void => {
    if (isNone(value)) return;
    if (Array.isArray(value)) {
      for (const member of value) {
        if (typeof member === "string") add(path, "action", member, `:${wordOf(member)}`);
        // As a whole: taken apart, the members of one could be taken for those of another.
        else if (!isNone(member)) add(path, "member", asCapabilities(member), `[${JSON.stringify(member)}]`);
      }
    } else if (typeof value === "object") {
      for (const [key, member] of Object.entries(value as object)) visit(member, [...path, key]);
    } else add(path, "value", value, `=${JSON.stringify(value)}`);
  };
  visit(capabilities, []);
  return rights;
}

/** A symbol stands for a value that is encrypted. */
const isNone = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || typeof value === "symbol";

/** Quoted where it holds what separates the parts of a right. */
const wordOf = (part: string): string => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part));

/** The rights of one set that another lacks, in words and in order. */
export const beyond = (a: Rights, b: Rights): string[] =>
  [...a]
    .filter(([right]) => !b.has(right))
    .map(([, words]) => words)
    .sort();

/** Everything that a token may do, in words: what it may do with the account first. */
export const rightsInWords = ({ orgCapabilities, datasetCapabilities, viewCapabilities }: Token): string[] =>
  [orgCapabilities, datasetCapabilities, viewCapabilities].flatMap((one) => beyond(rightsOf(one), new Map()));
