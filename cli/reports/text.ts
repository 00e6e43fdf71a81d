import type { Finding } from "../../audit";
import { hideSecrets, htmlSafeJson, type Line, makeVisible, type Printable } from "../text";
import { shortenMiddle } from "../width";

/** How long a report for people lets the texts of strangers be, in characters. */
const longest = { name: 100, message: 700, place: 500 } as const;

/** A name or a place in a report for people. */
export const shortText = (text: string): Line => makeVisible(shortenMiddle(text, longest.place));

/** The sentence of a finding: a long name in it is shortened, so that its verdict can be read. */
export function messageOf({ message, token: { name = "" } }: Pick<Finding, "message" | "token">): Line {
  const text = name.length > longest.name ? message.replaceAll(name, () => shortenMiddle(name, longest.name)) : message;
  return makeVisible(shortenMiddle(text, longest.message));
}

/** JSON that is harmless on a terminal, in a CI log and in a web page. A reader gets the same values, but for secrets. */
export const reportJson = (value: unknown, indent?: number): Printable => htmlSafeJson(hideSecrets(value), indent);
