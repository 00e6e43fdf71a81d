import type { Bag } from "../lifecycle";
import type { Provider } from "../provider";
import { type About, type Difference, PartialFailure, type Process, urnOf } from "./process";
import { type Call, type Command, type Found, isSelected, type Program } from "./program";
import type { Recorded, State } from "./state";

/** The engine was killed: nothing is seen or kept of what goes on. */
export class Killed extends Error {}

/** The command ends here; its failure was told. */
export class Stopped extends Error {}

/** An operation that was under way when the engine was killed. */
export interface PendingOperation {
  readonly hook: "create" | "update" | "delete";
  readonly name: string;
  readonly inputs: Bag;
}

export const namesOf = ({ all }: State): ReadonlySet<string> => new Set(all.map(({ name }) => name));

/** A command with its stack, and all that it has done so far. */
export class Run {
  readonly provider: Provider;
  readonly command: Command;
  readonly program: Program;
  readonly state: State;
  readonly openProcess: (provider: string) => Promise<Process>;
  readonly calls: Call[] = [];
  readonly found = new Map<string, Found>();
  readonly failures: string[] = [];
  readonly pending = new Set<PendingOperation>();
  /** The names of the resources whose steps failed, and of those that depend on them. */
  readonly skipped = new Set<string>();
  /** The names of new resources that the command does not select. */
  readonly uncreated = new Set<string>();
  /** The names that the program declares, earlier ones too. */
  readonly declared = new Set<string>();
  /** The names of objects that were deleted because a dependency of theirs is replaced. */
  readonly deleted = new Set<string>();
  /** The outputs that the program gets, by the names of resources. */
  readonly outputs = new Map<string, Bag>();
  /** The names in the state before the update. */
  known: ReadonlySet<string>;
  /** By earlier names, the present ones. */
  readonly renamed = new Map<string, string>();
  /** The objects whose steps failed. */
  readonly failed: Recorded[] = [];
  readonly #processes = new Map<string, Promise<Process>>();

  constructor(parts: Pick<Run, "provider" | "command" | "program" | "state" | "openProcess">) {
    this.provider = parts.provider;
    this.command = parts.command;
    this.program = parts.program;
    this.state = parts.state;
    this.openProcess = parts.openProcess;
    this.known = namesOf(this.state);
  }

  get isPreview(): boolean {
    return this.command.command === "preview";
  }

  isSelected = (name: string): boolean => isSelected(this.command, name);

  /** The process of a provider, and what a resource is to it. */
  async about(
    name: string,
    type: string,
    provider = "default",
  ): Promise<{ readonly process: Process; readonly about: About }> {
    const opened = this.#processes.get(provider) ?? this.openProcess(provider);
    this.#processes.set(provider, opened);
    const process = await opened;
    const resource = this.provider.resources[type];
    if (!resource) throw new Error(`there is no resource ${type}`);
    const { definition } = resource;
    return { process, about: { definition, urn: urnOf(process.tokenOf(definition), name) } };
  }

  /** Calls a hook. @throws Killed if the engine does not live to see the result */
  async call<T>(call: Call, work: () => Promise<T>): Promise<T> {
    const dies = (isDone: boolean) => {
      if (this.command.killed?.({ ...call, isDone })) throw new Killed();
    };
    dies(false);
    this.calls.push(call);
    try {
      return await work();
    } finally {
      dies(true);
    }
  }

  /** Calls a diff, and keeps what it found. */
  async diff(name: string, id: string, work: () => Promise<Difference>): Promise<Difference> {
    const difference = await this.call({ hook: "diff", name, id }, work);
    const { changes, replaces } = difference;
    this.found.set(name, { changes, replaces });
    return difference;
  }

  /** Calls a hook that changes the service, again if the program says so. */
  async operate<T>(
    operation: PendingOperation,
    id: string | undefined,
    work: (partial: PartialFailure | undefined) => Promise<T>,
  ): Promise<T> {
    const { hook, name } = operation;
    const repeats = this.program[name]?.options?.repeats;
    const failures: string[] = [];
    let partial: PartialFailure | undefined;
    // A preview asks at most the adapter.
    if (this.isPreview) return work(undefined);
    this.pending.add(operation);
    for (;;) {
      try {
        // An object that a create left behind is updated, since engine 3.264.
        const isUpdate = partial !== undefined && hook === "create";
        const about = isUpdate ? { hook: "update" as const, name, id: partial?.id ?? "" } : { hook, name };
        const result = await this.call({ ...about, ...(id !== undefined && { id }) }, () => work(partial));
        this.pending.delete(operation);
        return result;
      } catch (failure) {
        if (failure instanceof Killed) throw failure;
        if (failure instanceof PartialFailure) partial = failure;
        failures.push((failure as Error).message);
        if (failures.length < 100 && repeats?.(failures)) continue;
        this.pending.delete(operation);
        throw failure;
      }
    }
  }

  /** Takes a failure of a step down. @throws Stopped unless the command goes on */
  fail(failure: unknown, one: Recorded | undefined): void {
    if (failure instanceof Killed || failure instanceof Stopped) throw failure;
    this.failures.push((failure as Error).message);
    if (one) this.failed.push(one);
    if (!this.command.continueOnError) throw new Stopped();
  }

  /** Takes a failure down that ends every command. */
  stop(message: string): never {
    this.failures.push(message);
    throw new Stopped();
  }

  /** Takes a failure between steps down: it ends every command. */
  end = (failure: unknown): never => {
    if (failure instanceof Killed) throw failure;
    return this.stop((failure as Error).message);
  };

  async close(): Promise<void> {
    for (const process of this.#processes.values()) await process.then((open) => open.close()).catch(() => undefined);
  }
}
