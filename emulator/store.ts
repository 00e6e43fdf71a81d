import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { Journal } from "./journal";
import { type Change, type Kind, kinds, type Stored } from "./kinds";
import { lockFolder } from "./lock";

/** The changes of a write, and the result to return after it. */
export interface Decision<T> {
  readonly changes: readonly Change[];
  readonly result: T;
}

/** All objects, in memory in the order of their creation, and on disk. */
class Objects {
  readonly byId = { token: new Map<string, Stored>(), annotation: new Map<string, Stored>() };
  readonly byHash = new Map<string, Stored>();

  apply({ kind, id, value }: Change): void {
    const objects = this.byId[kind];
    this.byHash.delete(objects.get(id)?.secretHash ?? "");
    if (value) objects.set(id, value);
    else objects.delete(id);
    if (value?.secretHash !== undefined) this.byHash.set(value.secretHash, value);
  }

  /** The changes that would create them. */
  creations(): Change[] {
    return kinds.flatMap((kind) => Array.from(this.byId[kind], ([id, value]) => ({ kind, id, value })));
  }
}

export class Store {
  readonly #objects: Objects;
  readonly #journal: Journal;
  readonly #unlock: () => Promise<void>;
  #lastWrite: Promise<unknown> = Promise.resolve();
  readonly #opened = randomUUID();
  #writes = 0;

  private constructor(objects: Objects, journal: Journal, unlock: () => Promise<void>) {
    this.#objects = objects;
    this.#journal = journal;
    this.#unlock = unlock;
  }

  /** @throws Error if another server uses the folder or the journal is damaged, which then stays unchanged */
  static async open(folder: string): Promise<Store> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const unlock = await lockFolder(folder);
    try {
      const objects = new Objects();
      for (const change of await Journal.read(folder)) objects.apply(change);
      return new Store(objects, await Journal.replace(folder, objects.creations()), unlock);
    } catch (failure) {
      await unlock();
      throw failure;
    }
  }

  /** Changes with every write and every start. */
  get revision(): string {
    return `${this.#opened}-${this.#writes}`;
  }

  get(kind: Kind, id: string): Stored | undefined {
    return this.#objects.byId[kind].get(id);
  }

  /** In the order of creation. */
  list(kind: Kind): readonly Stored[] {
    return [...this.#objects.byId[kind].values()];
  }

  /** Finds a token by the hash of its secret. */
  findToken(secretHash: string): Stored | undefined {
    return this.#objects.byHash.get(secretHash);
  }

  /**
   * Runs one write at a time, so each sees the result of the one before. A change is on the disk before anybody can see it.
   * @param decide runs after all earlier writes; if it throws, nothing changes and `commit` rejects
   */
  commit<T>(decide: () => Decision<T>): Promise<T> {
    const outcome = this.#lastWrite.then(async () => {
      const { changes, result } = decide();
      await this.#journal.append(changes);
      for (const change of changes) this.#objects.apply(change);
      this.#writes += 1;
      return result;
    });
    // The caller gets the failure of its own write; the next write runs in any case.
    this.#lastWrite = outcome.catch(() => undefined);
    return outcome;
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    await this.#journal.close();
    await this.#unlock();
  }
}
