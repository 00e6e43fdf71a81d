import { flagsOf, type Manual } from "../manual";
import { manuals } from "../manuals";

/** Every command with its manual, and what else can stand in its place. */
export const commands: readonly (readonly [name: string, manual: Manual])[] = Object.entries(manuals);

/** The options of a command, `--help` included. */
export const optionsOf = (manual: Manual): string[] =>
  [...Object.keys(flagsOf(manual)), "help"].map((name) => `--${name}`);
