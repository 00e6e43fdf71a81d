import { isPartialCreate } from "../../../framework/lifecycle";
import { scopeOf } from "../../../framework/update";
import { hashCredential, type PresentAccount } from "../../../provider/account/account";
import type { Plan } from "../../../provider/account/connection";
import { type ApiTokenInputs, type ApiTokenState, apiToken } from "../../../provider/apiToken/lifecycle";
import { EventDatasets, type Profile } from "../../../sdk";
import { defined } from "../../../values/defined";
import { type NotedSession, planOf, sessionOf } from "../../support/session";
import { lacksOverlap, mayRevoke, mustRevoke } from "./fates";
import { type Access, asStored, type Declared, omitSecret, type Recorded, type Ways } from "./model";
import type { World } from "./world";

/** The objects that the hooks of one command share. */
interface Process {
  readonly session: NotedSession;
  readonly plan: Plan;
}

/** One update: the process, and what it is to do. */
interface Up extends Process {
  readonly ways: Ways;
}

/** The process was killed: nothing of what its hooks do from here on is seen or kept by anybody. */
class Killed extends Error {}

/** A stack as the engine keeps it, driving the lifecycle in the engine's order. */
export class Stack {
  readonly resources = new Map<string, Recorded>();
  /** Old halves of replacements that could not be deleted yet: the successor of each was recorded. */
  readonly toDelete: Recorded[] = [];
  /** Names of creates that were under way when the process ended. */
  readonly pending: string[] = [];
  /** Everything that a user got to see. */
  readonly told: string[] = [];
  /** Names that were generated for creates. */
  readonly generated = new Set<string>();
  /** Every id that was ever recorded, with the resource that recorded it first. */
  readonly known = new Map<string, string>();
  /** The current command: the program's inputs, the resource that goes, the one whose place is free. */
  readonly planned = new Map<string, ApiTokenInputs>();
  /** Objects of this command that left the program, by name: their records tell what becomes of those that they replaced. */
  readonly dropped = new Map<string, Recorded>();
  /** The resources whose diff was asked for: only that tells what an earlier update decided. */
  readonly compared = new Set<string>();
  going: Recorded | undefined;
  vacated: { readonly one: Recorded; readonly mintedBefore: number } | undefined;
  credential = "";
  readonly name: string;
  readonly #address: string;
  readonly world: World;
  readonly profile: Profile;
  #declared: ReadonlySet<string> = new Set();

  constructor(name: string, address: string, world: World, profile: Profile) {
    this.name = name;
    this.#address = address;
    this.world = world;
    this.profile = profile;
  }

  get all(): Recorded[] {
    return [...this.resources.values(), ...this.toDelete];
  }

  manages(id: string): boolean {
    return this.all.some((one) => one.id === id);
  }

  /** Whether a declared resource has a token now, and is not about to lose it. */
  uses(id: string): boolean {
    return [...this.resources.values()].some(
      (one) => one.id === id && one !== this.going && this.#declared.has(one.name),
    );
  }

  /** Everything that is recorded but for the secrets. */
  recordedBesideSecrets(): string {
    return JSON.stringify(this.all.map(({ state: { token: _, ...rest }, inputs }) => [rest, omitSecret(inputs)]));
  }

  mayRevoke = (id: string): boolean => mayRevoke(this, id);

