import { escaped, visible as visibleLine } from "../text";

/** What a text from the service must go through before people, terminals and CI systems see it. */

/** The shape of a secret (extended interface, "Tokens"): one that somebody wrote into a description is not passed on. */
const secret = /xa[ap]t-[\w-]{8,}/g;

/** What CI systems take for a command wherever it stands in a line, such as "##[error]". */
const command = /##(?=[a-z]*\[)/gi;

const longest = 500;

/** One bounded line in which every character can be seen; an invisible one is replaced by its code. */
export const visible = (text: string): string =>
  visibleLine(truncated(text)).replace(secret, "[token]").replace(command, "#‹U+0023›");

const truncated = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest)}…`);

/**
 * JSON that is harmless on a terminal, in a CI log and in a web page too: what JSON would leave raw is escaped. A reader
 * gets the same values, but for secrets.
 */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent)
    .replace(secret, "[token]")
    .replace(command, "#\\u0023")
    .replace(/[<>&\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);

/** How many of something. */
export const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? "" : "s"}`;
