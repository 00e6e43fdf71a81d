import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { asJson, isSame } from "../compare";
import { argumentsOf, derive, namesOf, type ResourceDefinition } from "../definition";
import { decode as decodeBag, encode as encodeBag, holdsSecret } from "../engineValues";
import type { Asked } from "../host";
import { readUrn } from "../identity";
import type { Bag } from "../lifecycle";
import { withoutProvider } from "../package";
import { isAlwaysSecret } from "../record";
import { notKnown } from "../unknown";

/** Values as lifecycles use them, without the stored provider, and the names of those that are secret, at least in part. */
export interface Decoded {
  readonly values: Bag;
  /** The values as on the wire, with the marks of secrets. */
  readonly marked: Bag;
  readonly secrets: readonly string[];
}

export function decode(message: Struct | undefined): Decoded {
  const marked = (message?.toJavaScript() ?? {}) as Bag;
  const secrets = Object.keys(marked).filter((key) => holdsSecret(marked[key]));
  return { values: withoutProvider(decodeBag(marked)), marked, secrets: secrets.sort() };
}

/** A protocol message with these values. Those with the given names are marked as secrets; undefined values are left out. */
export const encode = (values: object, secrets: readonly string[] = []): Struct =>
  Struct.fromJavaScript(encodeBag(values, secrets) as Record<string, JavaScriptValue>);

export const unknowns = (keys: readonly string[]): Bag => Object.fromEntries(keys.map((key) => [key, notKnown]));

export function readAsked(request: messages.CheckRequest): Asked {
  const seed = request.getRandomseed_asU8();
  const { project, stack } = readUrn(request.getUrn());
  const asked = { seed, stack: { project, stack } };
  const { Mode } = messages.CheckRequest.AutonamingOptions;
  const options = request.getAutonaming();
  // The engine sends no options unless somebody configured autonaming, so even a proposal comes from a configured pattern
  // (pkg/v3/resource/autonaming, 3.276). This provider's own form of names proves whose object it is.
  if (!options) return asked;
  const autonaming = options.getMode() === Mode.DISABLE ? "disabled" : { proposedName: options.getProposedName() };
  return { ...asked, autonaming };
}

/**
 * Reports inputs that no program may declare, one sentence each, because an adapter or `check` adds them. With `ignoreChanges:
 * ["*"]`, the engine passes the recorded ones as if the program declared them, which is not a mistake.
 */
export function findDeclaredHints(definition: ResourceDefinition, values: Bag, olds: Bag) {
  const known = argumentsOf(definition);
  const isCopied = (key: string) => values[key] !== undefined && isSame(asJson, values[key], olds[key]);
  return namesOf(definition, "hint")
    .filter((key) => key in values && !isCopied(key))
    .map((key) => `${key} is not known; the inputs are ${known.join(", ")}`);
}

/** The names of the inputs that were given in plain text. They are not secret, even if other inputs are, and are not changed. */
export const plainNames = (definition: ResourceDefinition, { values, marked }: Decoded): string[] =>
  Object.keys(values).filter(
    (name) => !holdsSecret(marked[name]) && !isAlwaysSecret(definition.properties[name], values[name]),
  );

/** The names of the values that differ. */
export const findEdited = (olds: Bag, news: Bag): string[] =>
  Object.keys({ ...olds, ...news }).filter((key) => !isSame(asJson, olds[key], news[key]));

/** Whether some of the outputs that this form records are missing. */
export const isOutdated = (definition: ResourceDefinition, recorded: Bag, state: Bag): boolean =>
  Object.keys(derive(definition, state)).some((name) => recorded[name] === undefined);

/** An import takes over an object as it is. If the declaration differed, the engine would replace the object at once. */
export const describeImport = (id: string, keys: readonly string[]): string =>
  `${id} is not imported: it differs from its declaration in ${keys.join(", ")}. Declare it as it is, import it, and change it afterwards.`;

/** The failure of an import or a lookup that finds no object. The engine's own message would not mention another account. */
export const describeMissing = (id: string, name: string): string =>
  `${id}: there is no ${name} with this id. It was deleted, or it belongs to an account other than that of the provider's settings. If it was imported and has been replaced since, remove the option import.`;

/** The failure names no property, because the engine would print its value, even if it is secret. */
export const answerCheck = (inputs: ReturnType<messages.CheckResponse["getInputs"]>, reasons: readonly string[]) =>
  new messages.CheckResponse()
    .setInputs(inputs)
    .setFailuresList(reasons.map((reason) => new messages.CheckFailure().setReason(reason)));

/** The last part of a type, such as `Counter`. */
export const nameOfType = (token: string): string => token.slice(token.lastIndexOf(":") + 1);
