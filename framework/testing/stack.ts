import { EngineLog } from "../engineLog";
import { type Configuration, Host } from "../host";
import type { Bag, Tell } from "../lifecycle";
import { explicitKey } from "../package";
import type { Provider } from "../provider";
import { deleteRest } from "./deletions";
import { dynamicProcess } from "./dynamicProcess";
import { nativeProcess } from "./nativeProcess";
import type { Process } from "./process";
import { type Call, type Command, type Found, isSelected, type Program, type Settings } from "./program";
import { registerAll } from "./registration";
import { Killed, namesOf, type PendingOperation, Run, Stopped } from "./run";
import { type Recorded, State } from "./state";

export type Form = "dynamic" | "native";

/** The outcome of a command. */
export interface Played {
  /** The calls of hooks, in their order. */
  readonly calls: readonly Call[];
  /** By the names of resources, what the last diff of each found. */
  readonly found: Readonly<Record<string, Found>>;
  /** The messages of the hooks. */
  readonly told: readonly string[];
  /** Why it failed: the messages of the hooks that did, or of the engine. */
  readonly failures: readonly string[];
  /** The objects of the stack afterwards. */
  readonly resources: readonly Recorded[];
}

/** How a stack is played. */
export interface StackOptions {
  readonly form: Form;
  /** Of the stack's own provider as "default", and of explicit ones by their names. */
  readonly settings?: Readonly<Record<string, Settings>>;
  /** Makes the host of a provider's process, such as one with another clock. */
  readonly startHost?: (tell: Tell, form: { readonly seesOptions: boolean }, provider: string) => Host;
  /** Hears each message of a hook at once, also where the engine is killed afterwards. */
  readonly hear?: (message: string) => void;
  /** Stands between the engine and a provider's process, to watch what they say to each other. */
  readonly watch?: (process: Process, provider: string) => Process;
}

/** A stack in memory, with what the engine records of it between commands. */
export class Stack {
  readonly #provider: Provider;
  readonly #options: StackOptions;
  readonly #state = new State();
  #program: Program = {};
  #settings: Readonly<Record<string, Settings>>;
  /** The operations that were under way when the engine was killed. */
  readonly pending: PendingOperation[] = [];
  /** Everything that a user got to see, of all commands. */
  readonly told: string[] = [];

  constructor(provider: Provider, options: StackOptions) {
    this.#provider = provider;
    this.#options = options;
    this.#settings = options.settings ?? {};
  }

  get resources(): readonly Recorded[] {
    return this.#state.all;
  }

  /** The object of a resource. */
  find(name: string): Recorded | undefined {
    return this.#state.find(name);
  }

  /** Records something else for an object, as `pulumi stack import` or an older version of the provider would. */
  rewrite(name: string, more: Partial<Recorded>): void {
    const one = this.find(name);
    if (!one) throw new Error(`there is no ${name}`);
    this.#state.change(one, { ...one, ...more });
  }

  /** Runs a command, each in new processes. */
  async run(command: Command): Promise<Played> {
    this.#program = command.program ?? this.#program;
    this.#settings = { ...this.#settings, ...command.settings };
    const told: string[] = [];
    const tell = async (message: string) => {
      told.push(message);
      this.told.push(message);
      this.#options.hear?.(message);
    };
    const isPreview = command.command === "preview";
    const state = isPreview ? this.#state.copy() : this.#state;
    state.begin();
    const program = command.command === "destroy" || command.command === "refresh" ? {} : this.#program;
    const run = new Run({
      provider: this.#provider,
      command,
      program,
      state,
      openProcess: async (name) => {
        const process = await this.#open(name, tell);
        return this.#options.watch?.(process, name) ?? process;
      },
    });
    await play(run);
    for (const [from, to] of run.renamed) state.rename(from, to);
    this.pending.push(...run.pending);
    return {
      calls: run.calls,
      found: Object.fromEntries(run.found),
      told,
      failures: run.failures,
      resources: state.all,
    };
  }

  async #open(name: string, tell: (message: string) => Promise<void>): Promise<Process> {
    const { form, startHost = (...[tell, form]) => new Host(this.#provider.connect, tell, form) } = this.#options;
    const settings = this.#settings[name] ?? {};
    const host = startHost({ warn: tell, inform: tell }, { seesOptions: form === "dynamic" }, name);
    if (form === "dynamic")
      return dynamicProcess(this.#provider, configurationOf(this.#provider, name, settings), host);
    const named = name === "default" ? settings : { ...settings, provider: name };
    const present = Object.entries(named).filter(([, value]) => value !== undefined);
    return nativeProcess(this.#provider, Object.fromEntries(present) as Bag, logTo(tell), host);
  }
}

async function play(run: Run): Promise<void> {
  const { command, target, exclude, refresh: refreshes } = { refresh: false, ...run.command };
  try {
    if (command === "refresh" || refreshes) {
      if (run.known.size > 0 || command === "refresh") requireKnown(run, [...(target ?? []), ...(exclude ?? [])]);
      await refresh(run);
      run.known = namesOf(run.state);
    }
    requireKnown(run, run.command.replace);
    if (command === "destroy" && run.known.size === 0) requireKnown(run, [...(target ?? []), ...(exclude ?? [])]);
    if (command === "refresh") return;
    await registerAll(run);
    await deleteRest(run);
    requireKnown(run, target);
  } catch (failure) {
    if (!(failure instanceof Killed || failure instanceof Stopped)) throw failure;
  } finally {
    await run.close();
  }
}

/** Names that the command line names, but neither the state nor the program. */
function requireKnown(run: Run, names: readonly string[] = []): void {
  const known = new Set([...run.declared, ...run.known]);
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) run.stop(`there is no resource ${unknown.join(", ")}`);
}

/** Reads all objects, then says whether they changed; a failure of one does not stop the others. */
async function refresh(run: Run): Promise<void> {
  for (const one of run.state.before) {
    if (!isSelected(run.command, one.name) || one.isMissing) continue;
    try {
      await refreshOne(run, one);
    } catch (failure) {
      if (failure instanceof Killed) throw failure;
      run.failures.push((failure as Error).message);
    }
  }
  if (run.failures.length > 0) throw new Stopped();
}

async function refreshOne(run: Run, one: Recorded): Promise<void> {
  const { name, type, id, options, initErrors: _, ...rest } = one;
  const { process, about } = await run.about(name, type, options.provider);
  const found = await run.call({ hook: "read", name, id }, () => process.read(about, one));
  if (!found) return run.state.remove(one);
  const { inputs = rest.inputs, outputs } = found;
  const next: Recorded = { ...rest, name, type, options, id: found.id, inputs, outputs };
  await run.diff(name, found.id, () => process.diff(about, next, one.inputs));
  run.state.change(one, next);
}

/** The configuration of the process of dynamic providers. */
function configurationOf(provider: Provider, name: string, values: Settings): Configuration {
  return {
    get(key) {
      if (key === explicitKey(provider)) return name === "default" ? undefined : name;
      return values[key.slice(provider.namespace.length + 1)];
    },
  };
}

/** The engine's log, which the hooks of a plugin tell messages. */
const logTo = (tell: (message: string) => Promise<void>) =>
  new EngineLog(() => ({
    log(request: { getMessage(): string }, _options: object, done: () => void) {
      void tell(request.getMessage()).then(done);
    },
  }));
