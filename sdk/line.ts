/** Callers that wait for their turn. Each can leave at any time, which takes as long for one as for a thousand. */
export class Line {
  readonly #all = new Set<() => void>();
  /** Kept: a new iterator would search the gaps of all that have left the line, from its start. */
  #turns = this.#all.values();

  get size(): number {
    return this.#all.size;
  }

  add(admit: () => void): void {
    this.#all.add(admit);
  }

  delete(admit: () => void): void {
    this.#all.delete(admit);
  }

  takeFirst(): (() => void) | undefined {
    let turn = this.#turns.next();
    if (turn.done) {
      this.#turns = this.#all.values();
      turn = this.#turns.next();
    }
    if (turn.value) this.#all.delete(turn.value);
    return turn.value;
  }
}
