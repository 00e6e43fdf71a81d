import { expect } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator";
import { Hooks } from "../../framework/hooks";
import type { Host } from "../../framework/host";
import type { Bag, Tell } from "../../framework/lifecycle";
import type { ApiTokenInputs, ApiTokenState } from "../../provider/nouns/apiToken/definition";
import { hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import { EventDatasets, type Profile } from "../../sdk";
import { connect } from "../support/client";
import { startTemporaryEmulator } from "../support/deployment";
import { type ProcessSettings, sessionOf, startHost } from "../support/session";

/** The hooks of tokens that a host runs. */
export function hooksOf(host: Host, tell: Tell) {
  const hooks = new Hooks(hostedApiToken, host);
  const bag = (value: object) => value as Bag;
  return {
    /** The inputs as the engine hands them to the other hooks. */
    async check(news: object, olds?: object): Promise<ApiTokenInputs> {
      const { inputs, reasons } = await hooks.check(olds && bag(olds), bag(news), tell);
      if (reasons.length > 0) throw new Error(reasons.join("; "));
      return inputs as unknown as ApiTokenInputs;
    },
    diff: (id: string, state: object, inputs: object) => hooks.diff(id, () => bag(state), bag(inputs), tell),
    async create(inputs: object): Promise<{ readonly id: string; readonly state: ApiTokenState }> {
      const { id, state } = await hooks.create(bag(inputs), tell);
      return { id, state: state as unknown as ApiTokenState };
    },
    read: (id: string, state: object) => hooks.read(id, bag(state), tell),
    async update(id: string, state: object, inputs: object): Promise<ApiTokenState> {
      return (await hooks.update(id, bag(state), bag(inputs), tell)) as unknown as ApiTokenState;
    },
    delete: (id: string, state: object) => hooks.delete(id, bag(state), tell),
  };
}

/** The hooks of tokens in the process of a new update. */
export function startProcess(settings: ProcessSettings) {
  const told: string[] = [];
  const tell = {
    warn: async (message: string) => void told.push(message),
    inform: async (message: string) => void told.push(message),
  };
  /** `told`: everything that a user is told, warnings and notes. */
  return { told, ...hooksOf(startHost(settings, tell), tell) };
}

/** The key of the resource that the tests are about, and an expiry that none of them reaches. */
export const key = "ci";
export const expiresAt = "2099-01-01T00:00:00Z";

/** The service, and processes that work on it one after another. */
export async function begin(profile: Profile = "extended") {
  const service = await startTemporaryEmulator({ profile });
  const { url: baseUrl, rootToken } = service;
  const client = new EventDatasets({ baseUrl, accessToken: rootToken, profile });
  return {
    service,
    client,
    start: (accessToken = rootToken) => startProcess({ baseUrl, accessToken, profile }),
    ids: () => service.tokens.list().map(({ id }) => id),
    expiryOf: (id: string) => service.tokens.list().find((token) => token.id === id)?.expiresAt,
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

export type World = Awaited<ReturnType<typeof begin>>;

/** A token as a process left it. */
export interface Recorded {
  readonly id: string;
  readonly inputs: ApiTokenInputs;
  readonly state: ApiTokenState;
}

/** Creates a token in an update of its own. */
export async function createFirst({ start }: World, news: object): Promise<Recorded> {
  const first = start();
  const inputs = await first.check({ key, expiresAt, ...news });
  return { inputs, ...(await first.create(inputs)) };
}

/** A token that existed, adopted in one update; `adopt` is removed in the next. */
export async function adoptFirst(world: World, news: object = {}): Promise<Recorded> {
  const { id } = await world.client.tokens.create({ name: "by-hand", expiresAt });
  return createFirst(world, { ...news, adopt: { id }, name: "by-hand" });
}

/** The process of an update that declares something new for a token, after its check and its diff. */
export async function planNext({ start }: World, { id, state, inputs: olds }: Recorded, news: object) {
  const update = start();
  const inputs = await update.check({ key, expiresAt, ...news }, olds);
  const { changes, replaces } = await update.diff(id, state, inputs);
  // Before a replacement the engine checks again, without the earlier inputs.
  const create = async (): Promise<Recorded> => {
    const again = await update.check({ key, expiresAt, ...news });
    return { inputs: again, ...(await update.create(again)) };
  };
  return { update, inputs, changes, replaces, create };
}

/** The outcome of an update for a token. */
export interface Played {
  /** The words of the preview; with the engine the update repeats it. */
  readonly preview: string;
  readonly told: string;
  readonly successor?: Recorded;
}

type Way = (world: World, old: Recorded, news: object) => Promise<Played>;

/** The update that creates a successor, and the process that deletes the old token. */
export async function replace(world: World, old: Recorded, news: object, isElsewhere = false): Promise<Played> {
  const { update, create } = await planNext(world, old, { description: "new", ...news });
  const preview = update.told.join("\n");
  const successor = await create();
  const deleting = isElsewhere ? world.start() : update;
  await deleting.delete(old.id, old.state);
  return { preview, told: deleting.told.join("\n"), successor };
}

/** An update that ended after the successor was recorded. */
export async function interrupt(world: World, old: Recorded, news: object): Promise<Recorded> {
  const { create } = await planNext(world, old, { description: "new", ...news });
  return create();
}

export type WayName =
  | "in one process"
  | "with another provider"
  | "by --replace"
  | "after an interruption, by the next up"
  | "after an interruption, by a destroy"
  | "with deleteBeforeReplace"
  | "removed";

/** The ways in which the engine can give a token up. */
export const ways: Readonly<Record<WayName, Way>> = {
  "in one process": replace,
  // An old object is deleted by the process of its old provider reference.
  "with another provider": (world, old, news) => replace(world, old, news, true),
  // Check and create, and no diff.
  "by --replace": async ({ start }, old, news) => {
    const update = start();
    const inputs = await update.check({ key, expiresAt, ...news });
    const successor = { inputs, ...(await update.create(inputs)) };
    await update.delete(old.id, old.state);
    return { preview: "", told: update.told.join("\n"), successor };
  },
  "after an interruption, by the next up": async (world, old, news) => {
    const successor = await interrupt(world, old, news);
    const { update, changes } = await planNext(world, successor, { description: "new", ...news });
    expect(changes).toBe(false);
    await update.delete(old.id, old.state);
    return { preview: "", told: update.told.join("\n"), successor };
  },
  "after an interruption, by a destroy": async (world, old, news) => {
    const successor = await interrupt(world, old, news);
    const { delete: remove, told } = world.start();
    await remove(old.id, old.state);
    return { preview: "", told: told.join("\n"), successor };
  },
  "with deleteBeforeReplace": async (world, old, news) => {
    const { update, create } = await planNext(world, old, { description: "new", ...news });
    const preview = update.told.join("\n");
    await update.delete(old.id, old.state);
    return { preview, told: update.told.join("\n"), successor: await create() };
  },
  removed: async ({ start }, old) => {
    const { delete: remove, told } = start();
    await remove(old.id, old.state);
    return { preview: "", told: told.join("\n") };
  },
};

/** The local service, and a session on it. */
export async function beginSession(options: Partial<EmulatorOptions> = {}) {
  const service = await startTemporaryEmulator(options);
  const client = connect(service.url, { accessToken: service.rootToken, profile: options.profile ?? "documented" });
  return {
    service,
    client,
    session: sessionOf(client),
    /** "POST /v2/tokens 200" for each call, in order. */
    calls: () => service.calls.map(({ method, path, status }) => `${method} ${path} ${status}`),
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}
