import { hashCredential, type PresentAccount } from "../../../provider/lifecycle/account";
import { isPartialCreate, type Plan } from "../../../provider/lifecycle/contract";
import { type ApiTokenInputs, type ApiTokenState, apiToken } from "../../../provider/lifecycle/token/apiToken";
import { EventDatasets, type Profile } from "../../../sdk";
import { defined } from "../../../sdk/values/defined";
import { type NotedSession, planOf, sessionOf } from "../../support/session";
import type { World } from "./world";

interface Recorded {
  readonly id: string;
  readonly inputs: ApiTokenInputs;
  readonly state: ApiTokenState;
}

/** What a program declares of a token. */
export type Declared = Readonly<Record<string, unknown>>;

/** With what a command runs. */
export interface Access {
  readonly credential: string;
  /** The user's own name of the account. */
  readonly label: string | undefined;
}

/** What the hooks of one command share. */
interface Process {
  readonly session: NotedSession;
  readonly plan: Plan;
}

/** The process was killed: nothing of what its hooks do from here on is seen or kept by anybody. */
class Killed extends Error {}

/** A stack as the engine keeps it, driving the lifecycle in the engine's order. */
export class Stack {
  readonly resources = new Map<string, Recorded>();
  /** Old halves of replacements, and dropped resources, that could not be deleted yet. */
  readonly toDelete: Recorded[] = [];
  /** Names of creates that were under way when the process ended. */
  readonly pending: string[] = [];
  /** Everything that a user got to see. */
  readonly told: string[] = [];
  readonly #name: string;
  readonly #address: string;
  readonly #world: World;
  readonly #profile: Profile;
  #replaced = new Set<string>();
  #now = new Date("2026-11-21T12:00:00Z");

  constructor(name: string, address: string, world: World, profile: Profile) {
    this.#name = name;
    this.#address = address;
    this.#world = world;
    this.#profile = profile;
  }

  passTime(milliseconds: number): void {
    this.#now = new Date(this.#now.getTime() + milliseconds);
  }

