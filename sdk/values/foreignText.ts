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

/** So much of a secret's beginning counts as the secret: services like to say that "xaat-5f1d…" is not valid. */
const beginning = 10;

const percentEncoded = (text: string) => encodeURIComponent(text.toWellFormed());
const json = (text: string) => JSON.stringify(text).slice(1, -1);

/** How a service that says what it was sent may write it. The beginning of a text is spelled as the beginning of its spelling. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  percentEncoded,
  json,
  (text) => json(json(text)),
  (text) => Buffer.from(text).toString("hex"),
  ...([0, 1, 2] as const).flatMap((offset) =>
    (["base64", "base64url"] as const).map((alphabet) => (text: string) => ownBase64(text, offset, alphabet)),
  ),
];

/** A text's own characters in the base64 of a longer one, in which it starts at a byte number with this remainder by three. */
function ownBase64(text: string, offset: 0 | 1 | 2, alphabet: "base64" | "base64url"): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
  return bytes.toString(alphabet).slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

/**
 * Takes a secret out of a text, with whatever stands of it from its beginning on and in every spelling of which we know.
 * @param label what is put in its place
 */
function redact(text: string, secret: string, label: string): string {
  if (secret === "") return text;
  let redacted = text;
  for (const spell of spellings)
    redacted = replaceRuns(redacted, spell(secret.slice(0, beginning)), spell(secret), label);
  return redacted;
}

/** Of ASCII alone: other texts can become longer. */
const foldCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Replaces every place that begins as the whole does, as far as it goes on so. Case is ignored: hexadecimal has two. */
function replaceRuns(text: string, start: string, whole: string, label: string): string {
  const [searched, wanted] = [foldCase(text), foldCase(whole)];
  let kept = "";
  let from = 0;
  for (;;) {
    const at = searched.indexOf(foldCase(start), from);
    if (at < 0) return kept + text.slice(from);
    let end = at + start.length;
    while (end - at < wanted.length && searched[end] === wanted[end - at]) end += 1;
    kept += text.slice(from, at) + label;
    from = end;
  }
}
