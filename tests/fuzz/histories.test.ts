import { expect, test } from "@jest/globals";
import { playHistory, type Theme } from "./histories/history";
import { Stack } from "./histories/stack";
import { Words } from "./histories/words";
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
  const stack = new Stack("one", world, { baseUrl, profile: "extended", seesOptions: true });
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

test("the judge sees a message that says what is not so", () => {
  const world = new World(1);
  world.mint("A", {});
  const words = new Words(world);
  expect(words.tell("API token t1 is in the state but no longer exists.")).toBe(`t1 lives, and "no longer exists"`);
  expect(words.isAnnounced("t1")).toBe(false);
  expect(words.compare("t1", false)).toBe(undefined);
  words.tell(
    'API token "ci" (id t1) will be replaced. The old token has no expiry and stays valid (rotation.overlap).',
  );
  expect(words.compare("t1", true)).toBe(undefined);
  expect(words.compare("t1", false)).toBe("t1 is said to stay valid, and was revoked");
  words.tell(
    "API token t1, which API token t2 replaced in an update that did not finish, is still valid. This update revokes it.",
  );
  expect([words.isAnnounced("t1"), words.isAnnounced("t2")]).toEqual([true, false]);
  expect(words.compare("t1", true)).toBe("t1 is said to be revoked, and lives");
});
