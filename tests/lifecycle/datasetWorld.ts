import type { EmulatorOptions } from "../../emulator";
import type { DatasetInputs, DatasetState } from "../../provider/nouns/dataset/definition";
import { dataset } from "../../provider/nouns/dataset/lifecycle";
import { planOf, testTime } from "../support/session";
import { beginSession } from "./tokenWorld";

const extended = planOf("extended");
export const web: DatasetInputs = { key: "web", name: "web", chosenName: true };
export const created = testTime.toISOString();

type World = Awaited<ReturnType<typeof begin>>;

/** An account of its own, whose clock stands still. */
export const begin = (options: Partial<EmulatorOptions> = {}) =>
  beginSession({ profile: "extended", now: () => testTime, ...options });

/** An account with a dataset that has three events. */
export async function createFull(inputs: DatasetInputs = web, options: Partial<EmulatorOptions> = {}) {
  const it = await begin(options);
  const made = await dataset.create(it.session, inputs);
  await it.service.ingest(made.id, [{ n: 1 }, { n: 2 }, { n: 3 }]);
  return { ...it, ...made };
}

export const eventsOf = async ({ client }: Pick<World, "client">, name = "web") => {
  const { buckets } = await client.queries.apl({ apl: `['${name}'] | summarize count()` });
  return buckets.totals[0]?.aggregations?.[0]?.value;
};
export const writes = ({ calls }: Pick<World, "calls">) =>
  calls().filter((call) => /^(POST|PUT|DELETE) \/v2/.test(call));
export const diff = (state: DatasetState, inputs: DatasetInputs, id = "web") =>
  dataset.diff(id, state, inputs, extended);
