import type { Line } from "../text";

/** A problem with its fix. */
export interface Problem {
  readonly found: Line;
  /** Something that a person must know or check first. */
  readonly note?: Line;
  /** A command; absent if only a person can decide what to do. */
  readonly remedy?: Line;
  /** Runs the fix; absent if it could destroy something, or changes live resources. */
  readonly apply?: () => Promise<void>;
}
