import type { Io } from "./command";
import { type Line, makeVisible } from "./text";

/** How many columns of a terminal a text takes: East Asian characters and emoji take two. */
export const widthOf = (text: string): number =>
  /^[ -~]*$/.test(text) ? text.length : [...text].reduce((sum, character) => sum + widthOfCharacter(character), 0);

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** How many columns one character takes. */
function widthOfCharacter(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x300) return 1;
  if (/[\p{Mn}\p{Me}]/u.test(character)) return 0;
  return point >= 0x20000 || wide.test(character) ? 2 : 1;
}

/** A line that takes at most this many columns; a line that was cut ends in "…". */
export function cutTo(text: Line, width: number): Line {
  // A text that is short enough in characters twice as wide need not be measured.
  if (text.length * 2 <= width || widthOf(text) <= width) return text;
  return makeVisible(`${text.slice(0, positionAt(text, width - 1))}…`);
}

/** Breaks text into lines of a width, at spaces where there are any. */
export function wrap(text: Line, width: number): Line[] {
  const lines: string[] = [];
  let rest: string = text;
  while (widthOf(rest) > width) {
    const cut = Math.max(positionAt(rest, width), [...rest][0]?.length ?? 1);
    const space = rest.lastIndexOf(" ", cut);
    const at = space > width / 3 ? space : cut;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
    // A line that begins so would be a command of a CI system's.
    if (rest.startsWith("::")) rest = `…${rest}`;
  }
  return [...lines, rest].map(makeVisible);
}

/** How much of a text takes at most so many columns; never a part of a character. */
function positionAt(text: string, width: number): number {
  let used = 0;
  let at = 0;
  for (const character of text) {
    used += widthOfCharacter(character);
    if (used > width) break;
    at += character.length;
  }
  return at;
}

/** Shortens a text to at most this many characters, and keeps its beginning and its end, which often distinguish names. */
export function shortenMiddle(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const end = Math.floor((most - 1) / 3);
  return [...characters.slice(0, most - 1 - end), "…", ...characters.slice(-end)].join("");
}

/** The properties of a standard stream that decide the layout. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
}

/** The width of the terminal; undefined if the stream is not a terminal. Some terminals, such as those of CI systems, report 0. */
export const columnsOf = ({ isTTY, columns }: Screen): number | undefined => (isTTY ? columns || 80 : undefined);

/** The layout of standard output: the width of the terminal, or else the one that the user chose. */
export const layoutOf = ({ columns, colours, env: { COLUMNS = "" } }: Pick<Io, "columns" | "colours" | "env">) => ({
  columns: columns ?? (/^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : undefined),
  colours,
});

/** Whether the terminal supports cursor movement. */
export const movesCursor = ({ isTTY }: Screen, { TERM }: Io["env"]): boolean => isTTY === true && TERM !== "dumb";

/** Whether text may have colours, according to the terminal and to the convention of https://no-color.org. */
export const showsColours = (screen: Screen, env: Io["env"]): boolean =>
  movesCursor(screen, env) && !env.NO_COLOR && screen.hasColors?.() === true;
