import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { defined } from "../../values/defined";
import { makePrintable, withPrintableFailures } from "../../values/printable";
import { membersOf, type ResourceDefinition } from "../definition";
import type { Bag } from "../lifecycle";
import { dynamicToken, findUnknownConfig, type ProviderPackage, providerKey, storedProvider } from "../package";
import { findDeleteOptions, findKey, findSecretInputs } from "./hints";
import { followTransforms, ignoreArguments } from "./transforms";

export interface Declaration {
  readonly name: string;
  /** The arguments as the program passes them. From these, the adapter finds out which inputs are secret. */
  readonly args: object;
  /** Arguments that reach the engine in a different form, and inputs that the constructor adds. */
  readonly instead?: object;
  readonly options: pulumi.CustomResourceOptions;
}

/**
 * Prepares the constructor of a resource: `super(...registration.args)`. Dispose of the result after `super` returns, and throw
 * its `complete(failure)` if `super` fails. Not a base class: the SDK counts the classes above a resource to find the line of
 * the program that declares it.
 * @throws Error if the program does not depend on the package directly, or for the option `import`
 */
export const register = withPrintableFailures(
  (own: ProviderPackage, definition: ResourceDefinition, { name, args, instead, options }: Declaration) => {
    warnOfUnknownConfig(own);
    requireDirectDependency(own, definition);
    const { name: type, insteadOfImport } = definition;
    // The engine would fail without a reason: dynamic resources cannot be imported.
    if (options.import !== undefined)
      throw new Error(`${type} "${name}": the option import does not work for this resource: ${insteadOfImport}`);
    // The SDK makes an output only of a property that is present. An output takes 5 kB until it is resolved.
    const absent = Object.fromEntries(membersOf(definition).map((key) => [key, undefined]));
    const secretInputs = findSecretInputs(definition, args as Bag);
    const values = {
      ...args,
      ...instead,
      key: findKey(own, definition, name, options),
      secretInputs: secretInputs && pulumi.output(secretInputs),
      deleteOptions: findDeleteOptions(definition, options),
    };
    const inputs = { ...absent, ...defined(values), [providerKey]: storedProvider(own, definition) };
    const superArgs: ConstructorParameters<typeof pulumi.CustomResource> = [
      dynamicToken(own, type),
      name,
      inputs,
      followTransforms(own, definition, { ...options, ...ignoreArguments(definition, options) }),
    ];
    const restore = dropPromiseStacks();
    // A failure of the SDK's constructor has no stack.
    const complete = (failure: unknown) => {
      restore();
      if (failure instanceof Error) Error.captureStackTrace(failure, complete);
      return makePrintable(failure);
    };
    return { args: superArgs, complete, [Symbol.dispose]: restore };
  },
);

/** The arguments of `get` after the name. */
export type Lookup = [id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions];

/**
 * The options of a lookup.
 * @throws Error for a fourth argument: `get` of a generated class takes a state before the options, which would be lost here
 */
export function optionsOfLookup(...[id, options, ...more]: Lookup): pulumi.CustomResourceOptions {
  if (more.length === 0) return { ...options, id };
  throw new Error("get takes a name, an id and options, but no state");
}

/** The runs of programs that were warned: the Automation API runs many in one process. */
const warnedRuns = new WeakSet<object>();

/** Warns, once in a run, about stack config that nothing reads: a misspelled setting would be ignored. */
export function warnOfUnknownConfig(own: ProviderPackage): void {
  const run = pulumi.runtime.getMonitor();
  // A project with the same name as the namespace has its own config there.
  const { namespace } = own;
  if (!run || warnedRuns.has(run) || pulumi.getProject() === namespace) return;
  warnedRuns.add(run);
  const keys = Object.keys(pulumi.runtime.allConfig()).filter((key) => key.startsWith(`${namespace}:`));
  const names = keys.map((key) => key.slice(namespace.length + 1));
  for (const problem of findUnknownConfig(own, names)) void pulumi.log.warn(problem);
}

/**
 * The SDK records a stack for each of the four promises that it makes for every property, to find promises that never resolve.
 * With source maps that is half of the time a program takes for a resource. The SDK lifts the limit itself to find the line that
 * declares a resource.
 * @returns a function that restores the limit
 */
function dropPromiseStacks(): () => void {
  const { stackTraceLimit } = Error;
  if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
  return () => {
    Error.stackTraceLimit = stackTraceLimit;
  };
}

/**
 * The engine loads the stored provider from the program's folder, where a dependency of a dependency may not be found. Then
 * it fails with "Cannot find module" in the middle of an update.
 */
function requireDirectDependency({ npm }: ProviderPackage, { name, module }: ResourceDefinition): void {
  try {
    createRequire(join(process.cwd(), "program")).resolve(`${npm}/${module}`);
  } catch (cause) {
    const where = `the package ${npm} cannot be loaded from ${process.cwd()}, where the Pulumi engine will look for it`;
    throw new Error(`${name}: ${where}. Make it a direct dependency of the program: npm install ${npm}`, { cause });
  }
}
