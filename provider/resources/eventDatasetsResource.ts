import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../../sdk/values/defined";
import { withPrintableFailures } from "../../sdk/values/printable";
import { providerKey, type ResourceType, storedProvider, typeToken } from "../dynamic/strings";
import { requireDirectDependency } from "./directDependency";
import { warnOfUnknownConfig } from "./unknownConfig";

/**
 * What each property of a resource is to a program. The compiler holds the table against the arguments, the lifecycle's
 * inputs and its state: one that a field is missing from does not compile.
 * - `argument`: declared by the program; an output too.
 * - `made`: an input that the constructor adds.
 * - `output`: what the lifecycle adds.
 * - `internal`: recorded, but no member of the class.
 */
export type PropertyTable<Args, Inputs, State> = {
  readonly [Key in keyof Args | keyof State]-?: Key extends keyof Inputs
    ? Key extends keyof Args
      ? "argument"
      : "made"
    : Key extends keyof Args
      ? never
      : "output" | "internal";
};

type Table = Readonly<Record<string, "argument" | "made" | "output" | "internal">>;

type KeysOf<Properties extends Table, Kind> = {
  [Key in keyof Properties]: Properties[Key] extends Kind ? Key : never;
}[keyof Properties];

/** The members that a resource's class has to declare. */
export type OutputsOf<Properties extends Table> = Readonly<
  Record<KeysOf<Properties, "argument" | "output">, pulumi.Output<unknown>>
>;

/** What the constructor of a resource gives: the arguments, known or not, and what it adds to them. */
type Values<Properties extends Table> = Readonly<
  Partial<Record<KeysOf<Properties, "argument">, unknown>> & Record<KeysOf<Properties, "made">, unknown>
>;

/**
 * What all resources hand to the SDK's constructor: the stored provider, the type token, and how their properties reach the
 * engine. Not a class between theirs and the SDK's: the engine records where a resource was declared, and counts classes to
 * find the program's line.
 * @param values passed on whole: the provider names an argument that it does not know
 * @throws Error if the program does not depend on this package directly, or for the option `import`
 */
export function registrationOf<Properties extends Table>(
  type: ResourceType,
  name: string,
  properties: Properties,
  values: Values<Properties>,
  options: pulumi.CustomResourceOptions,
): ConstructorParameters<typeof pulumi.CustomResource> {
  requireDirectDependency(type);
  refuseImport(type, name, options);
  warnOfUnknownConfig();
  // A property makes an output only if it is there, if without a value. What is no member of the class needs none: an output
  // takes 5 kB until it is resolved.
  const members = Object.keys(properties).filter((key) => ["argument", "output"].includes(properties[key] ?? ""));
  const absent = Object.fromEntries(members.map((key) => [key, undefined]));
  return [typeToken(type), name, { ...absent, ...defined(values), [providerKey]: storedProvider(type) }, options];
}

/** What to write in place of the option `import`. */
const insteadOfImport: Readonly<Record<ResourceType, string>> = {
  ApiToken: "take the token over with the argument adopt: { id }, or look it up with ApiToken.get",
  Annotation: "look the annotation up with Annotation.get",
  DeploymentMarker: "there is nothing to import",
  QueryGate: "there is nothing to import",
};

/** The engine would fail without saying why: dynamic resources cannot be imported. */
const refuseImport = withPrintableFailures(
  (type: ResourceType, name: string, options: pulumi.CustomResourceOptions): void => {
    if (options.import === undefined) return;
    throw new Error(`${type} "${name}": the option import does not work for this resource: ${insteadOfImport[type]}`);
  },
);
