import { hiddenCharacter, rawInJson } from "../sdk/values/foreignText";

/** What data must go through before it reaches a terminal: an event can hold anything that somebody sent. */

/** What CI systems take for a command wherever it stands in a line, such as "##[error]". */
export const ciCommand = /##(?=[a-z]*\[)/gi;

/** One line in which every character can be seen: an invisible one is replaced by its code. */
export const visible = (text: string): string => text.replace(hiddenCharacter, code).replace(ciCommand, "#‹U+0023›");

/** The same over several lines. */
export const visibleLines = (text: string): string =>
  text.replace(hiddenCharacter, (character) => (/[\n\r\t]/.test(character) ? character : code(character)));

/** JSON with what it leaves raw escaped, which changes none of its values. */
export const visibleJson = (json: string): string => json.replace(rawInJson, escaped);

/** A character as JSON and JavaScript escape it. */
export const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at))}`).join("");

const code = (character: string): string => `‹U+${hex(character.codePointAt(0) ?? 0).toUpperCase()}›`;
const hex = (point: number): string => point.toString(16).padStart(4, "0");

/** How many columns of a terminal a text takes: East Asian characters and pictures take two. */
export const widthOf = (text: string): number =>
  /^[ -~]*$/.test(text) ? text.length : [...text].reduce((sum, character) => sum + columnsOf(character), 0);

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** How many columns one character takes. */
export function columnsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x300) return 1;
  if (/[\p{Mn}\p{Me}]/u.test(character)) return 0;
  return point >= 0x20000 || wide.test(character) ? 2 : 1;
}

/** A text that takes at most this many columns; one that is cut ends in "…". */
export function cutTo(text: string, width: number): string {
  // What is short enough in characters twice as wide need not be measured.
  if (text.length * 2 <= width || widthOf(text) <= width) return text;
  let used = 1;
  let kept = "";
  for (const character of text) {
    used += columnsOf(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept}…`;
}
