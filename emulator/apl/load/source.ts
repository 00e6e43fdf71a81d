import type { ScalarType } from "../ast";

/** A field of incoming rows, and the SQL that reads it. */
export interface IncomingField {
  readonly name: string;
  readonly type: ScalarType;
  readonly sql: string;
}

/** Incoming rows. */
export interface Incoming {
  /** The SQL after FROM. Its rows keep the order of the input. */
  readonly from: string;
  readonly fields: readonly IncomingField[];
  /** SQL of the event's time; absent if there are no rows. */
  readonly instant?: string;
}

/** An event of a file, and the line where it starts; lines count from 1. */
export interface FileEvent {
  readonly line: number;
  readonly value: unknown;
}

export const maxFields = 2000;
