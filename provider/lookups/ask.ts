import type { EventDatasets } from "../../sdk";
import type { Lookup, Warn } from "./lookup";

/** Whether any argument is secret, also where it is one deep within, and how the user is told of an answer. */
export interface Asking {
  readonly isSecret: boolean;
  readonly warn: Warn;
}

/**
 * Runs a data function; every adapter does it here. Of secret arguments nothing is repeated, neither by us nor in the words of
 * the service, which quotes what it was asked.
 */
export async function ask<Args, T>(
  { name, query }: Lookup<Args, T>,
  client: EventDatasets,
  args: Args,
  { isSecret, warn }: Asking,
): Promise<T> {
  if (!isSecret) return await query(client, args, warn);
  try {
    return await query(client, args, () =>
      warn(`${name}: the answer comes with a warning; it is left out, as arguments are secret`),
    );
  } catch (failure) {
    const { status } = failure as { readonly status?: number };
    const answered = status === undefined ? "" : ` (status ${status})`;
    throw new Error(`${name} failed${answered}; the reason is left out, as arguments are secret`);
  }
}
