import * as pulumi from "@pulumi/pulumi";
import { unknownSettings } from "../../sdk/settings";
import { configNamespace } from "../strings";

const warned = new Set<string>();

/** Warns, once for each, of stack config that nobody reads: a misspelled setting would be ignored. */
export function warnOfUnknownConfig(): void {
  // A project of that name has its own config there.
  if (pulumi.getProject() === configNamespace) return;
  const prefix = `${configNamespace}:`;
  const keys = Object.keys(pulumi.runtime.allConfig()).filter((key) => key.startsWith(prefix) && !warned.has(key));
  for (const key of keys) warned.add(key);
  const names = keys.map((key) => key.slice(prefix.length));
  for (const problem of unknownSettings(names, (name) => `stack config ${prefix}${name}`))
    void pulumi.log.warn(problem);
}
