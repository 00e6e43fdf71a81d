/** The refusals since the last passage. */
export interface Refusals {
  readonly count: number;
  /** The total of their waits, in milliseconds. */
  readonly waited: number;
  /** Whether the service announced the wait of any of them. */
  readonly isTold: boolean;
}

const shortestPause = 1_000;
const longestPause = 60_000;
/** After so many pauses in a row that were long enough, the next one is shorter. */
const pausesBeforeShorter = 4;

/**
 * Learns a rate limit that the service does not announce from its refusals. It expects as many passages as last time,
 * and then a pause as long as the shorter of the last two. So a limit per minute costs one refused request per
 * minute, and an outage of an hour delays nothing once it is over.
 */
export class LearnedLimit {
  /** Passages since the last refusal. */
  #passed = 0;
  /** Passages between the last two refusals; 0 if unknown. */
  #passedBefore = 0;
  /** The total waits before the last two passages that followed a refusal. */
  #pauses: readonly [number, number] = [0, 0];
  /** How many pauses in a row were long enough without an extension. */
  #enoughAtOnce = 0;

  /** How many more requests the service probably accepts. */
  get left(): number {
    const isKnown = this.#passedBefore > 0 && this.#passed <= this.#passedBefore;
    return isKnown ? this.#passedBefore - this.#passed : Number.POSITIVE_INFINITY;
  }

  /** @param ended the refusals before this passage; undefined: the request was sent before the last refusal */
  countPassage(ended: Refusals | undefined): void {
    if (!ended) {
      this.#passedBefore += 1;
      return;
    }
    this.#passed += 1;
    // An announced pause says nothing about the pauses that the service does not announce.
    if (ended.count > 0 && !ended.isTold) this.#learnPause(ended);
  }

  #learnPause({ count, waited }: Refusals): void {
    if (count > 1) this.#enoughAtOnce = 0;
    // A shortened pause was enough, so the next one may be shorter still.
    else if (waited < this.#enoughPause) this.#enoughAtOnce = pausesBeforeShorter;
    else this.#enoughAtOnce += 1;
    this.#pauses = [this.#pauses[1], waited];
  }

  /** The pause that is probably long enough. A single long one does not make the next one long. */
  get #enoughPause(): number {
    return Math.min(longestPause, ...this.#pauses);
  }

  /** Forgets how many requests the service accepts: it announces that now. */
  forgetCount(): void {
    this.#passedBefore = 0;
  }

  /**
   * @param asked the wait that the service asks for, in milliseconds
   * @returns the wait to make, in milliseconds
   */
  countRefusal({ count, waited }: Refusals, asked?: number): number {
    const isFirst = count === 0;
    // After far fewer passages than last time, it is another limit, which may be over at once.
    const isSameLimit = !isFirst || 2 * this.#passed >= this.#passedBefore;
    if (this.#passed > 0) this.#passedBefore = this.#passed;
    this.#passed = 0;
    const backoff = Math.min(longestPause, shortestPause * 2 ** count);
    if (asked !== undefined) return isFirst ? asked : Math.max(asked, backoff);
    const rest = isSameLimit ? this.#enoughPause - waited : 0;
    const isShortened = isFirst && this.#enoughAtOnce >= pausesBeforeShorter;
    return Math.min(longestPause, Math.max(isShortened ? rest / 2 : rest, backoff));
  }
}
