import { redact } from "./redaction";

/**
 * Controls, line ends of any kind, invisible format characters (such as those that turn the direction of a text), halves of
 * characters, and the two that XML does not allow.
 */
export const hiddenCharacter = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu;

/** What of these JSON leaves as it is, though a terminal, an editor or a script would act on it. */
export const rawInJson = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

const hiddenRun = new RegExp(`(?:\\s|${hiddenCharacter.source})+`, "gu");

/** What the public service's secrets look like (extended interface, "Tokens"). */
export const secretShape = /xa[ap]t-[\w-]+/g;

const maxLength = 300;

/**
 * Text from the service or from events, for a user to read in a message: one line of at most 300 characters, in which
 * nothing is invisible and nothing looks like a secret. Anybody may have sent it.
 * @param credential a secret to take out, whatever it looks like and however it is written
 */
export function quoteForeignText(text: string, credential = ""): string {
  const redacted = redact(text, credential, "[access token]");
  const line = redacted.replace(secretShape, "[token]").replace(hiddenRun, " ").trim();
  return line.length <= maxLength ? line : line.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}
