/** One thing that is not as it should be, and what mends it. */
export interface Mend {
  readonly found: string;
  /** What to run or to do. */
  readonly remedy: string;
  /** Does it; absent where it could destroy something, or changes what is live. */
  readonly apply?: () => Promise<void>;
}
