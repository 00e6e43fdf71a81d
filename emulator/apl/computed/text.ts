import { createHash } from "node:crypto";
import { stripVTControlCharacters } from "node:util";
import { type ComputedFunctions, compute, hash, isObject, type Json, listOf, textOf } from "./define";
import { redact } from "./redact";
import { charactersOf, compileWildcard, indexOf } from "./search";

function translate(search: string, replacement: string, source: string): string {
  const [from, to] = [charactersOf(search), charactersOf(replacement)];
  const table = new Map(
    from.map((character, i) => [character, to[Math.min(i, to.length - 1)] ?? ""]).reverse() as [string, string][],
  );
  return charactersOf(source)
    .map((character) => table.get(character) ?? character)
    .join("");
}

const binaryUnits = ["Bytes", "KB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
const powers = "BKMGTPEZY";

function formatBytes(value: number, precision = 0, units = "", base = 2): string {
  const step = base === 10 ? 1000 : 1024;
  const asked = units === "" ? -1 : powers.indexOf(units.charAt(0).toUpperCase());
  const fitting = Math.max(0, Math.min(8, Math.floor(Math.log(Math.abs(value) || 1) / Math.log(step) + 1e-12)));
  const power = asked >= 0 ? asked : fitting;
  const unit = asked >= 0 ? units : base === 10 && power === 1 ? "kB" : binaryUnits[power];
  return `${(value / step ** power).toFixed(Math.max(0, Math.min(20, precision)))} ${unit}`;
}

function parseBytes(text: string, base = 2): number {
  const match = /^\s*([+-]?\d+(?:\.\d+)?)\s*([kmgtpezy]?)(i?)b?(?:ytes?)?\s*$/i.exec(text);
  if (!match) return 0;
  const step = base === 10 && match[3] === "" ? 1000 : 1024;
  const power = match[2] === "" ? 0 : powers.indexOf((match[2] ?? "").toUpperCase());
  return Math.round(Number(match[1]) * step ** power);
}

function bytesOf(value: Json): Buffer | undefined {
  const list = listOf(value);
  const isByte = (x: Json) => typeof x === "number" && Number.isInteger(x) && x >= 0 && x <= 255;
  return Array.isArray(value) && list.every(isByte) ? Buffer.from(list as number[]) : undefined;
}

const isBase64 = (text: string): boolean =>
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);

/** Whether the digits pass Luhn's check. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

const isCardNumber = (text: string): boolean => {
  const digits = text.replaceAll(/[ -]/g, "");
  return /^\d{12,19}$/.test(digits) && passesLuhn(digits);
};

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly separator: string;
}

function parsePair(text: string, separator = ":"): Pair {
  const at = text.indexOf(separator);
  if (at < 0 || separator === "") return { key: "", value: text, separator };
  return { key: text.slice(0, at), value: text.slice(at + separator.length), separator };
}

function findPair(list: Json, key: string, value: string, separator = ":"): Json | undefined {
  const [isKey, isValue] = [compileWildcard(key), compileWildcard(value)];
  const pairs = listOf(list).map((item) =>
    isObject(item)
      ? { key: textOf(item.key ?? ""), value: textOf(item.value ?? ""), separator }
      : parsePair(textOf(item), separator),
  );
  return pairs.find((pair) => isKey(pair.key) && isValue(pair.value)) as Json | undefined;
}

/** The values of keys in a text such as `a=1;b="2"`. */
function parseKeyValues(text: string, pairDelimiter: string, keyDelimiter: string, quotes: string): Json {
  const found: Record<string, string> = {};
  const open = quotes.slice(0, 1);
  const close = quotes.slice(-1);
  const isQuoted = (value: string) =>
    open !== "" && value.length > 1 && value.startsWith(open) && value.endsWith(close);
  const pairs = pairDelimiter === "" ? [text] : splitOutside(text, pairDelimiter, open, close);
  for (const pair of pairs) {
    const at = pair.indexOf(keyDelimiter);
    if (at < 0) continue;
    const value = pair.slice(at + keyDelimiter.length).trim();
    const key = pair.slice(0, at).trim();
    if (!Object.hasOwn(found, key)) found[key] = isQuoted(value) ? value.slice(1, -1) : value;
  }
  return found;
}

/** Splits at delimiters outside of quotes. */
function splitOutside(text: string, delimiter: string, open: string, close: string): string[] {
  const parts = [""];
  let inside = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charAt(i);
    if (open !== "" && character === (inside ? close : open)) inside = !inside;
    if (!inside && text.startsWith(delimiter, i)) {
      parts.push("");
      i += delimiter.length - 1;
    } else parts[parts.length - 1] += character;
  }
  return parts;
}

export const textFunctions: ComputedFunctions = {
  indexof: compute("string, string, long?, long?, long?", "long", indexOf),
  translate: compute("string, string, string", "string", translate),
  hash: compute("any, long?", "long", hash),
  hash_sha512: compute("string", "string", (text: string) => createHash("sha512").update(text).digest("hex")),
  format_bytes: compute("real, long?, string?, long?", "string", formatBytes),
  parse_bytes: compute("string, long?", "long", parseBytes),
  base64_decode_toarray: compute("string", "dynamic", (text: string) =>
    isBase64(text) ? [...Buffer.from(text, "base64")] : [],
  ),
  base64_encode_fromarray: compute("any", "string", (list: Json) => bytesOf(list)?.toString("base64") ?? ""),
  unicode_codepoints_from_string: compute("string", "dynamic", (text: string) =>
    charactersOf(text).map((character) => character.codePointAt(0) ?? 0),
  ),
  unicode_codepoints_to_string: compute("any", "string", (list: Json) => {
    const points = listOf(list).map(Number);
    const isPoint = (n: number) => Number.isInteger(n) && n >= 0 && n <= 0x10_ffff;
    return points.every(isPoint) ? points.map((n) => String.fromCodePoint(n)).join("") : undefined;
  }),
  strip_ansi_escapes: compute("string", "string", stripVTControlCharacters),
  iscc: compute("string", "bool", isCardNumber),
  isimei: compute("string", "bool", (text: string) => /^\d{15}$/.test(text) && passesLuhn(text)),
  pair: compute("string, string, string?", "dynamic", (key: string, value: string, separator = ":") => ({
    key,
    value,
    separator,
  })),
  parse_pair: compute("string, string?", "dynamic", (text: string, separator?: string) => ({
    ...parsePair(text, separator),
  })),
  find_pair: compute("dynamic, string, string, string?", "dynamic", findPair),
};

/** The functions behind operators. */
export const operatorFunctions: ComputedFunctions = {
  parse_kv: compute("string, string, string, string", "dynamic", parseKeyValues),
  redact: compute("string, any, string, bool, bool", "string", redact),
};
