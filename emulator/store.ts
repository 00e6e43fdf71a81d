import { makeFolder } from "./folder";
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
  readonly #undo: readonly (() => Promise<void>)[];
  #lastWrite: Promise<unknown> = Promise.resolve();

  private constructor(
    objects: Objects,
    journal: Journal,
    unlock: () => Promise<void>,
    undo: readonly (() => Promise<void>)[],
  ) {
    this.#objects = objects;
    this.#journal = journal;
    this.#unlock = unlock;
    this.#undo = undo;
  }

  /** @throws Error if another server has the folder, or if its journal is damaged; the folder is then as it was */
  static async open(folder: string): Promise<Store> {
    const removeFolder = await makeFolder(folder);
    const unlock = await lockFolder(folder).catch(async (failure) => {
      await removeFolder();
      throw failure;
    });
    const undo = [unlock, removeFolder];
    try {
      const objects: Objects = new Map(kindNames.map((kind) => [kind, new Map()]));
      const changes = await Journal.read(folder);
      for (const change of changes ?? []) apply(objects, change);
      const journal = await Journal.replace(folder, listCreations(objects));
      if (!changes) undo.unshift(() => Journal.remove(folder));
      return new Store(objects, journal, unlock, undo);
    } catch (failure) {
      for (const step of undo) await step();
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

  /** Closes after a start that has failed, and takes away what the start has made. */
  async discard(): Promise<void> {
    await this.#lastWrite;
    await this.#journal.close();
    for (const step of this.#undo) await step();
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
