/** Lets one job at a time go on, in the order in which they asked. */
export class Turns {
  #last: Promise<void> = Promise.resolve();
  #held = 0;

  /** @param announce tells what the job does from now on; it goes on once that is on its way */
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
