import { expect, test } from "@jest/globals";
import type { Profile } from "../../sdk";
import { begin, token } from "../support/story";

const lacking = /^the access token cannot list API tokens: it lacks the capability apiTokens: read\./;

test.each<[Profile, readonly unknown[], readonly string[]]>([
  ["extended", [expect.stringMatching(lacking)], ["GET /v2/tokens"]],
  // There such a preview sends nothing, and so cannot know it.
  ["documented", [], []],
])(
  "a preview that creates tokens warns once if the access token may not list them: %s",
  async (profile, told, calls) => {
    await using world = await begin(profile);
    const spec = { name: "ci", orgCapabilities: { apiTokens: ["create"] } };
    world.configure({ accessToken: (await world.client.tokens.create(spec)).token });
    const before = world.service.calls.length;
    const preview = await world.preview({ a: token(), b: token() });
    expect(preview.told.filter((line) => line.includes("list"))).toEqual(told);
    expect(world.service.calls.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual(calls);
  },
);
