import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { Hooks } from "../../framework/hooks";
import type { Bag } from "../../framework/lifecycle";
import { hostedDataset } from "../../provider/nouns/dataset/lifecycle";
import { EventDatasets, scalar } from "../../sdk";
import { startTemporaryEmulator } from "../support/deployment";
import { startHost, tellNobody } from "../support/host";
import { firstSeed, type Random, randomOf, runsOf } from "./random";

// Random histories of datasets: updates, replacements, removals, refreshes, lost responses, new processes, the wrong account, and
// other people. No history ends with fewer events than before without a recorded `deleteEvents: true`.

const steps = 8;

interface Recorded {
  readonly id: string;
  readonly inputs: Bag;
  readonly state: Bag;
}

interface Account {
  readonly service: Emulator;
  readonly client: EventDatasets;
}

let accounts: readonly Account[] = [];
beforeAll(async () => {
  // The clocks differ, so that a time of creation tells the accounts apart.
  const clocks = [() => new Date(), () => new Date(Date.now() - 86_400_000)];
  const opening = clocks.map(async (now) => {
    const service = await startTemporaryEmulator({ profile: "extended", now });
    const client = new EventDatasets({ baseUrl: service.url, accessToken: service.rootToken, profile: "extended" });
    return { service, client };
  });
  accounts = await Promise.all(opening);
});
afterAll(async () => {
  for (const { client, service } of accounts) {
    await client.close();
    await service[Symbol.asyncDispose]();
  }
});

/** How many events each dataset has that a history can be about. The time of creation is a part of what it is called here. */
async function countEvents(prefix: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { service, client } of accounts)
    for (const { id, created } of service.datasets.list().filter((one) => one.id.startsWith(prefix))) {
      const result = await client.queries.apl({ apl: `['${id}'] | summarize count()` });
      counts.set(`${id} ${created}`, Number(scalar(result)));
    }
  return counts;
}

/** Fills datasets that have no events, with one that a retention of 30 days deletes. */
async function fill(prefix: string): Promise<void> {
  const counts = await countEvents(prefix);
  for (const { service } of accounts)
    for (const { id, created } of service.datasets.list())
      if (counts.get(`${id} ${created}`) === 0)
        await service.ingest(id, [{ n: 1 }, { _time: new Date(Date.now() - 40 * 86_400_000).toISOString(), n: 2 }]);
}

/** One stack, as the engine plays it. */
class Stack {
  readonly #random: Random;
  readonly #prefix: string;
  readonly resources = new Map<string, Recorded>();
  readonly pending: Recorded[] = [];

  constructor(random: Random, prefix: string) {
    this.#random = random;
    this.#prefix = prefix;
  }

  /** The datasets whose events a recorded word gives up. */
  permits(): Set<string> {
    const all = [...this.resources.values(), ...this.pending].map(({ id, state }) => ({ id, ...state }) as Bag);
    const given = all.filter(({ deleteEvents }) => deleteEvents === true);
    return new Set(given.map(({ id, createdAt }) => `${id} ${createdAt}`));
  }

  hooks(account = this.#random.chance(0.85) ? 0 : 1): Hooks {
    const { service } = accounts[account] as Account;
    if (this.#random.chance(0.2)) {
      const method = this.#random.pick(["POST", "PUT", "DELETE"]);
      service.inject({ method, path: "/v2/datasets*", action: { kind: "close-before-response" } });
    }
    const settings = { baseUrl: service.url, accessToken: service.rootToken, profile: "extended" } as const;
    return new Hooks(hostedDataset, startHost(settings));
  }

