import { isPartialCreate } from "../../../provider/lifecycle/contract";
import { type ApiTokenInputs, type ApiTokenState, apiToken } from "../../../provider/lifecycle/token/apiToken";
import type { EventDatasets, Profile } from "../../../sdk";
import { type NotedSession, planOf, sessionOf } from "../../support/session";

interface Recorded {
  readonly id: string;
  readonly inputs: ApiTokenInputs;
  readonly state: ApiTokenState;
}

/** What a program declares of a token. */
export type Declared = Readonly<Record<string, unknown>>;

/** A stack as the engine keeps it, driving the lifecycle in the engine's order. */
export class Stack {
  readonly resources = new Map<string, Recorded>();
  /** Old halves of replacements that could not be deleted yet. */
  readonly toDelete: Recorded[] = [];
  /** Names of creates that were under way when the process ended. */
  readonly pending: string[] = [];
  /** Everything that a user got to see. */
  readonly told: string[] = [];
  readonly #profile: Profile;
  #deleting: readonly Recorded[] = [];
  #now = new Date("2026-11-21T12:00:00Z");

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  passTime(milliseconds: number): void {
    this.#now = new Date(this.#now.getTime() + milliseconds);
  }

  manages(id: string): boolean {
    return [...this.resources.values(), ...this.toDelete, ...this.#deleting].some((one) => one.id === id);
  }

  /** `pulumi up`; stops at the first failure, as the engine does for what depends on it, and keeps what is done. */
  async up(client: EventDatasets, declared: Readonly<Record<string, Declared>>, killAt?: string): Promise<void> {
    const session = this.#sessionOf(client);
    const replaced: Recorded[] = [...this.toDelete.splice(0)];
    for (const [name, news] of Object.entries(declared)) {
      if (name === killAt) {
        await this.#killedCreate(session, name, news);
        this.toDelete.push(...replaced);
        return;
      }
      await this.#reported(() => this.#step(session, name, news, replaced));
    }
    for (const [name, one] of this.resources) {
      if (Object.hasOwn(declared, name)) continue;
      this.resources.delete(name);
      replaced.push(one);
    }
    this.#deleting = replaced;
    for (const one of replaced) {
      const done = await this.#reported(() => apiToken.delete(session, one.id, one.state));
      if (!done) this.toDelete.push(one);
    }
    this.#deleting = [];
  }

  /** `pulumi refresh`. */
  async refresh(client: EventDatasets): Promise<void> {
    const session = this.#sessionOf(client);
    for (const [name, one] of [...this.resources]) {
      await this.#reported(async () => {
        const found = await apiToken.read(session, one.id, one.state);
        if (!found) this.resources.delete(name);
        else this.resources.set(name, { id: one.id, inputs: found.inputs ?? one.inputs, state: found.state });
      });
    }
  }

  /** The user sees what is told at once, whatever becomes of the process. */
  #sessionOf(client: EventDatasets): NotedSession {
    const tell = async (message: string) => void this.told.push(message);
    return { ...sessionOf(client, this.#now), warn: tell, inform: tell };
  }

  async #step(session: NotedSession, name: string, declared: Declared, replaced: Recorded[]): Promise<void> {
    const old = this.resources.get(name);
    const plan = planOf(this.#profile, { now: session.now });
    const news = declared.name === undefined ? { autoName: name, ...declared } : declared;
    const checked = apiToken.check(old?.inputs as never, news, plan);
    const [failure] = checked.failures;
    if (failure) throw new Error(`${failure.property} ${failure.reason}`);
    if (!old) return void this.resources.set(name, await this.#create(session, name, checked.inputs));

    const difference = apiToken.diff(old.id, old.state, checked.inputs, plan);
    if (difference.replaces.length > 0) {
      // The engine checks again without old inputs: a generated name is another one.
      const { inputs } = apiToken.check(undefined, news, plan);
      const next = await this.#create(session, name, inputs, () => replaced.push(old));
      replaced.push(old);
      this.resources.set(name, next);
    } else if (difference.changes) {
      const state = await apiToken.update(session, old.id, old.state, checked.inputs);
      this.resources.set(name, { id: old.id, inputs: checked.inputs, state: asStored(state) });
    }
  }

  async #create(
    session: NotedSession,
    name: string,
    inputs: ApiTokenInputs,
    onPartial: () => void = () => undefined,
  ): Promise<Recorded> {
    try {
      const { id, state } = await apiToken.create(session, inputs);
      return { id, inputs, state: asStored(state) };
    } catch (failure) {
      if (isPartialCreate(failure)) {
        onPartial();
        this.resources.set(name, { id: failure.id, inputs, state: asStored(failure.state) as ApiTokenState });
      }
      throw failure;
    }
  }

  /** The process ends after its request left: nothing of what it learns is kept but the pending create. */
  async #killedCreate(session: NotedSession, name: string, declared: Declared): Promise<void> {
    if (this.resources.has(name) || declared.adopt !== undefined) return;
    const plan = planOf(this.#profile, { now: session.now });
    const { inputs } = apiToken.check(undefined, { autoName: name, ...declared }, plan);
    this.pending.push(inputs.name);
    await session.client.tokens.create({ name: inputs.name }).catch(() => undefined);
  }

  async #reported(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (failure) {
      this.told.push((failure as Error).message);
      return false;
    }
  }
}

/** A state is JSON. */
const asStored = <T>(state: T): T => JSON.parse(JSON.stringify(state));
