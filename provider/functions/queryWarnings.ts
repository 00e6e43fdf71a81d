import { log } from "@pulumi/pulumi";
import type { QueryStatus } from "../../sdk";
import { warningsOf } from "../../sdk/queries/warnings";

/** Shows as warnings of the program what must be known before relying on an answer. */
export async function warnOf(name: string, result: { readonly status: QueryStatus }): Promise<void> {
  for (const warning of warningsOf(result)) await log.warn(`${name}: ${warning}`);
}
