import { hiddenCharacter } from "../sdk/foreignText";
import { type Line, makeVisible } from "./text";

/** Needs no quotes in any shell. */
const plain = /^[\w./:@%+=-]+$/;
/** Would not stay as it is when it is printed. */
const unprintable = new RegExp(`${hiddenCharacter.source}|##`, "u");

/**
 * One word of a POSIX shell. Characters that must not be printed are written as bytes between $'…', which bash, zsh and ksh read:
 * the command stays exact.
 */
export function shellWord(text: string): Line {
  if (plain.test(text)) return makeVisible(text);
  if (!unprintable.test(text)) return makeVisible(`'${text.replaceAll("'", `'\\''`)}'`);
  const escaped = text.replace(new RegExp(`[\\\\'#]|${hiddenCharacter.source}`, "gu"), (character) =>
    [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(""),
  );
  return makeVisible(`$'${escaped}'`);
}

/** A command line of a POSIX shell. */
export const shellCommand = (...words: readonly string[]): Line => makeVisible(words.map(shellWord).join(" "));
