/** The longest wait in milliseconds: for one window, and in total for refusals without a passage between them. */
export const maxWait = 300_000;

const shortestPause = 1_000;
const longestPause = 60_000;

/** The refusals since the last passage: the last one's time, the total of the waits, and whether one was announced. */
const noRefusals = { count: 0, last: 0, waited: 0, isTold: false };

/**
 * Learns a rate limit that the service does not announce from its refusals. It expects as many passages as last time, and then a pause
 * that may be half as long as the last one. So a limit per minute costs two refused requests per minute, and a longer pause is soon
 * forgotten.
 */
export class LearnedLimit {
  #refusals = noRefusals;
  /** Passages since the last refusal. */
  #passed = 0;
  /** Passages between the last two refusals; 0 if unknown. */
  #passedBefore = 0;
  /** The total waits before the last passage that followed a refusal. */
  #pause = 0;

  /** How many more requests the service probably accepts. */
  get left(): number {
    const isKnown = this.#passedBefore > 0 && this.#passed <= this.#passedBefore;
    return isKnown ? this.#passedBefore - this.#passed : Number.POSITIVE_INFINITY;
  }

  /** @param isEarlier whether the request was sent before the last refusal */
  countPassage(isEarlier = false): void {
    if (isEarlier) {
      this.#passedBefore += 1;
      return;
    }
    const { count, waited, isTold } = this.#refusals;
    // An announced pause says nothing about the pauses that the service does not announce.
    if (count > 0 && !isTold) this.#pause = Math.min(longestPause, waited);
    this.#refusals = noRefusals;
    this.#passed += 1;
  }

  /** Forgets how many requests the service accepts: it announces that now. */
  forgetCount(): void {
    this.#passedBefore = 0;
  }

  /**
   * @param asked the wait that the service asks for, in milliseconds
   * @param longestWait the most milliseconds that refusals without a passage between them may cost
   * @returns the wait to make, in milliseconds, whether that is too long, and whether there was a refusal before
   */
  countRefusal(
    now: number,
    asked?: number,
    longestWait = maxWait,
  ): { wait: number; isTooLong: boolean; isRepeated: boolean } {
    if (now - this.#refusals.last > maxWait) this.#refusals = noRefusals;
    const { count, waited, isTold } = this.#refusals;
    if (this.#passed > 0) this.#passedBefore = this.#passed;
    this.#passed = 0;
    const backoff = Math.min(longestPause, shortestPause * 2 ** count);
    const expected = count < 2 ? this.#pause / 2 : 0;
    const wait = asked === undefined ? Math.max(backoff, expected) : count === 0 ? asked : Math.max(asked, backoff);
    const isTooLong = waited + wait > longestWait;
    const counted = isTooLong ? { count, waited } : { count: count + 1, waited: waited + wait };
    this.#refusals = { ...counted, last: now, isTold: isTold || asked !== undefined };
    return { wait, isTooLong, isRepeated: count > 0 };
  }
}
