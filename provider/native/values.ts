import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isObject } from "../../sdk/values/json";
import { unknown } from "../lifecycle/contract";

export type Bag = Readonly<Record<string, unknown>>;

/** How the engine marks values on the wire: fixed by its protocol. */
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** A text, number, boolean, list, object, asset or archive that is not known yet. */
const unknowns: readonly unknown[] = [
  unknownText,
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
];

/** Values as the lifecycles know them, and which of them are secret, in whole or in part. */
export interface Decoded {
  readonly values: Bag;
  readonly secrets: readonly string[];
  /** Whether a value is, or holds, a secret: for what is looked at deeper than by its name. */
  readonly isSecret: (...path: readonly string[]) => boolean;
}

/** The values of a message. */
export function decode(message: Struct | undefined): Decoded {
  const raw = (message?.toJavaScript() ?? {}) as Bag;
  return {
    values: plain(raw) as Bag,
    secrets: Object.keys(raw)
      .filter((key) => holdsSecret(raw[key]))
      .sort(),
    isSecret: (...path) => holdsSecret(valueAt(raw, path)),
  };
}

const isMarked = (value: unknown): value is Bag => isObject(value) && value[signatureKey] === secretSignature;

const holdsSecret = (value: unknown): boolean =>
  isMarked(value) || (typeof value === "object" && value !== null && Object.values(value).some(holdsSecret));

/** The value at a path, or the secret that it is a part of. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || isMarked(value) || !isObject(value))
    return isMarked(value) || key === undefined ? value : undefined;
  return valueAt(value[key], rest);
}

function plain(value: unknown): unknown {
  if (isMarked(value)) return plain(value.value);
  if (unknowns.includes(value)) return unknown;
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

/** A message of these values. Those of the given names are marked as secret; undefined ones are left out. */
export function encode(values: object, secrets: readonly string[] = []): Struct {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  const members = entries.map(([key, value]) => {
    const coded = wire(value);
    return [key, secrets.includes(key) ? { [signatureKey]: secretSignature, value: coded } : coded];
  });
  return Struct.fromJavaScript(Object.fromEntries(members));
}

function wire(value: unknown): JavaScriptValue {
  if (value === unknown) return unknownText;
  if (Array.isArray(value)) return value.map((member) => (member === undefined ? null : wire(member)));
  if (!isObject(value)) return value as JavaScriptValue;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, wire(member)]));
}
