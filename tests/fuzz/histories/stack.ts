import { isPartialCreate } from "../../../framework/lifecycle";
import type { ApiTokenInputs, ApiTokenState } from "../../../provider/nouns/apiToken/definition";
import { Judge } from "./judge";
import type { Command, Declared, Recorded } from "./model";
import { type Access, Process } from "./process";
import { consumerOf, isDeletable, isSelected } from "./selection";
import { wordOf } from "./table";
import type { World } from "./world";

/** The process was killed: nothing of what its hooks do from here on is seen or kept by anybody. */
class Killed extends Error {}

/** A state is JSON. */
const stored = (state: unknown): ApiTokenState => JSON.parse(JSON.stringify(state));

/** A stack as the engine keeps it, which calls the hooks in the engine's order. */
export class Stack {
  readonly name: string;
  all: readonly Recorded[] = [];
  /** Tokens that the engine removed without a hook: only the user's own option says so. */
  readonly retained = new Set<string>();
  /** By the key of a token, the id of the one whose secret its consumer has. */
  readonly consumers = new Map<string, string>();
  /** Names of creates that were under way when the process ended. */
  readonly pendingCreates: string[] = [];
  /** Everything that a user got to see. */
  readonly told: string[] = [];
  /** The messages of the hooks that failed in the last command. */
  failures: string[] = [];
  readonly #judge: Judge;
  readonly #world: World;
  readonly #access: Pick<Access, "baseUrl" | "profile" | "seesOptions">;
  #command: Command = { kind: "up", credentials: {} };
  readonly #processes = new Map<string, Process>();

