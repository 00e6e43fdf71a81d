import type { Line } from "../text";

/** One thing that is not as it should be, and how to fix it. */
export interface Problem {
  readonly found: Line;
  /** Something that a person has to know or to make sure of first. */
  readonly note?: Line;
  /** A line for a shell; absent where only a person can tell what to do. */
  readonly remedy?: Line;
  /** Runs the remedy; absent where it could destroy something, or changes what is live. */
  readonly apply?: () => Promise<void>;
}
