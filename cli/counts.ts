import type { Listing } from "../sdk";
import type { Io } from "./command";
import { type Line, say } from "./text";

/** The noun for this many of something: "warning" for one, else "warnings". */
export const pluralOf = (many: number, one: string, others = `${one}s`): string => (many === 1 ? one : others);

/** How many of something: "1 token", "2 entries". */
export const count = (many: number, one: string, others?: string): Line => say`${many} ${pluralOf(many, one, others)}`;

/** Warns of the entries of a list that the options cannot judge as a whole. */
export function warnOfOddEntries({ odd }: Pick<Listing<unknown>, "odd">, { warn }: Pick<Io, "warn">): void {
  if (odd.length > 0) warn(say`${count(odd.length, "entry", "entries")} of the list could not be read completely`);
}
