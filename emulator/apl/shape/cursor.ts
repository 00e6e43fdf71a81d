import { QueryError } from "../errors";
import type { Position } from "../plan/context";

/** Keeps the ids of events before 1970 positive, so that ids sort like times. */
const yearOne = 62_135_596_800_000_000n;

export const rowId = ({ micros, sequence, source }: Position): string =>
  [text36(micros + yearOne, 12), text36(sequence, 8), text36(source, 1)].join("-");

export function parseCursor(text: string): Position {
  if (!/^[0-9a-z]{12}-[0-9a-z]{8,13}-[0-9a-z]{1,13}$/.test(text))
    throw new QueryError("semantic", `${JSON.stringify(text)} is not a cursor of this service`);
  const [micros = 0n, sequence = 0n, source = 0n] = text.split("-").map(number36);
  return { micros: micros - yearOne, sequence, source };
}

const text36 = (value: bigint, digits: number): string => value.toString(36).padStart(digits, "0");

const number36 = (text: string): bigint =>
  [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
