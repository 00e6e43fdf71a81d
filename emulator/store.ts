import { randomUUID } from "node:crypto";
import { makeFolder } from "./folder";
import { Journal } from "./journal";
import { type Change, factsOf, type Kind, kindNames, type Stored } from "./kinds";
import { lockFolder } from "./lock";

/** The changes of a write, and the result to return after it. */
export interface Decision<T> {
  readonly changes: readonly Change[];
  readonly result: T;
}

/** The objects of one kind. */
class ObjectsOfKind<K extends Kind> {
  /** In the order of creation. */
  readonly byId = new Map<string, Stored<K>>();
  readonly byKey = new Map<string, Stored<K>>();
  readonly #keyOf: ((stored: Stored<K>) => string) | undefined;

  constructor(kind: K) {
    this.#keyOf = factsOf(kind).key;
  }

  put(id: string, value: Stored<K> | null): void {
    const before = this.byId.get(id);
    if (before && this.#keyOf) this.byKey.delete(this.#keyOf(before));
    if (value) this.byId.set(id, value);
    else this.byId.delete(id);
    if (value && this.#keyOf) this.byKey.set(this.#keyOf(value), value);
  }
}

type Objects = { readonly [K in Kind]: ObjectsOfKind<K> };

/** All objects, in memory and on disk. */
export class Store {
  readonly #objects: Objects;
  readonly #journal: Journal;
  readonly #unlock: () => Promise<void>;
  readonly #undo: readonly (() => Promise<void>)[];
  #lastWrite: Promise<unknown> = Promise.resolve();
  readonly #opened = randomUUID();
  #writes = 0;

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

  /** @throws Error if another server uses the folder or the journal is damaged; the folder stays unchanged */
  static async open(folder: string): Promise<Store> {
    const removeFolder = await makeFolder(folder);
    const unlock = await lockFolder(folder).catch(async (failure) => {
      await removeFolder();
      throw failure;
    });
    const undo = [unlock, removeFolder];
    try {
      const objects = Object.fromEntries(
        kindNames.map((kind) => [kind, new ObjectsOfKind(kind)]),
      ) as unknown as Objects;
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

  /** Changes with every write and every start. */
  get revision(): string {
    return `${this.#opened}-${this.#writes}`;
  }

  get<K extends Kind>(kind: K, id: string): Stored<K> | undefined {
    return this.#collection(kind).byId.get(id);
  }

  /** In the order of creation. */
  list<K extends Kind>(kind: K): readonly Stored<K>[] {
    return [...this.#collection(kind).byId.values()];
  }

  /** Finds an object by the second key of its kind. */
  find<K extends Kind>(kind: K, key: string): Stored<K> | undefined {
    return this.#collection(kind).byKey.get(key);
  }

  /**
   * Runs one write at a time, so each sees the result of the one before. A change is on the disk before anybody can see it.
   * @param decide runs after all earlier writes; if it throws, nothing changes and `commit` rejects
   */
  commit<T>(decide: () => Decision<T>): Promise<T> {
    const outcome = this.#lastWrite.then(async () => {
      const { changes, result } = decide();
      await this.#journal.append(changes);
      for (const change of changes) apply(this.#objects, change);
      this.#writes += 1;
      return result;
    });
    // The caller gets the failure of its own write; the next write runs in any case.
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

  /** Closes after a failed start, and removes everything that the start created. */
  async discard(): Promise<void> {
    await this.#lastWrite;
    await this.#journal.close();
    for (const step of this.#undo) await step();
  }

  /** The cast is needed because the compiler cannot relate a kind to its collection. */
  #collection<K extends Kind>(kind: K): ObjectsOfKind<K> {
    return this.#objects[kind] as unknown as ObjectsOfKind<K>;
  }
}

function apply(objects: Objects, { kind, id, value }: Change): void {
  (objects[kind] as ObjectsOfKind<Kind>).put(id, value);
}

/** All objects, as the changes that would create them. */
function* listCreations(objects: Objects): Generator<Change> {
  for (const kind of kindNames) {
    for (const [id, value] of objects[kind].byId) yield { kind, id, value } as Change;
  }
}