  get #all(): Recorded[] {
    return [...this.resources.values(), ...this.toDelete];
  }

  manages(id: string): boolean {
    return this.#all.some((one) => one.id === id);
  }

  /** Everything that is recorded but for the secrets. */
  recordedBesideSecrets(): string {
    return JSON.stringify(this.#all.map(({ state: { token: _, ...rest }, inputs }) => [rest, inputs]));
  }

  /** Whether this stack may revoke a token: one that it made, or adopted and was told to revoke, or has replaced. */
  mayRevoke(id: string): boolean {
    const token = this.#world.live.get(id);
    const isAttempt = token?.by === this.#name && isGenerated(token.name) && !this.pending.includes(token.name);
    const recorded = this.#all.filter((one) => one.id === id);
    return (
      isAttempt ||
      recorded.some(({ state }) => !state.adopted || state.retire === "revoke") ||
      (recorded.length > 0 && this.#replaced.has(id))
    );
  }

  /** `pulumi up`: each resource that fails is left as it is, and what is done is kept. */
  async up(access: Access, declared: Readonly<Record<string, Declared>>): Promise<void> {
    await this.#command(access, async (process) => {
      this.#replaced = new Set();
      const replaced: Recorded[] = [...this.toDelete];
      const leave = (one: Recorded) => {
        replaced.push(one);
        this.toDelete.push(one);
      };
      for (const [name, news] of Object.entries(declared)) {
        await this.#reported(() => this.#step(process, name, news, leave));
      }
      for (const [name, one] of [...this.resources]) {
        if (Object.hasOwn(declared, name)) continue;
        await this.#reported(async () => {
          await apiToken.delete(process.session, one.id, one.state);
          this.#requireAlive();
          this.resources.delete(name);
        });
      }
      for (const one of replaced) {
        await this.#reported(async () => {
          await apiToken.delete(process.session, one.id, one.state);
          this.#requireAlive();
          this.toDelete.splice(this.toDelete.indexOf(one), 1);
        });
      }
    });
  }

  /** `pulumi refresh`. */
  async refresh(access: Access): Promise<void> {
    await this.#command(access, async ({ session }) => {
      for (const [name, one] of [...this.resources]) {
        await this.#reported(async () => {
          const found = await apiToken.read(session, one.id, one.state);
          this.#requireAlive();
          if (!found) this.resources.delete(name);
          else this.resources.set(name, { id: one.id, inputs: found.inputs ?? one.inputs, state: found.state });
        });
      }
    });
  }

  /** One command in a process of its own, which ends with it, or before. */
  async #command(access: Access, work: (process: Process) => Promise<void>): Promise<void> {
    await using client = new EventDatasets({
      baseUrl: this.#address,
      accessToken: access.credential,
      profile: this.#profile,
      sleep: async () => undefined,
      random: () => 0,
    });
    const here: PresentAccount = {
      baseUrl: this.#address,
      credentialHash: hashCredential(access.credential),
      ...defined({ account: access.label }),
    };
    // The user sees what is told at once, whatever becomes of the process afterwards.
    const tell = async (message: string) => void (this.#world.isCutOff || this.told.push(message));
    const session: NotedSession = { ...sessionOf(client, this.#now, here), warn: tell, inform: tell };
    const plan = planOf(this.#profile, {
      now: session.now,
      here,
      ledger: session.ledger,
      adoptions: session.adoptions,
    });
    try {
      await work({ session, plan });
    } catch (failure) {
      if (!(failure instanceof Killed)) throw failure;
    }
  }

  async #step(process: Process, name: string, declared: Declared, leave: (one: Recorded) => void): Promise<void> {
    const { session, plan } = process;
    const old = this.resources.get(name);
    const news = { autoName: name, ...declared };
    const checked = apiToken.check(old?.inputs as never, news, plan);
    const [failure] = checked.failures;
    if (failure) throw new Error(`${failure.property} ${failure.reason}`);
    if (!old) return this.#create(process, name, checked.inputs);

    const difference = apiToken.diff(old.id, old.state, checked.inputs, plan);
    if (difference.replaces.length > 0) {
      // The engine checks again without old inputs: a generated name is another one.
      const { inputs } = apiToken.check(undefined, news, plan);
      this.#replaced.add(old.id);
      await this.#create(process, name, inputs, () => leave(old));
    } else if (difference.changes) {
      const state = await apiToken.update(session, old.id, old.state, checked.inputs);
      this.#requireAlive();
      this.resources.set(name, { id: old.id, inputs: checked.inputs, state: asStored(state) });
    }
  }

  /** The engine notes a create before it begins, and takes the note away when it has the answer. */
  async #create({ session }: Process, name: string, inputs: ApiTokenInputs, leave = () => {}): Promise<void> {
    if (inputs.autoName === undefined) this.#world.beginCreate(inputs.name);
    const keep = (id: string, state: object) => {
      leave();
      this.resources.set(name, { id, inputs, state: asStored(state) as ApiTokenState });
    };
    try {
      const { id, state } = await apiToken.create(session, inputs);
      if (!this.#world.isCutOff) keep(id, state);
    } catch (failure) {
      if (!this.#world.isCutOff && isPartialCreate(failure)) keep(failure.id, failure.state);
      if (!this.#world.isCutOff) throw failure;
    }
    if (this.#world.isCutOff && inputs.adopt === undefined) this.pending.push(inputs.name);
    this.#requireAlive();
  }

  #requireAlive(): void {
    if (this.#world.isCutOff) throw new Killed();
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

const isGenerated = (name: string): boolean => /^[a-d]-[0-9a-f]{7}$/.test(name);

/** A state is JSON. */
const asStored = <T>(state: T): T => JSON.parse(JSON.stringify(state));
