import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mapConcurrently } from "../faults/concurrency";
import { credentials, playHistory } from "./histories/history";
import { serveWorlds, type Worlds } from "./histories/worlds";
import { firstSeed, runsOf } from "./random";

let worlds: Worlds;
beforeAll(async () => {
  worlds = await serveWorlds((credential) =>
    Object.hasOwn(credentials, credential) ? credentials[credential as keyof typeof credentials] : undefined,
  );
});
afterAll(async () => worlds[Symbol.asyncDispose]());

/** How many failing seeds are worth printing. */
const mostShown = 5;

test("whatever happens to two stacks and two accounts, nothing is created twice, lost, shown, or touched that is another's", async () => {
  const seeds = Array.from({ length: runsOf(200) }, (_, i) => firstSeed() + i);
  const failures: string[] = [];
  await mapConcurrently(seeds, 8, async (seed) => {
    if (failures.length >= mostShown) return;
    const { violations, steps } = await playHistory(worlds, seed);
    if (violations.length > 0)
      failures.push(
        [`npm run fuzz -- --seed ${seed} --runs 1 tests/fuzz/histories`, ...violations, ...steps].join("\n  "),
      );
  });
  expect(failures).toEqual([]);
});
