/** The refusals since something got through. */
export interface Refusals {
  readonly count: number;
  /** How long was waited for them, in milliseconds. */
  readonly waited: number;
  /** Whether the service said how long, of any of them. */
  readonly isTold: boolean;
}

const shortestPause = 1_000;
const longestPause = 60_000;
/** After so many pauses that were long enough at once, a shorter one is tried. */
const pausesBeforeShorter = 4;

/**
 * The limit of a service that says neither how many requests get through nor when, learned from its refusals: as many get
 * through as the time before, and after as long a pause, once two pauses were that long. So a limit by the minute costs one
 * refused request a minute, and an hour's outage nothing once it is over.
 */
export class LearnedLimit {
  /** How many got through since the last refusal, and between the two refusals before. */
  #passed = 0;
  #passedBefore = 0;
  /** How long the last two pauses were, in all, until something got through. */
  #pauses: readonly [number, number] = [0, 0];
  /** How many pauses in a row were long enough at once. */
  #enoughAtOnce = 0;

  /** How many more may get through. */
  get left(): number {
    const isKnown = this.#passedBefore > 0 && this.#passed <= this.#passedBefore;
    return isKnown ? this.#passedBefore - this.#passed : Number.POSITIVE_INFINITY;
  }

  /** @param ended the refusals that this passage ends; undefined: the request was let in before the last of them */
  countPassage(ended: Refusals | undefined): void {
    if (!ended) {
      this.#passedBefore += 1;
      return;
    }
    this.#passed += 1;
    // A pause that the service asked for says nothing about those that it does not ask for.
    if (ended.count > 0 && !ended.isTold) this.#learnPause(ended);
  }

  #learnPause({ count, waited }: Refusals): void {
    const isShorter = waited < this.#enoughPause;
    if (count > 1) this.#enoughAtOnce = 0;
    // One that was tried shorter and was enough: the next may be shorter still.
    else if (isShorter) this.#enoughAtOnce = pausesBeforeShorter;
    else this.#enoughAtOnce += 1;
    this.#pauses = [this.#pauses[1], waited];
  }

  /** The pause that is enough as far as is known: after a single long one the next need not be long. */
  get #enoughPause(): number {
    return Math.min(longestPause, ...this.#pauses);
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
    const isFirst = count === 0;
    // Where far fewer got through than before it is another limit, which may be over at once.
    const isSameLimit = !isFirst || 2 * this.#passed >= this.#passedBefore;
    if (this.#passed > 0) this.#passedBefore = this.#passed;
    this.#passed = 0;
    const backoff = Math.min(longestPause, shortestPause * 2 ** count);
    if (asked !== undefined) return isFirst ? asked : Math.max(asked, backoff);
    const rest = isSameLimit ? this.#enoughPause - waited : 0;
    const isShorterTried = isFirst && this.#enoughAtOnce >= pausesBeforeShorter;
    return Math.min(longestPause, Math.max(isShorterTried ? rest / 2 : rest, backoff));
  }
}
