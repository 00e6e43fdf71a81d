import { expect, test } from "@jest/globals";
import { secret } from "../../framework/testing";
import { hostedApiToken } from "../../provider/nouns/apiToken/lifecycle";
import { checkWith } from "../support/host";
import { answering } from "../support/service";
import { begin, beginScript, token } from "../support/story";

const fields = {
  name: "legacy",
  description: "by hand",
  expiresAt: "2030-01-01T00:00:00Z",
  orgCapabilities: { users: ["read"] },
};

/** A service with a token that nobody manages. */
async function beginWithToken() {
  const it = await begin();
  const { id, token } = await it.client.tokens.create(fields);
  return Object.assign(it, { live: id, secret: token });
}

test("a live token is taken over by its id without creating one, with the secret that the user has; without adopt it is owned", async () => {
  await using it = await beginWithToken();
  const adopting = { ci: token({ ...fields, adopt: { id: it.live, token: secret(it.secret) } }) };
  expect((await it.up(adopting)).words).toContain("adopts an existing token and creates none");
  expect(it.id()).toBe(it.live);
  const expected = { ...fields, key: "ci", chosenName: true, token: it.secret, evidence: expect.any(String) };
  expect(it.state()).toEqual({ ...expected, adopt: { id: it.live }, record: {} });
  expect((await it.preview()).found.ci).toEqual({ changes: false, replaces: [] });
  const { found, words } = await it.up({ ci: token(fields) });
  expect(found.ci).toEqual({ changes: true, replaces: [] });
  expect(words).toContain("is owned by this resource from now on");
  expect(it.state()).not.toHaveProperty("adopt");
  expect(it.writes()).toEqual(["POST /v2/tokens 200"]);
});

test.each([
  [
    "that differs from what is declared, and the error shows what is live",
    { description: "other", orgCapabilities: { users: ["create"] } },
    /is not adopted: it differs from its declaration in description, orgCapabilities \(live: \{"users":\["read"\]\}\)/,
  ],
  ["that is not there", { adopt: { id: "none" } }, /there is no token with the id that adopt names/],
])("an adoption of a token %s is refused", async (_, args, message) => {
  await using it = await beginWithToken();
  await expect(it.declare({ ...fields, adopt: { id: it.live }, ...args })).rejects.toThrow(message);
});

test("a resource that manages another token already adopts none", async () => {
  await using it = await beginWithToken();
  const id = await it.declare(fields);
  await expect(it.preview({ ci: token({ ...fields, adopt: { id: it.live } }) })).rejects.toThrow(
    `adopt names another token, but this resource manages token ${id} already`,
  );
});

test.each([
  [{ ...fields, adopt: {} }, /^adopt\.id is missing$/],
  [{ ...fields, adopt: { id: "t1", name: "legacy" } }, /^adopt\.name is not known/],
  [{ adopt: { id: "t1" } }, /^name is missing: with adopt/],
])("an adoption needs an id, and the live token's own name: %j", (args, message) => {
  const { failures } = checkWith(hostedApiToken, { key: "ci", ...args }, { profile: "extended" });
  expect(failures).toEqual([expect.stringMatching(message)]);
});

test.each(["0001-01-01T00:00:00Z", "0001-01-01T01:00:00.000+01:00", ""])(
  "a live token whose expiry is %j has none: its rotation is not due",
  async (expiresAt) => {
    const shown = { id: "t1", name: "legacy", expiresAt };
    const answers = { "GET /v2/tokens": [shown], "GET /v2/tokens/t1": shown };
    await using it = await beginScript("extended", answering(answers));
    const rotation = { rotateBefore: "14d" };
    const declared = { name: "legacy", expiresAt: undefined, expiresIn: "90d", rotation };
    await it.declare({ ...declared, adopt: { id: "t1" } });
    expect(it.state()).not.toHaveProperty("expiresAt");
    for (const args of [{ ...declared, adopt: { id: "t1" } }, declared]) {
      const { found, words } = await it.preview({ ci: token(args) });
      expect([found.ci?.replaces, words]).toEqual([[], expect.not.stringContaining("expired")]);
    }
  },
);
