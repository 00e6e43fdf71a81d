import { isPartialCreate } from "../../../framework/lifecycle";
import type { ApiTokenInputs, ApiTokenState } from "../../../provider/apiToken/definition";
import type { Profile } from "../../../sdk";
import { Judge } from "./judge";
import { Process } from "./process";
import { type Word, wordOf } from "./table";
import type { World } from "./world";

/** A resource as a program declares it. */
export interface Declared {
  readonly args: Readonly<Partial<ApiTokenInputs>>;
  readonly provider: string;
  readonly deleteBeforeReplace?: boolean;
  readonly retainOnDelete?: boolean;
  /** An earlier name of the resource. */
  readonly alias?: string;
}

/** An object as the engine records it. */
export interface Recorded {
  readonly key: string;
  readonly id: string;
  readonly inputs: ApiTokenInputs;
  readonly state: ApiTokenState;
  readonly provider: string;
  readonly isRetained: boolean;
  /** It was replaced, and its deletion is pending. */
  readonly isPending?: boolean;
  /** The words of the program of the last update that changed it. */
  readonly word: Word;
  /** Its create failed, and nobody has its secret. */
  readonly isLost?: boolean;
  /** The tokens that it replaced and that may still be valid, as the updates planned. */
  readonly replaced: readonly (Pick<Recorded, "key" | "id"> & { readonly isKept: boolean })[];
}

export interface Command {
  readonly kind: "up" | "up --refresh" | "refresh" | "destroy";
  /** The access token of each provider. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly notFound?: string;
  /** The option `--continue-on-error`. */
  readonly goesOn?: boolean;
  /** The option `--replace`: the engine asks no diff. */
  readonly targets?: readonly string[];
  /** `replaceOnChanges`: a change in place becomes a replacement. */
  readonly onChanges?: readonly string[];
}

/** The process was killed: nothing of what its hooks do from here on is seen or kept by anybody. */
class Killed extends Error {}

/** A state is JSON. */
const stored = (state: unknown): ApiTokenState => JSON.parse(JSON.stringify(state));

/** A stack as the engine keeps it, which calls the hooks in the engine's order. */
export class Stack {
  readonly name: string;
  all: readonly Recorded[] = [];
  /** Names of creates that were under way when the process ended. */
  readonly pendingCreates: string[] = [];
  /** Everything that a user got to see. */
  readonly told: string[] = [];
  /** The messages of the hooks that failed in the last command. */
  failures: string[] = [];
  readonly #judge: Judge;
  readonly #world: World;
  readonly #access: { readonly baseUrl: string; readonly profile: Profile };
  #command: Command = { kind: "up", credentials: {} };
  readonly #processes = new Map<string, Process>();