  /** `pulumi up`: each resource that fails is left as it is, and what is done is kept. */
  async up(access: Access, declared: Readonly<Record<string, Declared>>, ways: Ways): Promise<void> {
    this.#declared = new Set(Object.keys(declared));
    await this.#command(access, async (process) => {
      for (const [name, news] of Object.entries(declared)) {
        await this.#reported(() => this.#step({ ...process, ways }, name, news));
      }
      for (const one of [...this.resources.values()]) {
        if (this.#declared.has(one.name)) continue;
        await this.#reported(async () => {
          await this.#delete(process, one);
          this.resources.delete(one.name);
          this.dropped.set(one.name, one);
        });
      }
      for (const one of [...this.toDelete]) {
        await this.#reported(async () => {
          await this.#delete(process, one);
          this.toDelete.splice(this.toDelete.indexOf(one), 1);
          if (mustRevoke(this, one) && this.world.live.has(one.id))
            this.world.violations.push(`${this.name} replaced ${one.id}, and left it alive`);
        });
      }
    });
  }

  async #delete({ session }: Process, one: Recorded): Promise<void> {
    this.going = one;
    try {
      await apiToken.delete(session, one.id, one.state);
    } finally {
      this.going = undefined;
    }
    this.#requireAlive();
  }

  /** `pulumi refresh`. */
  async refresh(access: Access): Promise<void> {
    await this.#command(access, async ({ session }) => {
      for (const [name, one] of [...this.resources]) {
        await this.#reported(async () => {
          const found = await apiToken.read(session, one.id, one.state);
          this.#requireAlive();
          if (!found) this.resources.delete(name);
          else this.#record({ ...one, inputs: found.inputs ?? one.inputs, state: found.state });
        });
      }
    });
  }

  /** One command in a process of its own, which ends with it, or before. */
  async #command(access: Access, work: (process: Process) => Promise<void>): Promise<void> {
    await using client = new EventDatasets({
      baseUrl: this.#address,
      accessToken: access.credential,
      profile: this.profile,
      sleep: async () => undefined,
      random: () => 0,
    });
    const here: PresentAccount = {
      baseUrl: this.#address,
      credentialHash: hashCredential(access.credential),
      ...defined({ account: access.label }),
    };
    // The user sees what is told at once, whatever becomes of the process afterwards.
    const tell = async (message: string) => void (this.world.isCutOff || this.told.push(message));
    const session: NotedSession = { ...sessionOf(client, this.world.now, here), warn: tell, inform: tell };
    const plan = planOf(this.profile, {
      now: session.now,
      here,
      update: session.update,
    });
    this.credential = access.credential;
    this.planned.clear();
    this.dropped.clear();
    this.compared.clear();
    try {
      await work({ session, plan });
    } catch (failure) {
      if (!(failure instanceof Killed)) throw failure;
    }
  }

  async #step(up: Up, name: string, declared: Declared): Promise<void> {
    const { session, plan, ways } = up;
    const old = this.resources.get(name);
    const news = { key: name, ...declared };
    const isTarget = old !== undefined && ways.targets.has(name);
    const checked = this.#check(isTarget ? undefined : old, news, plan);
    if (!old) return this.#create(up, name, checked);

    if (!isTarget) this.compared.add(name);
    const difference = isTarget ? { changes: true, replaces: ["id"] } : apiToken.diff(old.id, old.state, checked, plan);
    const isReplaced = difference.replaces.length > 0 || (difference.changes && ways.onChanges.has(name));
    // The engine checks again without old inputs: a generated name is another one.
    if (isReplaced) return this.#replace(up, old, this.#check(undefined, news, plan));
    if (!difference.changes) return;
    const state = await apiToken.update(session, old.id, old.state, checked);
    this.#requireAlive();
    this.#record({ name, id: old.id, inputs: checked, state: asStored(state) });
  }

  #check(old: Recorded | undefined, news: Declared & { key: string }, plan: Plan): ApiTokenInputs {
    const { inputs, failures } = apiToken.check(old?.inputs as never, news, plan);
    const [failure] = failures;
    this.planned.set(news.key, inputs);
    plan.update.declare(scopeOf("ApiToken", news.key), inputs);
    if (failure) throw new Error(`${failure.property} ${failure.reason}`);
    return inputs;
  }

  async #replace(up: Up, old: Recorded, inputs: ApiTokenInputs): Promise<void> {
    if (!up.ways.deleteBeforeReplace.has(old.name)) {
      await this.#create(up, old.name, inputs, () => this.toDelete.push(old));
      if (this.compared.has(old.name) && lacksOverlap(this, old, inputs))
        this.world.violations.push(`${this.name} replaced ${old.id} without the overlap that was declared`);
      return;
    }
    await this.#delete(up, old);
    this.resources.delete(old.name);
    this.vacated = { one: old, mintedBefore: this.world.secrets.length };
    try {
      await this.#create(up, old.name, inputs);
    } finally {
      this.vacated = undefined;
    }
  }

  #record(one: Recorded): void {
    this.resources.set(one.name, one);
    if (!this.known.has(one.id)) this.known.set(one.id, one.name);
  }

  /** The engine notes a create before it begins, and takes the note away when it has the answer. */
  async #create({ session }: Process, name: string, inputs: ApiTokenInputs, leave = () => {}): Promise<void> {
    if (inputs.chosenName) this.world.beginCreate(inputs.name);
    else this.generated.add(inputs.name);
    const keep = (id: string, state: object) => {
      leave();
      this.#record({ name, id, inputs, state: asStored(state) as ApiTokenState });
    };
    try {
      const { id, state } = await apiToken.create(session, inputs);
      if (!this.world.isCutOff) keep(id, state);
    } catch (failure) {
      if (!this.world.isCutOff && isPartialCreate(failure)) keep(failure.id, failure.state);
      if (!this.world.isCutOff) throw failure;
    }
    if (this.world.isCutOff && inputs.adopt === undefined) this.pending.push(inputs.name);
    this.#requireAlive();
  }

  #requireAlive(): void {
    if (this.world.isCutOff) throw new Killed();
  }

  async #reported(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      this.#requireAlive();
      this.told.push((failure as Error).message);
    }
  }
}
