import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { type ResourceType, typeToken } from "../dynamic/strings";

/**
 * Tells a resource from every other of its stack: hooks are not told their resource's URN. The first 12 hexadecimal digits
 * of its SHA-256.
 */
export const makeResourceKey = (
  type: ResourceType,
  name: string,
  { parent }: pulumi.CustomResourceOptions,
): pulumi.Output<string> =>
  // By a promise: an output of the parent's would make the resource depend on its component, and with that on itself.
  pulumi.output(
    new Promise<string>((resolve) => void pulumi.createUrn(name, typeToken(type), parent).apply(resolve)).then((urn) =>
      createHash("sha256").update(urn).digest("hex").slice(0, 12),
    ),
  );

/** The arguments that are secrets, in whole or in part: hooks are given plain values. Undefined: none is. */
export const findSecretInputs = (args: object): pulumi.Output<string[] | undefined> =>
  pulumi.output(
    Promise.all(Object.entries(args).map(async ([key, value]) => ((await isSecret(value)) ? [key] : []))).then(
      (keys) => (keys.flat().length > 0 ? keys.flat().sort() : undefined),
    ),
  );

/** A value that fails shows where it is used. */
const isSecret = (value: unknown): Promise<boolean> =>
  value === undefined || value === null
    ? Promise.resolve(false)
    : pulumi.isSecret(pulumi.output(value)).catch(() => false);
