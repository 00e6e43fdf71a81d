/** What a text from the service must go through before people see it. */

/** Controls, invisible format characters (such as those that turn the direction of a text) and line ends of any kind. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The shape of a secret (extended interface, "Tokens"): one that somebody wrote into a description stays there. */
const secret = /xa[ap]t-[\w-]{8,}/g;

const longest = 500;

/** One bounded line in which every character can be seen; an invisible one becomes its code. */
export const visible = (text: string): string =>
  truncated(text.replace(/\r\n|[\r\n]/g, " ↵ "))
    .replace(hidden, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replace(secret, "[token]");

const truncated = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest)}…`);

/** JSON that is harmless on a terminal too: what JSON would leave raw is escaped, which changes no value but a secret. */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent)
    .replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      [...Array(character.length).keys()].map((at) => unicodeEscape(character.charCodeAt(at))).join(""),
    )
    .replace(secret, "[token]");

const unicodeEscape = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;

/** How many of something. */
export const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? "" : "s"}`;
