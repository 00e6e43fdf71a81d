import { mkdir } from "node:fs/promises";
import { type Change, Journal, type Kind, type Stored } from "./journal";
import { lockFolder } from "./lock";

/** What a write does, and what to answer once it is done. */
export interface Decision<T> {
  readonly changes: readonly Change[];
  readonly result: T;
}

/** All objects, in memory and on disk. */
export class Store {
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly objects: Readonly<Record<Kind, Map<string, Stored>>>,
    private readonly journal: Journal,
    private readonly unlock: () => Promise<void>,
  ) {}

  static async open(folder: string): Promise<Store> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const unlock = await lockFolder(folder);
    try {
      const objects = { token: new Map<string, Stored>(), annotation: new Map<string, Stored>() };
      for (const change of await Journal.read(folder)) apply(objects, change);
      return new Store(objects, await Journal.replace(folder, live(objects)), unlock);
    } catch (failure) {
      await unlock();
      throw failure;
    }
  }

  get(kind: Kind, id: string): Stored | undefined {
    return this.objects[kind].get(id);
  }

  /** In the order of creation. */
  list(kind: Kind): readonly Stored[] {
    return [...this.objects[kind].values()];
  }

  /**
   * One write at a time: each decides on what the one before has left. A change is on the disk before anybody can see it.
   * @param decide runs when the writes before are done; what it throws is the outcome, and nothing changes
   */
  commit<T>(decide: () => Decision<T>): Promise<T> {
    const outcome = this.last.then(async () => {
      const { changes, result } = decide();
      await this.journal.append(changes);
      for (const change of changes) apply(this.objects, change);
      return result;
    });
    // Whoever asked for a write hears of its failure; the next write runs all the same.
    this.last = outcome.then(
      () => undefined,
      () => undefined,
    );
    return outcome;
  }

  async close(): Promise<void> {
    await this.last;
    await this.journal.close();
    await this.unlock();
  }
}

function apply(objects: Readonly<Record<Kind, Map<string, Stored>>>, { kind, id, value }: Change): void {
  if (value) objects[kind].set(id, value);
  else objects[kind].delete(id);
}

function* live(objects: Readonly<Record<Kind, Map<string, Stored>>>): Generator<Change> {
  for (const kind of ["token", "annotation"] as const) {
    for (const [id, value] of objects[kind]) yield { kind, id, value };
  }
}
