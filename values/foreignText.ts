/**
 * Controls, line ends of any kind, invisible format characters (such as those that turn the direction of a text), halves of
 * characters, and the two that XML does not allow.
 */
export const hiddenCharacter = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu;

const hiddenRun = new RegExp(`(?:\\s|${hiddenCharacter.source})+`, "gu");

/** The form of the public service's secrets (extended interface, "Tokens"). */
export const secretShape = /xa[ap]t-[\w-]+/g;

const maxLength = 300;

/** How much of a text can be shown: a response can have many MiB, and each of its escapes takes time. */
const longestRead = 8_192;
/** So much more is searched for the credential, whose first characters can be escaped twice. */
const longestBeginning = 1_024;

/** Stands for a text that holds the credential. Its words cannot be shown in part: a credential can be spelled in many ways. */
const withoutWords = "[left out: the text holds the access token]";

/**
 * Text from the service or from events, for a user to read in a message: one line of at most 300 characters, in which
 * nothing is invisible and nothing looks like a secret. Only the beginning of a long text counts. Anybody may have sent it.
 * @param credential a secret: a text that holds it, in any usual spelling, is left out
 */
export function quoteForeignText(text: string, credential = ""): string {
  const line = leaveOutSecret(text, credential).replace(secretShape, "[token]").replace(hiddenRun, " ").trim();
  return line.length <= maxLength ? line : line.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}

/** The beginning of a text as it is, for a program to read, or words that stand for a text that holds the credential. */
export const leaveOutSecret = (text: string, credential: string): string =>
  holdsSecret(text.slice(0, longestRead + longestBeginning), credential) ? withoutWords : text.slice(0, longestRead);

/** So much of a secret's beginning counts as the secret: services like to say that "xaat-5f1d…" is not valid. */
const beginning = 10;

/** Whether a text holds a secret: as it is, in hexadecimal or in base64, with JSON or percent escapes up to twice over. */
function holdsSecret(text: string, secret: string): boolean {
  if (secret === "") return false;
  const spelled = spellings.map((spell) => foldCase(spell(secret.slice(0, beginning)))).filter(Boolean);
  return findReadings(text).some((reading) => spelled.some((probe) => foldCase(reading).includes(probe)));
}

/** The beginning of a text is spelled as the beginning of its spelling; of a very short one nothing may be left. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => Buffer.from(text).toString("hex"),
  ...([0, 1, 2] as const).flatMap((offset) =>
    (["base64", "base64url"] as const).map((alphabet) => (text: string) => encodeOwnBase64(text, offset, alphabet)),
  ),
];

/** A text's own characters in the base64 of a longer one, in which it starts at a byte number with this remainder by three. */
function encodeOwnBase64(text: string, offset: 0 | 1 | 2, alphabet: "base64" | "base64url"): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
  return bytes.toString(alphabet).slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

/** Each resolves one kind of escape, which stands for one character. A credential, which is a header's value, is ASCII. */
const resolvers: readonly ((text: string) => string)[] = [
  (text) => text.replace(/\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g, (written) => JSON.parse(`"${written}"`)),
  (text) => text.replace(/%[0-7][\da-fA-F]/g, decodeURIComponent),
];

/** A text as it stands, and as its escapes read, up to twice over and in any order. */
function findReadings(text: string): string[] {
  const resolve = (one: string) => resolvers.map((resolver) => resolver(one));
  const once = resolve(text);
  return [text, ...once, ...once.flatMap(resolve)];
}

/** Of ASCII alone: other texts can become longer. Case is ignored: hexadecimal has two. */
const foldCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
