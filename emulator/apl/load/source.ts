import type { ScalarType } from "../ast";

/** A field of incoming rows, and the SQL that reads it. */
export interface IncomingField {
  readonly name: string;
  readonly type: ScalarType;
  readonly sql: string;
}

/** Incoming rows. */
export interface Incoming {
  /** The text after FROM. Its rows keep the order of the input. */
  readonly from: string;
  readonly fields: readonly IncomingField[];
  /**
   * `instant` is SQL of the event's time, null if it is missing or invalid. `raw` is SQL of its text; absent if
   * every time is known to be valid.
   */
  readonly time?: { readonly instant: string; readonly raw?: string };
}

export const maxFields = 2000;
