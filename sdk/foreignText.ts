/**
 * Control characters, line ends of any kind, invisible format characters (such as those that change the direction of text),
 * halves of surrogate pairs, and U+FFFE and U+FFFF, which XML does not allow.
 */
export const hiddenCharacter = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu;

const hiddenRun = new RegExp(`(?:\\s|${hiddenCharacter.source})+`, "gu");

/** The form of Axiom's secrets (extended interface, "Tokens"). */
export const secretShape = /xa[ap]t-[\w-]+/g;

const maxLength = 300;

/** How much of a text can be shown: a response can have many MiB, and each of its escapes takes time. */
const longestRead = 8_192;
/** So much more is searched for the credential, whose first characters can be escaped. */
const longestBeginning = 64;

/** Stands for a text that holds the credential. No part of it is shown: what follows the beginning of a credential is secret, too. */
const withoutWords = "[left out: the text contains the access token]";

/**
 * Makes text from the service or from events, which anybody may have sent, safe to show in a message: one line of at most 300
 * characters, without invisible characters and without Axiom's secrets. Only the beginning of a long text is used.
 * @param credential a secret: a text that holds it, as it is or with JSON escapes, is left out
 */
export function quoteForeignText(text: string, credential = ""): string {
  const line = leaveOutSecret(text, credential).replace(secretShape, "[token]").replace(hiddenRun, " ").trim();
  return line.length <= maxLength ? line : line.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}

/** The unchanged beginning of a text, for a program to read, or a placeholder if the text contains the access token. */
export const leaveOutSecret = (text: string, credential: string): string =>
  holdsSecret(text.slice(0, longestRead + longestBeginning), credential) ? withoutWords : text.slice(0, longestRead);

/** So much of a secret's beginning counts as the secret: services like to say that "xaat-5f1d…" is not valid. */
const beginning = 10;

/** Whether a text holds the beginning of a secret, as it is or with JSON escapes. */
function holdsSecret(text: string, secret: string): boolean {
  const probe = secret.slice(0, beginning);
  return probe !== "" && [text, resolveEscapes(text)].some((reading) => reading.includes(probe));
}

/** A credential is the value of a header, so it is ASCII: each escape stands for one character. */
const resolveEscapes = (text: string): string =>
  text.replace(/\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g, (written) => JSON.parse(`"${written}"`));
