import { isObject } from "../values/json";
import type { Bag } from "./lifecycle";
import { notKnown } from "./unknown";

/** How the engine marks values on the wire: fixed by its protocol. */
export const signatureKey = "4dabf18193072939515e22adb298388d";
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A text, number, boolean, list, object, asset or archive that is not known yet. */
const unknownMarkers: readonly unknown[] = [
  unknownText,
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
];

export const isMarkedSecret = (value: unknown): value is Bag =>
  isObject(value) && value[signatureKey] === secretSignature;

export const holdsSecret = (value: unknown): boolean =>
  isMarkedSecret(value) || (typeof value === "object" && value !== null && Object.values(value).some(holdsSecret));

/** An object with own members only, whatever they are called. */
const objectOf = (members: readonly (readonly [string, unknown])[]): Bag => {
  const object: Record<string, unknown> = {};
  for (const [key, value] of members) {
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return object;
};

/** A value for lifecycles: without the marks of secrets, unknown values as `notKnown`. */
export function decodeValue(value: unknown): unknown {
  if (isMarkedSecret(value)) return decodeValue(value.value);
  if (unknownMarkers.includes(value)) return notKnown;
  if (Array.isArray(value)) return value.map(decodeValue);
  if (!isObject(value)) return value;
  return objectOf(Object.entries(value).map(([key, member]) => [key, decodeValue(member)]));
}

/** A value for the engine. An `undefined` in it would fail after the object was created. */
function encodeValue(value: unknown): unknown {
  if (value === notKnown) return unknownText;
  if (Array.isArray(value)) return value.map((member) => (member === undefined ? null : encodeValue(member)));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return objectOf(members.map(([key, member]) => [key, encodeValue(member)]));
}

export const decode = (bag: Bag): Bag => decodeValue(bag) as Bag;

/** Properties as the engine takes them. Unknown secrets are marked too: a preview must not pass them on as plain. */
export function encode(bag: object, secrets: readonly string[] = []): Bag {
  const members = Object.entries(encodeValue(bag) as Bag);
  return objectOf(
    members.map(([key, value]) => [key, secrets.includes(key) ? { [signatureKey]: secretSignature, value } : value]),
  );
}

/**
 * Replaces what the engine cannot record in a response, or the object would be lost: texts and members that look like the
 * engine's own marks, and halves of characters (surrogates).
 * @returns the copy, and the paths of the values that had to change
 */
export function toRecordable(
  value: unknown,
  path = "",
): { readonly value: unknown; readonly altered: readonly string[] } {
  if (typeof value === "string") {
    const text = unknownMarkers.includes(value) ? `(${value})` : value.toWellFormed();
    return { value: text, altered: text === value ? [] : [path] };
  }
  if (Array.isArray(value)) {
    const members = value.map((member, index) => toRecordable(member, `${path}[${index}]`));
    return { value: members.map((member) => member.value), altered: members.flatMap(({ altered }) => altered) };
  }
  if (!isObject(value)) return { value, altered: [] };
  const altered: string[] = [];
  const members = Object.entries(value).map(([key, member]): [string, unknown] => {
    const name = key === signatureKey ? `(${key})` : key.toWellFormed();
    const inside = path === "" ? name : `${path}.${name}`;
    const recordable = toRecordable(member, inside);
    altered.push(...(name === key ? [] : [inside]), ...recordable.altered);
    return [name, recordable.value];
  });
  return { value: objectOf(members), altered };
}