  constructor(name: string, world: World, baseUrl: string, profile: Profile) {
    this.name = name;
    this.#world = world;
    this.#access = { baseUrl, profile };
    this.#judge = new Judge(this, world);
    world.watchers.set(name, this.#judge);
  }

  /** The object of a resource. */
  find(name: string): Recorded | undefined {
    return this.all.find(({ key, isPending }) => key === name && !isPending);
  }

  /** Runs a command in processes of its own, which end with it, or before. */
  async run(command: Command, program: ReadonlyMap<string, Declared>): Promise<void> {
    this.#command = command;
    this.failures = [];
    const declared = command.kind === "destroy" ? [] : [...program];
    // A resource whose step failed still has its earlier name.
    const isDeclared = (name: string) =>
      declared.some(([key, { alias }]) => key === name || (alias === name && !this.find(key)));
    try {
      if (command.kind.endsWith("refresh")) await this.#each(this.all, (one) => this.#read(one));
      if (command.kind === "refresh") return;
      await this.#each(declared, ([key, one]) => this.#step(key, one, program));
      const going = this.all.filter(({ key, isPending }) => isPending || !isDeclared(key));
      await this.#each(going.reverse(), (one) => this.#delete(one));
    } catch (failure) {
      if (!(failure instanceof Killed)) throw failure;
    } finally {
      for (const { client } of this.#processes.values()) await client.close();
      this.#processes.clear();
    }
  }

  /** Where a step fails, the engine leaves its resource as it is. */
  async #each<T>(steps: readonly T[], run: (step: T) => Promise<void>): Promise<void> {
    for (const step of steps) {
      if (this.failures.length > 0 && !this.#command.goesOn) return;
      try {
        await run(step);
      } catch (failure) {
        this.#requireAlive();
        this.failures.push((failure as Error).message);
        this.told.push((failure as Error).message);
      }
    }
  }

  #process(provider: string): Process {
    const { credentials, notFound } = this.#command;
    const access = { ...this.#access, accessToken: credentials[provider] ?? "", notFound };
    // A user sees at once what is told, whatever becomes of the process afterwards.
    const tell = (message: string) => void (this.#world.isCutOff || this.told.push(message));
    const process = this.#processes.get(provider) ?? new Process(access, () => this.#world.now, tell);
    this.#processes.set(provider, process);
    return process;
  }

  async #read(one: Recorded): Promise<void> {
    const { hooks } = this.#process(one.provider);
    const found = await hooks.read(one.id, one.state);
    if (!found) this.#judge.forgotten(one);
    const inputs = (found?.inputs ?? one.inputs) as unknown as ApiTokenInputs;
    this.#put([one], found && { ...one, inputs, state: stored(found.state) });
    if (found) await hooks.diff(one.id, stored(found.state), inputs);
  }

  async #step(key: string, resource: Declared, program: ReadonlyMap<string, Declared>): Promise<void> {
    const { targets, onChanges } = this.#command;
    const { args, provider, alias = "", deleteBeforeReplace } = resource;
    const process = this.#process(provider);
    const { hooks } = process;
    const old = this.find(key) ?? (program.has(alias) ? undefined : this.find(alias));
    const isTarget = targets?.includes(key);
    const inputs = await hooks.check({ key, ...args }, isTarget ? undefined : old?.inputs);
    process.accepted.set(key, inputs);
    if (!old) return this.#create(process, key, resource, inputs);
    if (!isTarget) {
      const { changes, replaces } = await hooks.diff(old.id, old.state, inputs);
      this.#judge.compared(process, key, old, inputs);
      if (replaces.length === 0 && !(changes && onChanges?.includes(key))) {
        const state = changes ? stored(await hooks.update(old.id, old.state, inputs)) : old.state;
        return this.#record(process, key, resource, inputs, { ...old, state }, [old]);
      }
    }
    // The engine checks again without old inputs: a generated name is another one.
    const news = await hooks.check({ key, ...args });
    if (deleteBeforeReplace) await this.#delete(old);
    await this.#create(process, key, resource, news, deleteBeforeReplace ? undefined : old);
  }

  /** The engine notes a create before it begins, and takes the note away when it has the response. */
  async #create(process: Process, key: string, resource: Declared, inputs: ApiTokenInputs, old?: Recorded) {
    const create = this.#judge.beginCreate(process, key, inputs);
    const record = (id: string, state: object, isLost: boolean) => {
      if (old) this.#put([old], { ...old, isPending: true });
      const object = { id, state: stored(state), isLost, replaced: create.end(id) };
      this.#record(process, key, resource, inputs, object);
    };
    try {
      const { id, state } = await process.hooks.create(inputs);
      this.#requireAlive();
      record(id, state, false);
    } catch (failure) {
      if (this.#world.isCutOff && inputs.adopt === undefined) this.pendingCreates.push(inputs.name);
      this.#requireAlive();
      if (isPartialCreate(failure)) record(failure.id, failure.state, true);
      throw failure;
    }
  }

  #record(
    process: Process,
    key: string,
    { provider, retainOnDelete: isRetained = false }: Declared,
    inputs: ApiTokenInputs,
    object: Pick<Recorded, "id" | "state" | "isLost" | "replaced">,
    instead: readonly Recorded[] = [],
  ): void {
    this.#put(instead, { ...object, key, inputs, provider, isRetained, word: wordOf(inputs) });
    process.kept.set(key, object.id);
  }

  async #delete(one: Recorded): Promise<void> {
    const process = this.#process(one.provider);
    const deletion = one.isRetained ? undefined : this.#judge.beginDelete(process, one);
    if (deletion) await process.hooks.delete(one.id, one.state);
    else this.told.push(`${one.id} is retained`);
    this.#put([one]);
    deletion?.end();
  }

  /** Records a step that succeeded. */
  #put(instead: readonly Recorded[], next?: Recorded): void {
    this.#requireAlive();
    this.all = [...this.all.filter((one) => !instead.includes(one)), ...(next ? [next] : [])];
  }

  #requireAlive(): void {
    if (this.#world.isCutOff) throw new Killed();
  }
}
