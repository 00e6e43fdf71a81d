import { parseSpan } from "../time";
import type { Window } from "./context";

/** Bin sizes that are readable on an axis, in microseconds. */
const binSizes = "1s 2s 5s 10s 15s 30s 1m 2m 5m 10m 15m 30m 1h 2h 3h 6h 12h 1d 2d 7d 30d"
  .split(" ")
  .map((span) => (parseSpan(span) ?? 0n) / 1000n);

const second = 1_000_000n;
const wantedBins = 60n;

/** The bin size for `auto`: the smallest readable one that gives about 60 bins at most. */
export function autoBin(window: Window): bigint {
  const span = windowMicros(window) ?? 0n;
  return binSizes.find((step) => step * wantedBins >= span) ?? (span / wantedBins / second) * second;
}

/** The length of a window, if it has a start and an end. */
export const windowMicros = ({ start, end }: Window): bigint | undefined =>
  start === undefined || end === undefined || end <= start ? undefined : end - start;

/** The window for `bin_auto` and `rate`: the request's, or else the data's. */
export const effectiveWindow = (environment: { window: Window; extent: Window }): Window => ({
  start: environment.window.start ?? environment.extent.start,
  end: environment.window.end ?? environment.extent.end,
});
