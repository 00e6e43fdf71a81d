import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** Where and in which form a secret was found. */
export interface SecretHit {
  /** The file, or the name of the text. */
  readonly where: string;
  readonly form: string;
}

/** Where to look: whole folder trees (links are not followed), and texts by name. */
export interface SecretPlaces {
  readonly folders?: readonly string[];
  readonly texts?: Readonly<Record<string, string>>;
}

const PREFIX = 10;
/** Much shorter ones would be found by chance in a state full of random ids. */
const SHORTEST = 16;

/** Every place that holds the secret in any form that we know of; an empty list is what a test wants. */
export const findSecret = (places: SecretPlaces, secret: string): Promise<SecretHit[]> => findSecrets(places, [secret]);

/** The same for many secrets, in one go through the files. */
export async function findSecrets(places: SecretPlaces, secrets: readonly string[]): Promise<SecretHit[]> {
  const forms = secrets.flatMap(formsOf);
  const hits: SecretHit[] = [];
  const search = (where: string, text: string) => {
    // Most forms look for lower case: made once a text, not once a form.
    const lowerCase = text.toLowerCase();
    for (const [form, matches] of forms) if (matches(text, lowerCase)) hits.push({ where, form });
  };
  for (const [name, text] of Object.entries(places.texts ?? {})) search(name, text);
  for (const folder of places.folders ?? []) {
    for (const file of await filesIn(folder)) search(file, await contentOf(file));
  }
  return hits;
}

type Matcher = (text: string, lowerCase: string) => boolean;

function formsOf(secret: string): [form: string, matches: Matcher][] {
  if (secret.length < SHORTEST) throw new Error(`a canary of fewer than ${SHORTEST} characters proves nothing`);
  const hex = Buffer.from(secret).toString("hex");
  const percent = hex.replace(/../g, "%$&");
  const json = JSON.stringify(secret).slice(1, -1);
  const escaped = [...Array(secret.length).keys()].map((i) => unicodeEscape(secret.charCodeAt(i))).join("");
  return [
    ["raw", anyOf(secret)],
    ["prefix", anyOf(secret.slice(0, PREFIX))],
    ...[0, 1, 2].map((offset): [string, Matcher] => [`base64, offset ${offset}`, anyOf(...base64(secret, offset))]),
    ["hex", (_, lowerCase) => lowerCase.includes(hex)],
    ["URL-encoded", anyOf(encodeURIComponent(secret), encodeURI(secret), formEncoded(secret))],
    ["percent-encoded", (_, lowerCase) => lowerCase.includes(percent)],
    // Go's encoder also escapes what HTML would take for markup; a report may hold JSON within JSON.
    [
      "JSON-escaped",
      anyOf(
        json,
        json.replace(/[<>&]/g, (c) => unicodeEscape(c.charCodeAt(0))),
        JSON.stringify(json).slice(1, -1),
      ),
    ],
    ["unicode escapes", (_, lowerCase) => lowerCase.includes(escaped)],
  ];
}

const anyOf =
  (...needles: string[]): Matcher =>
  (text) =>
    needles.some((needle) => text.includes(needle));

const unicodeEscape = (unit: number) => `\\u${unit.toString(16).padStart(4, "0")}`;

const formEncoded = (secret: string) => new URLSearchParams([["", secret]]).toString().slice(1);

/**
 * The secret's own characters in a base64 text in which it starts at a byte number that leaves this remainder by three.
 * The first and the last character also hold bits of the neighbours, so they are left out.
 */
function base64(secret: string, offset: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const start = Math.ceil((offset * 8) / 6);
  const end = Math.floor((bytes.length * 8) / 6);
  return (["base64", "base64url"] as const).map((alphabet) => bytes.toString(alphabet).slice(start, end));
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** State files may be compressed. Bytes that are no UTF-8 become other characters, which hide nothing next to them. */
async function contentOf(file: string): Promise<string> {
  const bytes = await readFile(file);
  const compressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (compressed ? gunzipSync(bytes) : bytes).toString("utf8");
}
