import { Host } from "../../../framework/host";
import type { Provider } from "../../../framework/provider";
import { Stack as EngineStack, outputOf, type Program } from "../../../framework/testing";
import { hostedApiToken } from "../../../provider/nouns/apiToken/lifecycle";
import { connect } from "../../../provider/shared/account/connection";
import { thisPackage } from "../../../provider/shared/strings";
import { connectConsumers, consumerOf, consumers } from "./consumer";
import { Judge } from "./judge";
import type { Command, Declared, Recorded } from "./model";
import { type Access, Process } from "./process";
import { Notes } from "./recorded";
import { watch } from "./watched";
import type { World } from "./world";

/** The process was killed: nothing of what its hooks do from here on is seen or kept by anybody. */
class Killed extends Error {}

/** A stack of tokens and their consumers, judged while the engine plays it. */
export class Stack {
  readonly name: string;
  /** Tokens that the engine removed without a hook: only the user's own option says so. */
  readonly retained = new Set<string>();
  /** Everything that a user got to see. */
  readonly told: string[] = [];
  /** The messages of the hooks that failed in the last command. */
  failures: readonly string[] = [];
  readonly #engine: EngineStack;
  readonly #judge: Judge;
  readonly #world: World;
  readonly #notes = new Notes();
  readonly #access: Pick<Access, "baseUrl" | "profile">;
  #command: Command = { kind: "up", credentials: {} };
  /** The process that was opened last, by its provider. */
  readonly #processes = new Map<string, Process>();

  constructor(
    name: string,
    world: World,
    { seesOptions, ...access }: Pick<Access, "baseUrl" | "profile"> & { readonly seesOptions: boolean },
  ) {
    this.name = name;
    this.#world = world;
    this.#access = access;
    this.#judge = new Judge(this, world);
    world.watchers.set(name, this.#judge);
    const failing = () => (this.#command.failing ?? []).map(consumerOf);
    const resources = { ApiToken: hostedApiToken, Consumer: consumers(failing) };
    const provider = { ...thisPackage, version: "1.0.0", connect, resources, functions: {} } as unknown as Provider;
    this.#engine = new EngineStack(provider, {
      form: seesOptions ? "dynamic" : "native",
      startHost: (tell, form, name) => {
        if (name === sink) return new Host(connectConsumers, tell, form);
        const { credentials, notFound, ahead = 0 } = this.#command;
        const now = () => new Date(world.now.getTime() + ahead);
        const access = { ...this.#access, accessToken: credentials[name] ?? "", notFound };
        const process = new Process(access, now, tell, form);
        this.#processes.set(name, process);
        return process.host;
      },
      hear: (message) => this.#tell(message),
      watch: (engine, name) => {
        const process = this.#processes.get(name);
        return process ? watch(engine, process, this.#judge, this.#notes, () => this.#requireAlive()) : engine;
      },
    });
  }

  /** The tokens. */
  get all(): readonly Recorded[] {
    return this.#engine.resources.filter(({ type }) => type === "ApiToken").map((one) => this.#notes.read(one));
  }

  find(name: string): Recorded | undefined {
    return this.all.find(({ key, isPending }) => key === name && !isPending);
  }

  /** By the key of a token, the id of the one whose secret its consumer has. */
  get consumers(): Readonly<Record<string, unknown>> {
    const known = this.#engine.resources.filter(({ type }) => type === "Consumer");
    return Object.fromEntries(known.map(({ name, outputs }) => [name, outputs.token]));
  }

  /** Names of creates that were under way when the process ended. */
  get pendingCreates(): readonly string[] {
    const isOwn = ({ adopt }: { readonly adopt?: unknown }) => adopt === undefined;
    return this.#engine.pending
      .filter(({ hook, inputs }) => hook === "create" && isOwn(inputs))
      .map(({ inputs }) => String(inputs.name));
  }

  /** Runs a command in processes of its own, which end with it, or before. */
  async run(command: Command, program: ReadonlyMap<string, Declared>): Promise<void> {
    this.#command = command;
    this.#judge.begin();
    this.#processes.clear();
    const before = this.#engine.resources;
    const names = new Set([
      ...before.map(({ name }) => name),
      ...program.keys(),
      ...[...program.keys()].map(consumerOf),
    ]);
    const isKnown = (name: string) => names.has(name);
    const kept = (command.replace ?? []).filter((key) => before.some(({ name }) => name === key));
    const select = (some: readonly string[] | undefined) => {
      const known = some?.filter(isKnown) ?? [];
      return known.length > 0 ? known : undefined;
    };
    const { failures } = await this.#engine.run({
      command: command.kind === "up --refresh" ? "up" : command.kind,
      refresh: command.kind === "up --refresh",
      program: programOf(program, command),
      continueOnError: command.goesOn === true,
      target: select(command.target),
      exclude: select(command.exclude),
      ...(kept.length > 0 && { replace: kept }),
      killed: () => this.#world.isCutOff,
    });
    this.failures = failures;
    for (const failure of failures) this.told.push(failure);
    this.#noteRetained(before);
  }

  /** The engine removes an object with the option `retainOnDelete` without a call. */
  #noteRetained(before: readonly Parameters<Notes["read"]>[0][]): void {
    const present = new Set(this.all.map(({ key, id }) => `${key} ${id}`));
    for (const one of before) {
      const known = this.#notes.read(one);
      if (
        (one as { type?: string }).type !== "ApiToken" ||
        !known.isRetained ||
        present.has(`${known.key} ${known.id}`)
      )
        continue;
      if (!this.#world.isLive(known.id)) continue;
      this.retained.add(known.id);
      if (!this.#world.isCutOff) this.#judge.retained(known);
    }
  }

  /** A user sees at once what is told, whatever becomes of the process afterwards. */
  #tell(message: string): void {
    if (this.#world.isCutOff) return;
    this.told.push(message);
    this.#judge.tell(message);
  }

  #requireAlive(): void {
    if (this.#world.isCutOff) throw new Killed();
  }
}

/** The provider of the consumers. */
const sink = "sink";

/** Each token is followed by its consumer. */
function programOf(program: ReadonlyMap<string, Declared>, { onChanges = [] }: Command): Program {
  const declared = [...program].flatMap(([key, { args, provider, alias, deleteBeforeReplace, retainOnDelete }]) => {
    const options = {
      provider,
      ...(alias !== undefined && { alias }),
      // A program that declares both is refused.
      deleteBeforeReplace: deleteBeforeReplace === true && args.rotation?.overlap === undefined,
      retainOnDelete: retainOnDelete === true,
      ...(onChanges.includes(key) && { replaceOnChanges: ["*"] }),
    };
    const token = { type: "ApiToken", args: { ...args }, options };
    const consumer = {
      type: "Consumer",
      args: { token: outputOf(key, "id") },
      options: { provider: sink, ...(alias !== undefined && { alias: consumerOf(alias) }) },
    };
    return [
      [key, token],
      [consumerOf(key), consumer],
    ];
  });
  return Object.fromEntries(declared);
}
