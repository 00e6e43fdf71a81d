import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { type ResourceType, typeToken } from "../dynamic/strings";

/**
 * Tells a resource from every other of its stack: hooks are not told their resource's URN. The first 12 hexadecimal digits
 * of its SHA-256. Undefined: the resource lies in no other, so its name does; the state has it as it is.
 */
export function makeResourceKey(
  type: ResourceType,
  name: string,
  { parent }: pulumi.CustomResourceOptions,
): pulumi.Output<string> | undefined {
  if (parent === undefined) return undefined;
  // By a promise: an output of the parent's would make the resource depend on its component, and with that on itself.
  return pulumi.output(
    new Promise<string>((resolve) => void pulumi.createUrn(name, typeToken(type), parent).apply(resolve)).then((urn) =>
      createHash("sha256").update(urn).digest("hex").slice(0, 12),
    ),
  );
}

/** The arguments that are secrets, in whole or in part: hooks are given plain values. Undefined: none is. */
export function findSecretInputs(args: object): pulumi.Output<string[] | undefined> | undefined {
  const open = Object.entries(args).filter(([, value]) => !isPlain(value));
  if (open.length === 0) return undefined;
  return pulumi.output(
    Promise.all(open.map(async ([key, value]) => ((await isSecret(value)) ? [key] : []))).then((keys) =>
      keys.flat().length > 0 ? keys.flat().sort() : undefined,
    ),
  );
}

/** A member of an argument; all of the argument where its members cannot be told apart. */
export function memberOf<Members extends object>(
  argument: pulumi.Input<Members | undefined>,
  key: keyof Members & string,
): unknown {
  if (pulumi.Output.isInstance(argument) || argument instanceof Promise) return argument;
  return (argument as Members | undefined)?.[key];
}

/** Whether a value holds no output and no promise, which is all that can be a secret. Without recursion. */
function isPlain(root: unknown): boolean {
  const parts = [root];
  for (const part of parts) {
    if (typeof part !== "object" || part === null) continue;
    const prototype: unknown = Object.getPrototypeOf(part);
    if (!Array.isArray(part) && prototype !== Object.prototype && prototype !== null) return false;
    // What refers to itself is for the SDK to refuse.
    if (parts.length > 10_000) return false;
    parts.push(...Object.values(part));
  }
  return true;
}

/** A value that fails shows where it is used. */
const isSecret = (value: unknown): Promise<boolean> => pulumi.isSecret(pulumi.output(value)).catch(() => false);