  #declare(key: string): Bag {
    const { pick, chance } = this.#random;
    const names = [`${this.#prefix}-a`, `${this.#prefix}-b`];
    return {
      key,
      ...(chance(0.8) && { name: pick(names) }),
      ...(chance(0.3) && { description: pick(["x", "y"]) }),
      ...(chance(0.3) && { retentionDays: pick([30, 90]) }),
      ...(chance(0.2) && { kind: pick(["axiom:events:v1", "otel:logs:v1"]) }),
      ...(chance(0.6) && { deleteEvents: pick([true, true, false]) }),
      ...(chance(0.4) && { adopt: true }),
    };
  }

  async update(): Promise<void> {
    const { chance } = this.#random;
    let hooks = this.hooks();
    const declared = [`${this.#prefix}r`, `${this.#prefix}s`]
      .filter(() => chance(0.7))
      .map((key) => this.#declare(key));
    for (const news of declared) await this.#apply(hooks, news);
    const kept = declared.map(({ key }) => key);
    for (const [key, recorded] of this.resources) {
      if (kept.includes(key)) continue;
      this.resources.delete(key);
      this.pending.push(recorded);
    }
    // A killed engine deletes what is pending in the next update, which another process plays.
    if (chance(0.3)) hooks = this.hooks();
    for (const recorded of this.pending.splice(0))
      await hooks
        .delete(recorded.id, recorded.state)
        .then(() => chance(0.1) && this.pending.push(recorded)) // killed before it was recorded
        .catch(() => this.pending.push(recorded));
  }

  async #apply(hooks: Hooks, news: Bag): Promise<void> {
    const key = String(news.key);
    const old = this.resources.get(key);
    const checked = await hooks.check(old?.inputs, news, tellNobody);
    if (checked.reasons.length > 0) return;
    if (!old) return await this.#create(hooks, key, checked.inputs);
    const isForced = this.#random.chance(0.15);
    const plan = isForced
      ? { changes: true, replaces: ["name"] }
      : await hooks.diff(old.id, () => old.state, checked.inputs, tellNobody);
    if (plan.replaces.length > 0) {
      const again = await hooks.check(undefined, news, tellNobody);
      if (again.reasons.length > 0) return;
      if (this.#random.chance(0.2)) {
        this.resources.delete(key);
        await hooks.delete(old.id, old.state);
        return await this.#create(hooks, key, again.inputs);
      }
      await this.#create(hooks, key, again.inputs);
      this.pending.push(old);
    } else if (plan.changes) {
      const state = await hooks.update(old.id, old.state, checked.inputs);
      this.resources.set(key, { id: old.id, inputs: checked.inputs, state });
    }
  }

  async #create(hooks: Hooks, key: string, inputs: Bag): Promise<void> {
    const { id, state } = await hooks.create(inputs);
    // An engine that is killed now has recorded nothing.
    if (this.#random.chance(0.1)) return;
    this.resources.set(key, { id, inputs, state });
  }

  async refresh(): Promise<void> {
    const hooks = this.hooks();
    for (const [key, { id, inputs, state }] of this.resources) {
      const found = await hooks.read(id, state);
      if (found) this.resources.set(key, { id, inputs: found.inputs ?? inputs, state: found.state });
      else this.resources.delete(key);
    }
  }
}

/** Somebody else deletes a dataset, makes one, or makes one anew. */
async function meddle({ pick, chance }: Random, prefix: string): Promise<void> {
  const { service } = pick(accounts);
  const id = `${prefix}-${pick(["a", "b"])}`;
  const isThere = service.datasets.list().some((one) => one.id === id);
  if (isThere) await service.datasets.remove(id);
  if (!isThere || chance(0.7)) await service.ingest(id, [{ n: 1 }]);
}

test.each(Array.from({ length: runsOf(40) }, (_, n) => firstSeed() + n))("history %i loses no events", async (seed) => {
  const random = randomOf(seed);
  const prefix = `h${seed}x`;
  const stack = new Stack(random, prefix);
  for (let step = 0; step < steps; step += 1) {
    if (random.chance(0.4)) await meddle(random, prefix);
    await fill(prefix);
    const [before, permits] = [await countEvents(prefix), stack.permits()];
    const act = random.chance(0.25) ? () => stack.refresh() : () => stack.update();
    await act().catch(() => undefined);
    const after = await countEvents(prefix);
    const lost = [...before].filter(([name, count]) => (after.get(name) ?? 0) < count && !permits.has(name));
    expect({ step, lost }).toEqual({ step, lost: [] });
  }
});
