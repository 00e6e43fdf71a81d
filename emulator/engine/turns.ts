/** Lets one job at a time continue, in the order in which the jobs asked for a turn. */
export class Turns {
  #last: Promise<void> = Promise.resolve();
  #held = 0;

  /** @param announce sends the job's new state; the job continues after the message was sent */
  async take(announce: (state: "waits" | "begins") => Promise<void>): Promise<Disposable> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    this.#held += 1;
    const release = () => {
      this.#held -= 1;
      resolve();
    };
    try {
      if (this.#held > 1) await announce("waits");
      await before;
      await announce("begins");
    } catch (failure) {
      release();
      throw failure;
    }
    return { [Symbol.dispose]: release };
  }
}
