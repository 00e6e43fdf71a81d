import type { Window } from "./context";

const second = 1_000_000n;

/** Bin sizes that are readable on an axis, in microseconds. */
const binSizes: readonly bigint[] = [
  1n,
  2n,
  5n,
  10n,
  15n,
  30n,
  60n,
  120n,
  300n,
  600n,
  900n,
  1800n,
  3600n,
  7200n,
  10_800n,
  21_600n,
  43_200n,
  86_400n,
  172_800n,
  604_800n,
  2_592_000n,
].map((seconds) => seconds * second);

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
