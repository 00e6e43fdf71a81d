import { isObject } from "../values/json";
import type { Bag } from "./lifecycle";
import { hasPart, notKnown } from "./unknown";

/** How the engine marks values on the wire: fixed by its protocol. */
export const signatureKey = "4dabf18193072939515e22adb298388d";
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A text, number, boolean, list, object, asset or archive that is not known yet. */
const unknownMarkers: ReadonlySet<unknown> = new Set([
  unknownText,
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
]);

export const isMarkedSecret = (value: unknown): value is Bag =>
  isObject(value) && value[signatureKey] === secretSignature;

/** A value with the mark of a secret. */
export const markSecret = (value: unknown): Bag => ({ [signatureKey]: secretSignature, value });

export const holdsSecret = (value: unknown): boolean => hasPart(value, isMarkedSecret);

const isMark = (part: unknown): boolean => isMarkedSecret(part) || unknownMarkers.has(part);

/** Converts a value for lifecycles: no marks of secrets, and `notKnown` for unknown values. Other parts are not copied. */
export function decodeValue(value: unknown): unknown {
  if (!hasPart(value, isMark)) return value;
  if (isMarkedSecret(value)) return decodeValue(value.value);
  if (Array.isArray(value)) return value.map(decodeValue);
  // Only a marker is left.
  if (!isObject(value)) return notKnown;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, decodeValue(member)]));
}

export const decode = (bag: Bag): Bag => decodeValue(bag) as Bag;

/**
 * A text that the engine can record: not one of its own marks, and without half a surrogate pair. A response can contain
 * other text, with which the object would be lost.
 */
export const recordableText = (text: string): string =>
  text === signatureKey || unknownMarkers.has(text) ? `(${text})` : text.toWellFormed();

/** A value for the engine. An `undefined` in it would fail after the object was created. */
function encodeValue(value: unknown): unknown {
  if (value === notKnown) return unknownText;
  if (typeof value === "string") return recordableText(value);
  if (Array.isArray(value)) return value.map((member) => (member === undefined ? null : encodeValue(member)));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [recordableText(key), encodeValue(member)]));
}

/** Properties as the engine accepts them. Unknown secrets are marked too: a preview must not pass them on in plain text. */
export function encode(bag: object, secrets: readonly string[] = []): Bag {
  const encoded = encodeValue(bag) as Bag;
  const present = secrets.filter((key) => Object.hasOwn(encoded, key));
  const marked = present.map((key) => [key, markSecret(encoded[key])]);
  return { ...encoded, ...Object.fromEntries(marked) };
}
