/** One thing that is not as it should be, and what mends it. */
export interface Mend {
  readonly found: string;
  /** What a person has to know or to make sure of first. */
  readonly note?: string;
  /** A line for a shell; absent where only a person can tell what to do. */
  readonly remedy?: string;
  /** Does it; absent where it could destroy something, or changes what is live. */
  readonly apply?: () => Promise<void>;
}
