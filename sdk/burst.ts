/** How many requests may be under way at first. */
const first = 8;
/** The most that may be under way: the service refuses up to this many at once when its limit is reached. */
const largest = 24;

/** Limits the requests under way while the service does not announce how many it accepts. */
export class Burst {
  /** How many requests may be under way. */
  size = first;

  /** Admits one more after each passage. */
  grow(): void {
    this.size = Math.min(largest, this.size + 1);
  }

  /** Starts again with one request after a refusal. */
  close(): void {
    this.size = 1;
  }

  /** @param limit how many requests the service accepts in one window */
  restart(limit = first): void {
    this.size = Math.min(first, Math.max(1, limit));
  }
}
