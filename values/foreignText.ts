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
/** So much more is read: the first characters of a secret, escaped twice, could not be told where the text is cut. */
const longestBeginning = 1_024;

/**
 * Text from the service or from events, for a user to read in a message: one line of at most 300 characters, in which
 * nothing is invisible and nothing looks like a secret. Of a long text only the beginning counts. Anybody may have sent it.
 * @param credential a secret to take out, whatever it looks like and however it is written
 */
export function quoteForeignText(text: string, credential = ""): string {
  const redacted = redact(text.slice(0, longestRead + longestBeginning), credential, "[access token]", longestRead);
  const line = redacted.replace(secretShape, "[token]").replace(hiddenRun, " ").trim();
  return line.length <= maxLength ? line : line.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}

/** So much of a secret's beginning counts as the secret: services like to say that "xaat-5f1d…" is not valid. */
const beginning = 10;

/**
 * How a service that says what it was sent may write it, escapes aside. The beginning of a text is spelled as the beginning of its
 * spelling; of a very short one nothing may be left.
 */
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

/** A text with its escapes resolved, and where each of its characters began in the text itself, its end included. */
interface Reading {
  readonly text: string;
  readonly places?: Uint32Array;
}

type Escapes = readonly [pattern: RegExp, resolve: (written: string) => string];

/** Each stands for one character, whichever of them are written so. A credential, which is a header's value, is ASCII. */
const jsonEscapes: Escapes = [/\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g, (written) => JSON.parse(`"${written}"`)];
const percentEscapes: Escapes = [/%[0-7][\da-fA-F]/g, decodeURIComponent];

/** A text as it stands, and as JSON, JSON in JSON, URL-encoded and twice URL-encoded text reads. */
function findReadings(text: string): Reading[] {
  const escaped = [jsonEscapes, percentEscapes].flatMap((escapes) => {
    const once = resolveEscapes({ text }, escapes);
    const twice = once && resolveEscapes(once, escapes);
    return [once, twice].filter((reading) => reading !== undefined);
  });
  return [{ text }, ...escaped];
}

/** Undefined: there are no escapes in it. */
function resolveEscapes({ text, places }: Reading, [pattern, resolve]: Escapes): Reading | undefined {
  if (text.search(pattern) < 0) return undefined;
  const resolved = text.replace(pattern, resolve);
  const next = new Uint32Array(resolved.length + 1);
  let [from, to] = [0, 0];
  const advance = (end: number) => {
    for (; from < end; from += 1, to += 1) next[to] = places?.[from] ?? from;
  };
  for (const { index, 0: written } of text.matchAll(pattern)) {
    advance(index);
    advance(index + 1);
    from = index + written.length;
  }
  advance(text.length);
  next[to] = places?.[from] ?? from;
  return { text: resolved, places: next };
}

type Run = readonly [from: number, to: number];

/**
 * Takes a secret out of a text, with whatever stands of it from its beginning on: as it is, in hexadecimal and in base64, with JSON
 * or percent escapes for any of its characters, up to twice over. Other spellings, such as HTML's entities, are not known.
 * All places are looked for in the text itself, so that no label is taken for a part of the secret.
 * @param label what is put in place of each run
 * @param most how much of the text is returned
 */
function redact(text: string, secret: string, label: string, most: number): string {
  if (secret === "") return text.slice(0, most);
  const runs = findReadings(text).flatMap(({ text: read, places }) => {
    const searched = foldCase(read);
    const found = spellings.flatMap((spell) =>
      findRuns(searched, foldCase(spell(secret)), spell(secret.slice(0, beginning)).length),
    );
    return found.map(([from, to]): Run => [places?.[from] ?? from, places?.[to] ?? to]);
  });
  let [kept, end] = ["", -1];
  for (const [from, to] of runs.sort(([a], [b]) => a - b)) {
    if (from >= most) break;
    if (from > end) kept += text.slice(Math.max(end, 0), from) + label;
    end = Math.max(end, to);
  }
  return kept + text.slice(Math.max(end, 0), most);
}

/** Of ASCII alone: other texts can become longer. Case is ignored: hexadecimal has two. */
const foldCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Every run of a text that begins as the whole does, for at least so many characters, as far as it goes on so. In time linear in the
 * text, whatever repeats in it (Knuth, Morris and Pratt): it may be as long as an answer is.
 */
function findRuns(text: string, whole: string, least: number): Run[] {
  const first = least === 0 ? -1 : text.indexOf(whole.slice(0, least));
  if (first < 0) return [];
  const borders = findBorders(whole);
  const runs: Run[] = [];
  let matched = 0;
  for (let at = first; at < text.length; at += 1) {
    matched = extend(whole, borders, matched, text[at]);
    if (matched < least) continue;
    const [from, last] = [at + 1 - matched, runs.at(-1)];
    if (last && from <= last[1]) runs[runs.length - 1] = [last[0], at + 1];
    else runs.push([from, at + 1]);
  }
  return runs;
}

/** How much of the whole's beginning a text ends with that ended with so much of it, one character later. */
function extend(whole: string, borders: readonly number[], matched: number, character: string | undefined): number {
  let length = matched;
  while (length > 0 && (length === whole.length || whole[length] !== character)) length = borders[length - 1] ?? 0;
  return whole[length] === character ? length + 1 : 0;
}

/** For each beginning of a text: how much of the text's beginning it ends with, itself aside. */
function findBorders(whole: string): number[] {
  const borders = [0];
  for (let at = 1; at < whole.length; at += 1) borders.push(extend(whole, borders, borders[at - 1] ?? 0, whole[at]));
  return borders;
}
