/** The longest wait in milliseconds: for one window, and in total for refusals without a passage between them. */
export const maxWait = 300_000;

const shortestPause = 1_000;
const longestPause = 60_000;
/** After so many pauses in a row that were long enough, the next one is shorter. */
const pausesBeforeShorter = 4;

/** The refusals since the last passage: the last one's time, the total of the waits, and whether one was announced. */
const noRefusals = { count: 0, last: 0, waited: 0, isTold: false };

/**
 * Learns a rate limit that the service does not announce from its refusals. It expects as many passages as last time,
 * and then a pause as long as the shorter of the last two. So a limit per minute costs one refused request per
 * minute, and an outage of an hour delays nothing once it is over.
 */
export class LearnedLimit {
  #refusals = noRefusals;
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

  /** @param isEarlier whether the request was sent before the last refusal */
  countPassage(isEarlier = false): void {
    if (isEarlier) {
      this.#passedBefore += 1;
      return;
    }
    const { count, waited, isTold } = this.#refusals;
    this.#refusals = noRefusals;
    this.#passed += 1;
    // An announced pause says nothing about the pauses that the service does not announce.
    if (count === 0 || isTold) return;
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
   * @returns the wait to make, in milliseconds, whether that is too long, and whether there was a refusal before
   */
  countRefusal(now: number, asked?: number): { wait: number; isTooLong: boolean; isRepeated: boolean } {
    if (now - this.#refusals.last > maxWait) this.#refusals = noRefusals;
    const { count, waited, isTold } = this.#refusals;
    const wait = this.#choosePause(count, waited, asked);
    const isTooLong = waited + wait > maxWait;
    const counted = isTooLong ? { count, waited } : { count: count + 1, waited: waited + wait };
    this.#refusals = { ...counted, last: now, isTold: isTold || asked !== undefined };
    return { wait, isTooLong, isRepeated: count > 0 };
  }

  #choosePause(count: number, waited: number, asked: number | undefined): number {
    // After far fewer passages than last time, it is another limit, which may be over at once.
    const isSameLimit = count > 0 || 2 * this.#passed >= this.#passedBefore;
    if (this.#passed > 0) this.#passedBefore = this.#passed;
    this.#passed = 0;
    const backoff = Math.min(longestPause, shortestPause * 2 ** count);
    if (asked !== undefined) return count === 0 ? asked : Math.max(asked, backoff);
    const rest = isSameLimit ? this.#enoughPause - waited : 0;
    const isShortened = count === 0 && this.#enoughAtOnce >= pausesBeforeShorter;
    return Math.min(longestPause, Math.max(isShortened ? rest / 2 : rest, backoff));
  }
}
