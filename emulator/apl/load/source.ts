import type { ScalarType } from "../ast";

/** A field that rows on their way in have, and the SQL that reads it from one of them. */
export interface IncomingField {
  readonly name: string;
  readonly type: ScalarType;
  readonly sql: string;
}

/** Rows on their way into a dataset. */
export interface Incoming {
  /** The text after FROM. Its rows keep the order of the input. */
  readonly from: string;
  readonly fields: readonly IncomingField[];
  /**
   * SQL of the event's time, null where the row has none that can be read; and of what the row has there, as text, unless
   * it is known that each of them can be read.
   */
  readonly time?: { readonly instant: string; readonly raw?: string };
}

export const maxFields = 2000;
