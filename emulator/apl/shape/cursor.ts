import { QueryError } from "../errors";

/** Where an event stands: its time, and its place among those of one dataset. */
export interface Position {
  readonly micros: bigint;
  readonly sequence: bigint;
}

/** Keeps the ids of events before 1970 positive, so that ids sort as times do. */
const yearOne = 62_135_596_800_000_000n;

export const rowId = ({ micros, sequence }: Position): string =>
  `${(micros + yearOne).toString(36).padStart(12, "0")}-${sequence.toString(36).padStart(8, "0")}`;

export function parseCursor(text: string): Position {
  const match = /^([0-9a-z]{12})-([0-9a-z]{8,13})$/.exec(text);
  if (!match) throw new QueryError("semantic", `${JSON.stringify(text)} is not a cursor of this service`);
  const [, micros = "", sequence = ""] = match;
  return { micros: number36(micros) - yearOne, sequence: number36(sequence) };
}

const number36 = (text: string): bigint =>
  [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
