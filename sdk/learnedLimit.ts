/** Refusals after which nothing got through yet. */
export interface Refusals {
  readonly count: number;
  /** How long was waited for them, in milliseconds. */
  readonly waited: number;
  /** Whether the service said how long, of any of them. */
  readonly isTold: boolean;
}

const baseDelay = 1_000;
const maxDelay = 60_000;
/** After so many pauses that were long enough a shorter one is tried. */
const trusted = 4;

/**
 * What the refusals of a service teach that tells neither how many requests get through nor when: as many as before, and after
 * as long a pause, once two came to that. So a limit by the minute costs one refused request a minute, and an hour's outage
 * nothing once it is over.
 */
export class LearnedLimit {
  /** How many got through since the last refusal, and how many had by the one before. */
  #passed = 0;
  #passedBefore = 0;
  /** How long the last two pauses were in all until something got through, and how often that was right at once. */
  #pauses: readonly [number, number] = [0, 0];
  #right = 0;

  /** How many more may get through. */
  get left(): number {
    const isKnown = this.#passedBefore > 0 && this.#passed <= this.#passedBefore;
    return isKnown ? this.#passedBefore - this.#passed : Number.POSITIVE_INFINITY;
  }

  /** @param ended the refusals that this passage ends; undefined: it was let in before the last of them */
  countPassage(ended: Refusals | undefined): void {
    if (!ended) {
      this.#passedBefore += 1;
      return;
    }
    this.#passed += 1;
    if (ended.count === 0 || ended.isTold) return;
    const isShorter = ended.waited < this.#known;
    this.#right = ended.count > 1 ? 0 : isShorter ? trusted : this.#right + 1;
    this.#pauses = [this.#pauses[1], ended.waited];
  }

  /** The pause that is enough as far as is known: one that was long need not be so again. */
  get #known(): number {
    return Math.min(maxDelay, ...this.#pauses);
  }

  /** The service tells by itself how many get through. */
  forgetCount(): void {
    this.#passedBefore = 0;
  }

  /**
   * @param asked how long the service says to wait, in milliseconds
   * @returns how long to wait, in milliseconds
   */
  countRefusal({ count, waited }: Refusals, asked?: number): number {
    // Fewer than before are another thing than the same limit: it may be over at once.
    const isSame = count > 0 || 2 * this.#passed >= this.#passedBefore;
    if (this.#passed > 0) this.#passedBefore = this.#passed;
    this.#passed = 0;
    const backoff = Math.min(maxDelay, baseDelay * 2 ** count);
    if (asked !== undefined) return count === 0 ? asked : Math.max(asked, backoff);
    const known = isSame ? this.#known - waited : 0;
    const tried = count === 0 && this.#right >= trusted ? known / 2 : known;
    return Math.min(maxDelay, Math.max(tried, backoff));
  }
}
