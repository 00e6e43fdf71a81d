import type { EmulatorOptions } from "../../emulator";
import type { Options } from "../../framework/testing";
import { Clock, testTime } from "../support/host";
import { begin, dataset, type World } from "../support/story";

export const created = testTime.toISOString();

/** The dataset `web`. */
export const web = (args: object = {}, options: Options = {}) => dataset({ name: "web", ...args }, options);

/** An account of its own, whose clock stands still. */
export const beginEmpty = (options: Partial<EmulatorOptions> = {}) =>
  begin("extended", { clock: new Clock(testTime), ...options });

/** One with the dataset `web`, which has three events. */
export async function beginFull(args: object = {}, options: Partial<EmulatorOptions> = {}): Promise<World> {
  const world = await beginEmpty(options);
  await world.up({ web: web(args) });
  await world.service.ingest("web", [{ n: 1 }, { n: 2 }, { n: 3 }]);
  return world;
}

export async function eventsOf({ client }: Pick<World, "client">): Promise<unknown> {
  const { buckets } = await client.queries.apl({ apl: "['web'] | summarize count()" });
  return buckets.totals[0]?.aggregations?.[0]?.value;
}
