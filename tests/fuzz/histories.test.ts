import { expect, test } from "@jest/globals";
import { playHistory, type Theme } from "./histories/history";
import { Stack } from "./histories/stack";
import { serveWorld, World } from "./histories/world";
import { firstSeed, runsOf } from "./random";

/** How many failing seeds are worth printing. */
const mostShown = 5;

test.each<[Theme, string]>([
  ["tokens", "each token ends as the table says, once, and with a message where it stays valid"],
  ["accounts", "nothing is replaced or forgotten in a wrong account, and nothing stays that no command can remove"],
])("%s: whatever happens to two stacks, %s", async (theme) => {
  const seeds = Array.from({ length: runsOf(40) }, (_, i) => firstSeed() + i);
  const failures: string[] = [];
  const play = async (seed: number) => {
    const { violations, steps } = await playHistory(seed, theme);
    if (violations.length > 0)
      failures.push(
        [`npm run fuzz -- --seed ${seed} --runs 1 tests/fuzz/histories`, ...violations, ...steps].join("\n  "),
      );
  };
  while (seeds.length > 0 && failures.length < mostShown) await Promise.all(seeds.splice(0, 8).map(play));
  expect(failures).toEqual([]);
});

test("the judge sees a revocation and a create that no step of the stack asks for", async () => {
  const world = new World(1);
  await using service = await serveWorld(world);
  const baseUrl = `${service.url}/one`;
  const stack = new Stack("one", world, baseUrl, "extended");
  const accessToken = "xaat-credential-a1";
  const command = { kind: "up", credentials: { p1: accessToken } } as const;
  await stack.run(command, new Map([["a", { args: {}, provider: "p1" }]]));
  expect(stack.all).toMatchObject([{ key: "a", id: "t1" }]);
  expect(world.violations).toEqual([]);
  const headers = { authorization: `Bearer ${accessToken}` };
  await fetch(`${baseUrl}/v2/tokens/t1`, { method: "DELETE", headers });
  await fetch(`${baseUrl}/v2/tokens`, { method: "POST", headers, body: "{}" });
  await stack.run(command, new Map());
  expect(world.violations).toEqual(["one: t1 was revoked: unasked", "one: a create was sent again"]);
});