  constructor(name: string, world: World, access: Pick<Access, "baseUrl" | "profile" | "seesOptions">) {
    this.name = name;
    this.#world = world;
    this.#access = access;
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
    this.#judge.begin();
    const declared = command.kind === "destroy" ? [] : [...program];
    try {
      const read = this.all.filter(({ key }) => isSelected(command, key));
      if (command.kind.endsWith("refresh")) await this.#each(read, (one) => this.#read(one));
      if (command.kind === "refresh") return;
      const needed = new Set<string>();
      await this.#each(declared, ([key, one]) => this.#register(key, one, program, needed));
      await this.#each(this.#findGoing(declared, needed), (one) => this.#delete(one));
    } catch (failure) {
      if (!(failure instanceof Killed)) throw failure;
    } finally {
      for (const { client } of this.#processes.values()) await client.close();
      this.#processes.clear();
    }
  }

  /** A token and its consumer. `needed`: the tokens of consumers that failed. */
  async #register(
    key: string,
    resource: Declared,
    program: ReadonlyMap<string, Declared>,
    needed: Set<string>,
  ): Promise<void> {
    const { alias = "", retainOnDelete: isRetained = false } = resource;
    const old = this.find(key) ?? (program.has(alias) ? undefined : this.find(alias));
    const names = [key, ...(alias ? [alias] : [])];
    if (names.some((name) => isSelected(this.#command, name))) await this.#step(key, resource, old);
    // The engine takes the options of a resource over, also if its provider is not asked.
    else if (old) this.#put([old], { ...old, isRetained });
    const token = this.find(key);
    const had = this.consumers.get(key) ?? this.consumers.get(alias);
    if (!token || had === token.id || !isSelected(this.#command, consumerOf(key))) return;
    if (this.#command.failing?.includes(key)) {
      if (old) needed.add(old.id);
      throw new Error(`the consumer of ${key} failed`);
    }
    this.consumers.delete(alias);
    this.consumers.set(key, token.id);
  }

  /** The objects that the engine deletes at the end; the old state of a consumer that failed needs its token. */
  #findGoing(declared: readonly (readonly [string, Declared])[], needed: ReadonlySet<string>): readonly Recorded[] {
    // A resource whose step failed still has its earlier name.
    const isDeclared = (name: string) =>
      declared.some(([key, { alias }]) => key === name || (alias === name && !this.find(key)));
    const going = this.all.filter(({ key, id, isPending }) => {
      const isGoing = (isPending || !isDeclared(key)) && !needed.has(id);
      return isGoing && isDeletable(this.#command, key, this.consumers.has(key));
    });
    for (const { key } of going) if (!isDeclared(key)) this.consumers.delete(key);
    return going.reverse();
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
        this.#tell((failure as Error).message);
      }
    }
  }

  #process(provider: string): Process {
    const { credentials, notFound, ahead = 0 } = this.#command;
    const access = { ...this.#access, accessToken: credentials[provider] ?? "", notFound };
    const now = () => new Date(this.#world.now.getTime() + ahead);
    const process = this.#processes.get(provider) ?? new Process(access, now, (message) => this.#tell(message));
    this.#processes.set(provider, process);
    return process;
  }

  /** A user sees at once what is told, whatever becomes of the process afterwards. */
  #tell(message: string): void {
    if (this.#world.isCutOff) return;
    this.told.push(message);
    this.#judge.tell(message);
  }

  async #read(one: Recorded): Promise<void> {
    const process = this.#process(one.provider);
    const { hooks } = process;
    const found = await hooks.read(one.id, one.state);
    if (!found) this.#judge.forgotten(one);
    else this.#judge.recorded(process, one, { id: one.id, state: stored(found.state) });
    const inputs = (found?.inputs ?? one.inputs) as unknown as ApiTokenInputs;
    this.#put([one], found && { ...one, inputs, state: stored(found.state) });
    if (found) await hooks.diff(one.id, stored(found.state), inputs);
  }

  async #step(key: string, resource: Declared, old: Recorded | undefined): Promise<void> {
    const { replace, onChanges } = this.#command;
    const { args, provider, retainOnDelete } = resource;
    // A program that declares both is refused.
    const deletesFirst = resource.deleteBeforeReplace && args.rotation?.overlap === undefined;
    const process = this.#process(provider);
    const { hooks } = process;
    const isReplaced = replace?.includes(key);
    const hints = retainOnDelete && process.access.seesOptions ? { deleteOptions: ["retainOnDelete"] } : {};
    const inputs = await hooks.check({ key, ...args, ...hints }, isReplaced ? undefined : old?.inputs);
    process.accepted.set(key, inputs);
    if (!old) return this.#create(process, key, resource, inputs);
    if (!isReplaced) {
      if (!process.claimed.has(old.id)) process.claimed.set(old.id, old.key);
      const { changes, replaces } = await hooks.diff(old.id, old.state, inputs);
      this.#judge.compared(process, key, old, inputs);
      if (replaces.length === 0 && !(changes && onChanges?.includes(key))) {
        const state = changes ? stored(await hooks.update(old.id, old.state, inputs)) : old.state;
        this.#judge.recorded(process, old, { id: old.id, state });
        return this.#record(process, key, resource, inputs, { ...old, state }, [old]);
      }
    }
    // The engine checks again without old inputs: a generated name is another one.
    const news = await hooks.check({ key, ...args, ...hints });
    if (deletesFirst) await this.#delete(old);
    await this.#create(process, key, resource, news, deletesFirst ? undefined : old);
  }

  /** The engine notes a create before it begins, and takes the note away when it has the response. */
  async #create(process: Process, key: string, resource: Declared, inputs: ApiTokenInputs, old?: Recorded) {
    const create = this.#judge.beginCreate(process, key, inputs);
    const record = (id: string, state: object, isLost: boolean) => {
      if (old) this.#put([old], { ...old, isPending: true });
      const object = { id, state: stored(state), isLost, replaced: create.end(id) };
      const compared = process.compared.get(key);
      if (compared && inputs.adopt === undefined) this.#judge.recorded(process, compared, object);
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
    this.#put([one]);
    if (deletion) return deletion.end();
    this.retained.add(one.id);
    this.#judge.retained(one);
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
