import type { Ways } from "./model";
import type { Fault } from "./world";

/** The faults that a request can meet. */
export const faults: readonly Fault[] = [
  "reset before",
  "reset after",
  "error before",
  "error after",
  "too many",
  "page before",
  "page after",
  "cut after",
  "hidden",
];

/** The resources of a program. */
export const names = ["a", "b", "c", "d"] as const;

/** The overlaps of a program, in milliseconds. */
export const overlaps = { "2d": 2 * 86_400_000, "45d": 45 * 86_400_000 } as const;

/** For the steps of a history. */
export const describeWays = (ways: Ways): string =>
  Object.entries(ways)
    .flatMap(([way, some]) => (some.size > 0 ? [`, ${way} ${[...some].join("+")}`] : []))
    .join("");

/** The ways in which a program, or the service, changes between two commands. */
export const changes = [
  "declare",
  "declare",
  "change",
  "drop",
  "rotate",
  "release",
  "supersede",
  "supersede",
  "retire",
  "overlap",
  "overlap",
  "overlap",
  "foreign",
  "adopt",
  "adopt",
  "vanish",
  "none",
] as const;

export type Change = (typeof changes)[number];
