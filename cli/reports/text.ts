import { rawInJson, secretShape } from "../../sdk/values/foreignText";
import { ciCommand, escaped, visible as visibleLine } from "../text";

/** What a text from the service must go through before people, terminals and CI systems see it. */

const longest = 500;

/** One bounded line in which every character can be seen; an invisible one is replaced by its code. */
export const visible = (text: string): string => visibleLine(truncated(text.replace(secretShape, "[token]")));

const truncated = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest)}…`);

/**
 * JSON that is harmless on a terminal, in a CI log and in a web page too: what JSON would leave raw is escaped. A reader
 * gets the same values, but for secrets.
 */
export const safeJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent)
    .replace(secretShape, "[token]")
    .replace(ciCommand, "#\\u0023")
    .replace(/[<>&]/g, escaped)
    .replace(rawInJson, escaped);

/** How many of something. */
export const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? "" : "s"}`;
