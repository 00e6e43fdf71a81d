import { type Line, say } from "./text";

/** The word for so many of something: "warning" for one, else "warnings". */
export const pluralOf = (many: number, one: string, others = `${one}s`): string => (many === 1 ? one : others);

/** How many of something: "1 token", "2 entries". */
export const count = (many: number, one: string, others?: string): Line => say`${many} ${pluralOf(many, one, others)}`;
