/** Resets are whole seconds, so those of one window differ by less than two. */
const sameWindow = 2_000;

/** How many more requests the service accepts until a given time. After a refusal, the window has none left. */
export class RateWindow {
  #left = 0;
  /** By this machine's clock. */
  #ends = Number.NEGATIVE_INFINITY;
  /** Whether the user was informed that requests wait for the end. */
  #isTold = false;

  /**
   * Records the window that a response announces.
   * @param unseen how many requests the service may not have counted in it
   * @returns whether more requests are accepted
   */
  announce(left: number, ends: number, unseen: number): boolean {
    const isSame = Math.abs(this.#ends - ends) < sameWindow;
    const least = left - unseen;
    this.#left = Math.min(left, isSame ? Math.max(this.#left, least) : least);
    this.#isTold &&= isSame;
    this.#ends = ends;
    return this.#left > 0;
  }

  /** Accepts no more requests until a given time. */
  close(ends: number, isTold: boolean): void {
    [this.#left, this.#ends, this.#isTold] = [0, ends, isTold];
  }

  /** Forgets the window. */
  end(): void {
    this.#ends = Number.NEGATIVE_INFINITY;
  }

  /** Whether the service accepts one more request, which is then counted. */
  take(): boolean {
    if (this.#left <= 0) return false;
    this.#left -= 1;
    return true;
  }

  /** How much longer the window lasts; undefined if there is none. */
  remaining(now: number): number | undefined {
    return this.#ends > now ? this.#ends - now : undefined;
  }

  /** Whether to inform the user about the wait: true the first time in a window, then false. */
  mustTell(): boolean {
    const isFirst = !this.#isTold;
    this.#isTold = true;
    return isFirst;
  }
}
