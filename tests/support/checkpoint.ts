import { readFile } from "node:fs/promises";
import type { Workspace } from "./engine";
import { stateFile } from "./stackFiles";

/** One resource as `pulumi stack export` shows it. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly custom: boolean;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  readonly parent?: string;
  readonly provider?: string;
  readonly initErrors?: string[];
  readonly [field: string]: unknown;
}

export interface StackExport {
  readonly version: number;
  readonly deployment: {
    readonly resources?: StateResource[];
    readonly pending_operations?: { readonly resource: StateResource; readonly type: string }[];
    readonly [field: string]: unknown;
  };
}

/** Reads the state from the file that the engine wrote: `pulumi stack export` gives out the same. */
export async function readCheckpoint(workspace: Workspace): Promise<StackExport> {
  const { version, checkpoint } = JSON.parse(await readFile(await stateFile(workspace), "utf8"));
  return { version, deployment: checkpoint.latest ?? {} };
}

/**
 * The outputs as `pulumi stack output --json` prints them.
 * @param decrypt by which secrets are shown, as with `--show-secrets`
 */
export function outputsIn(
  { deployment }: StackExport,
  decrypt?: (ciphertext: string) => string,
): Record<string, unknown> {
  const stack = deployment.resources?.find(({ type }) => type === "pulumi:pulumi:Stack");
  return JSON.parse(JSON.stringify(stack?.outputs ?? {}), (_, value) => {
    if (!isEncrypted(value)) return value;
    return decrypt ? JSON.parse(decrypt(value.ciphertext)) : "[secret]";
  });
}

const isEncrypted = (value: unknown): value is { readonly ciphertext: string } =>
  typeof value === "object" && value !== null && "4dabf18193072939515e22adb298388d" in value;
