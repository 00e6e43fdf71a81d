import { expect } from "@jest/globals";
import { expiresAt, key, planNext, type Recorded, type World } from "./tokenWorld";

/** What an update did with a token. */
export interface Played {
  /** What the preview said; with the engine the update repeats it. */
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
