import type { ApiTokenInputs, ApiTokenState } from "../../provider/apiToken/definition";
import { EventDatasets, type Profile } from "../../sdk";
import { startTemporaryEmulator } from "./deployment";
import { startProcess } from "./tokenHooks";

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
