import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { decode as decodeBag, encode as encodeBag, holdsSecret } from "../engineValues";
import type { Bag } from "../lifecycle";
import { withoutProvider } from "../package";

/** Values as the lifecycles know them, without the stored provider, and which of them are secret, in whole or in part. */
export interface Decoded {
  readonly values: Bag;
  /** As on the wire, with the marks of secrets. */
  readonly marked: Bag;
  readonly secrets: readonly string[];
}

export function decode(message: Struct | undefined): Decoded {
  const marked = (message?.toJavaScript() ?? {}) as Bag;
  const secrets = Object.keys(marked).filter((key) => holdsSecret(marked[key]));
  return { values: withoutProvider(decodeBag(marked)), marked, secrets: secrets.sort() };
}

/** A message of these values. Those of the given names are marked as secrets; undefined ones are left out. */
export const encode = (values: object, secrets: readonly string[] = []): Struct =>
  Struct.fromJavaScript(encodeBag(values, secrets) as Record<string, JavaScriptValue>);
