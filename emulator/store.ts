import { mkdir } from "node:fs/promises";
import { Journal } from "./journal";
import { type Change, type Kind, kindNames, type Stored } from "./kinds";
import { lockFolder } from "./lock";

/** What a write does, and what to answer once it is done. */
export interface Decision<T> {
  readonly changes: readonly Change[];
  readonly result: T;
}

/** Objects of one kind by id, in the order of creation. */
type Objects = ReadonlyMap<Kind, Map<string, Stored>>;

/** All objects, in memory and on disk. */
export class Store {
  readonly #objects: Objects;
  readonly #journal: Journal;
  readonly #unlock: () => Promise<void>;
  #lastWrite: Promise<unknown> = Promise.resolve();

  private constructor(objects: Objects, journal: Journal, unlock: () => Promise<void>) {
    this.#objects = objects;
    this.#journal = journal;
    this.#unlock = unlock;
  }

  static async open(folder: string): Promise<Store> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const unlock = await lockFolder(folder);
    try {
      const objects: Objects = new Map(kindNames.map((kind) => [kind, new Map()]));
      for (const change of await Journal.read(folder)) apply(objects, change);
      return new Store(objects, await Journal.replace(folder, listCreations(objects)), unlock);
    } catch (failure) {
      await unlock();
      throw failure;
    }
  }

  get<K extends Kind>(kind: K, id: string): Stored<K> | undefined {
    return this.#objectsOf(kind).get(id);
  }

  /** In the order of creation. */
  list<K extends Kind>(kind: K): readonly Stored<K>[] {
    return [...this.#objectsOf(kind).values()];
  }

  /**
   * One write at a time: each decides on what the one before has left. A change is on the disk before anybody can see it.
   * @param decide runs when the writes before are done; what it throws is the outcome, and nothing changes
   */
  commit<T>(decide: () => Decision<T>): Promise<T> {
    const outcome = this.#lastWrite.then(async () => {
      const { changes, result } = decide();
      await this.#journal.append(changes);
      for (const change of changes) apply(this.#objects, change);
      return result;
    });
    // Whoever asked for a write hears of its failure; the next write runs all the same.
    this.#lastWrite = outcome.then(
      () => undefined,
      () => undefined,
    );
    return outcome;
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    await this.#journal.close();
    await this.#unlock();
  }

  /** A change puts an object only under its own kind. */
  #objectsOf<K extends Kind>(kind: K): ReadonlyMap<string, Stored<K>> {
    return (this.#objects.get(kind) ?? new Map()) as ReadonlyMap<string, Stored<K>>;
  }
}

function apply(objects: Objects, { kind, id, value }: Change): void {
  if (value) objects.get(kind)?.set(id, value);
  else objects.get(kind)?.delete(id);
}

/** What is there, as the changes that would make it. */
function* listCreations(objects: Objects): Generator<Change> {
  for (const [kind, ofKind] of objects) {
    for (const [id, value] of ofKind) yield { kind, id, value } as Change;
  }
}
