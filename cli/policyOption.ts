import path from "node:path";
import { type Policy, readPolicy } from "../audit";
import { readJsonFile } from "../audit/jsonFile";
import { locatePolicy } from "../audit/pack/file";
import type { Io } from "./command";

/** Finds the policy file: the one that the option names, or else the one that the policy pack would use. */
export async function policyFileOf(option: string | undefined, env: Io["env"]): Promise<string | undefined> {
  if (option !== undefined) return option;
  const found = locatePolicy(process.cwd(), env);
  if (found === undefined) return undefined;
  const inside = path.relative(process.cwd(), found);
  return inside.startsWith("..") ? found : inside;
}

/**
 * Reads the policy of a file, or the built-in one.
 * @throws Error for an unusable one
 */
export const policyIn = (file: string | undefined): Policy =>
  file === undefined ? { version: 1 } : readPolicy(readJsonFile(file), file);
