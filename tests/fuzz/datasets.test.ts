import { expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import type { DatasetState } from "../../provider/nouns/dataset/definition";
import { type EventDatasets, scalar } from "../../sdk";
import { clientOf, startTemporaryEmulator } from "../support/deployment";
import { dataset, Story, stateOf } from "../support/story";
import { openForTests } from "../support/suite";
import { firstSeed, type Random, randomOf, runsOf } from "./random";

// Random histories of datasets: updates, replacements, removals, refreshes, lost responses, new processes, the wrong account, and
// other people. No history ends with fewer events than before without a recorded `deleteEvents: true`.

const steps = 8;

interface Account {
  readonly service: Emulator;
  readonly client: EventDatasets;
}

// The clocks differ, so that a time of creation tells the accounts apart.
const clocks = [() => new Date(), () => new Date(Date.now() - 86_400_000)];
const accounts: readonly Account[] = clocks.map((now) => {
  const service = openForTests(() => startTemporaryEmulator({ profile: "extended", now }));
  return { service, client: openForTests(async () => clientOf(service)) };
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

/** The datasets whose events a recorded word gives up. */
const permitsOf = ({ stack }: Story): ReadonlySet<string> =>
  new Set(
    stack.resources
      .filter(({ outputs }) => outputs.deleteEvents === true)
      .map(({ id, outputs }) => `${id} ${stateOf<DatasetState>("Dataset", outputs).createdAt}`),
  );

/** A random command: some of its requests get no response, and now and then it is of the wrong account, or killed. */
async function run(story: Story, { pick, chance, next }: Random, prefix: string): Promise<void> {
  const { service } = accounts[chance(0.85) ? 0 : 1] as Account;
  story.configure({ baseUrl: service.url, accessToken: service.rootToken, profile: "extended" });
  if (chance(0.2)) {
    const method = pick(["POST", "PUT", "DELETE"]);
    service.inject({ method, path: "/v2/datasets*", action: { kind: "close-before-response" } });
  }
  const names = [`${prefix}-a`, `${prefix}-b`];
  // Mostly each has its own name: two with one name are refused.
  const declare = (name: string) => {
    const args = {
      ...(chance(0.9) && { name: chance(0.8) ? name : pick(names) }),
      ...(chance(0.3) && { description: pick(["x", "y"]) }),
      ...(chance(0.5) && { retentionDays: pick([30, 90]) }),
      ...(chance(0.1) && { kind: pick(["axiom:events:v1", "otel:logs:v1"]) }),
      ...(chance(0.6) && { deleteEvents: pick([true, true, false]) }),
      ...(chance(0.2) && { adopt: true }),
    };
    return dataset(args, { deleteBeforeReplace: chance(0.2), retainOnDelete: chance(0.1) });
  };
  const declared = names.filter(() => chance(0.8));
  let calls = chance(0.2) ? Math.floor(next() * 20) : Number.POSITIVE_INFINITY;
  await story.run({
    command: chance(0.25) ? "refresh" : "up",
    program: Object.fromEntries(declared.map((name) => [name, declare(name)])),
    replace: declared.filter((key) => story.stack.find(key) !== undefined && chance(0.15)),
    continueOnError: chance(0.7),
    killed: () => calls-- <= 0,
  });
}

/** Somebody else deletes a dataset, makes one, or makes one anew. */
async function meddle({ pick, chance }: Random, prefix: string): Promise<void> {
  const { service } = pick(accounts);
  const id = `${prefix}-${pick(["a", "b"])}`;
  const isThere = service.datasets.list().some((one) => one.id === id);
  if (isThere) await service.datasets.remove(id);
  if (!isThere || chance(0.7)) await service.ingest(id, [{ n: 1 }]);
}

test.each(Array.from({ length: runsOf(20) }, (_, n) => firstSeed() + n))("history %i loses no events", async (seed) => {
  const random = randomOf(seed);
  const prefix = `h${seed}x`;
  const story = new Story({});
  for (let step = 0; step < steps; step += 1) {
    if (random.chance(0.4)) await meddle(random, prefix);
    await fill(prefix);
    const [before, permits] = [await countEvents(prefix), permitsOf(story)];
    await run(story, random, prefix);
    const after = await countEvents(prefix);
    const lost = [...before].filter(([name, count]) => (after.get(name) ?? 0) < count && !permits.has(name));
    expect({ step, lost }).toEqual({ step, lost: [] });
  }
});
