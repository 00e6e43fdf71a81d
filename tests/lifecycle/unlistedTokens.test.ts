import { expect, test } from "@jest/globals";
import type { Profile } from "../../sdk";
import { begin } from "./tokenWorld";

/** The warnings of a preview that creates two tokens, with an access token that may not list them, and the calls. */
async function preview(profile: Profile, names: readonly string[]) {
  await using world = await begin(profile);
  const { token } = await world.client.tokens.create({ name: "ci", orgCapabilities: { apiTokens: ["create"] } });
  const { check, told } = world.start(token);
  const before = world.service.calls.length;
  for (const key of names) await check({ key, expiresAt: "2099-01-01T00:00:00Z" });
  return { told, calls: world.service.calls.slice(before).map(({ method, path }) => `${method} ${path}`) };
}

test("a preview that creates tokens warns once if the access token may not list them", async () => {
  const { told, calls } = await preview("extended", ["a", "b"]);
  expect(told.filter((line) => line.includes("list"))).toEqual([
    expect.stringMatching(/^the access token may not list API tokens: it lacks the capability apiTokens: read\./),
  ]);
  expect(calls).toEqual(["GET /v2/tokens"]);
});

test("in the documented profile such a preview sends nothing, and so cannot know it", async () => {
  const { told, calls } = await preview("documented", ["a"]);
  expect([told.filter((line) => line.includes("list")), calls]).toEqual([[], []]);
});
