import type { Finding } from "../../audit";
import { hideSecrets, htmlSafeJson, type Line, makeVisible, type Printable } from "../text";
import { shortenMiddle } from "../width";

/** The greatest lengths of foreign texts in a report for people, in characters. */
const longest = { name: 100, message: 700, place: 500 } as const;

/** A name or a place in a report for people. */
export const shortText = (text: string): Line => makeVisible(shortenMiddle(text, longest.place));

/** The message of a finding, in which a long name is shortened so that the verdict stays visible. */
export function messageOf({ message, token: { name = "" } }: Pick<Finding, "message" | "token">): Line {
  const text = name.length > longest.name ? message.replaceAll(name, () => shortenMiddle(name, longest.name)) : message;
  return makeVisible(shortenMiddle(text, longest.message));
}

/** JSON that is harmless on a terminal, in a CI log and in a web page. A reader gets the same values, except for secrets. */
export const reportJson = (value: unknown, indent?: number): Printable => htmlSafeJson(hideSecrets(value), indent);
