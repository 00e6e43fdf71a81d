import type { ApiTokenInputs, ApiTokenState } from "../../provider/apiToken/lifecycle";
import { EventDatasets, type Profile } from "../../sdk";
import { startTemporaryEmulator } from "./deployment";
import { startProcess } from "./tokenHooks";

/** The key of the resource that the tests are about, and an expiry that none of them reaches. */
export const key = "ci";
export const expiresAt = "2099-01-01T00:00:00Z";

/** The service, and processes that work on it one after another. */
export async function begin() {
  const service = await startTemporaryEmulator({ profile: "extended" });
  const { url: baseUrl, rootToken } = service;
  const client = new EventDatasets({ baseUrl, accessToken: rootToken, profile: "extended" });
  return {
    service,
    client,
    start: (accessToken = rootToken, profile: Profile = "extended") => startProcess({ baseUrl, accessToken, profile }),
    ids: () => service.tokens.list().map(({ id }) => id),
    deleted: () => service.calls.filter(({ method }) => method === "DELETE").map(({ path }) => path.split("/").at(-1)),
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

/** The process of an update that replaces a token, by another description, and has not deleted it yet. */
export async function replaceToken({ start }: World, old: Recorded, news: object) {
  const update = start();
  const inputs = await update.check({ key, expiresAt, description: "new", ...news }, old.inputs);
  const { replaces } = await update.diff(old.id, old.state, inputs);
  const successor: Recorded = { inputs, ...(await update.create(inputs)) };
  return { update, replaces, successor };
}
