import type { Bag } from "../lifecycle";
import type { Options } from "./program";

/** An object as the engine records it. */
export interface Recorded {
  /** The name of its resource. */
  readonly name: string;
  readonly type: string;
  readonly id: string;
  /** With the marks of secrets, as all values in a state. */
  readonly inputs: Bag;
  readonly outputs: Bag;
  readonly options: Options;
  /** The names of the resources that it depends on. */
  readonly dependencies: readonly string[];
  /** By input, the names of the resources whose outputs are in it. */
  readonly sources: Readonly<Record<string, readonly string[]>>;
  /** It was replaced, and its deletion is pending. */
  readonly isPending?: boolean;
  /** It was deleted, and its replacement is not created yet. */
  readonly isMissing?: boolean;
  /** Why its create or update failed, which left it behind. */
  readonly initErrors?: readonly string[];
}

/** The objects of a stack. Those that a command has registered come first, as in the engine's own snapshot. */
export class State {
  /** Those before the command, less what it registered anew or removed. */
  before: readonly Recorded[] = [];
  #registered: readonly Recorded[] = [];

  get all(): readonly Recorded[] {
    return [...this.#registered, ...this.before];
  }

  copy(): State {
    const copy = new State();
    copy.before = this.all;
    return copy;
  }

  /** A command begins. */
  begin(): void {
    this.before = this.all;
    this.#registered = [];
  }

  /** The object of a resource. */
  find(name: string): Recorded | undefined {
    return this.all.find((one) => one.name === name && !one.isPending);
  }

  /** Registers an object in the place of another one, or of none. */
  register(next: Recorded, instead?: Recorded): void {
    if (instead) this.remove(instead);
    this.#registered = [...this.#registered, next];
  }

  /** Changes an object where it stands. */
  change(one: Recorded, next: Recorded): void {
    const changed = (list: readonly Recorded[]) => list.map((other) => (other === one ? next : other));
    this.before = changed(this.before);
    this.#registered = changed(this.#registered);
  }

  remove(gone: Recorded): void {
    this.before = this.before.filter((one) => one !== gone);
    this.#registered = this.#registered.filter((one) => one !== gone);
  }

  /** Gives a resource another name, for those that depend on it. */
  rename(from: string, to: string): void {
    const rename = (name: string) => (name === from ? to : name);
    for (const one of this.all) {
      if (!one.dependencies.includes(from)) continue;
      const sources = Object.entries(one.sources).map(([key, names]) => [key, names.map(rename)]);
      this.change(one, { ...one, dependencies: one.dependencies.map(rename), sources: Object.fromEntries(sources) });
    }
  }

  /** The names that some resources depend on, however indirectly, and their own. */
  withDependencies(names: readonly string[]): ReadonlySet<string> {
    return this.#close(names, ({ name, dependencies }, found) => (found.has(name) ? dependencies : []));
  }

  /** The names of the resources that depend on some, however indirectly, and their own. */
  withDependents(names: readonly string[]): ReadonlySet<string> {
    return this.#close(names, ({ name, dependencies }, found) =>
      dependencies.some((dependency) => found.has(dependency)) ? [name] : [],
    );
  }

  #close(names: readonly string[], next: (one: Recorded, found: ReadonlySet<string>) => readonly string[]) {
    const found = new Set(names);
    for (let size = -1; size !== found.size; ) {
      size = found.size;
      for (const one of this.all) for (const name of next(one, found)) found.add(name);
    }
    return found;
  }
}
