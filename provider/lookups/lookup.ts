import type { EventDatasets } from "../../sdk";

/** A data function: its name, as programs and mocks of unit tests know it, and what it asks of the service. */
export interface Lookup<Args, T> {
  readonly name: string;
  /** @param warn tells the user what must be known before relying on the answer */
  readonly query: (client: EventDatasets, args: Args, warn: Warn) => Promise<T>;
}

export type Warn = (message: string) => Promise<void>;
