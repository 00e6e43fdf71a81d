import { expect, test } from "@jest/globals";
import { secret } from "../../framework/testing";
import type { Profile } from "../../sdk";
import { begin, expiresAt, token, type World } from "../support/story";

// The table of docs/guides/rotate.md, "What happens to the old token", with the ways in which the engine can run each row. Rows 6
// and 10: borrowedToken.test.ts; more of row 3: overlap.test.ts.
// tests/e2e/promises/oldTokens.test.ts plays the rows that one update can hold on the engine.

const isRevoked = "is revoked once nothing in this update needs it";
const isKept = `stays valid until ${expiresAt} (retire is "expire")`;
const isLeft = `stays valid until ${expiresAt} (the profile "documented" cannot revoke a token`;
const overlaps = /stays valid until 20[^ ]* \(rotation\.overlap\)/;

const changed = (args: object) => ({ description: "new", ...args });

/** The ways in which the engine can give a token up; the outcome has the words of the command that deletes it. */
const ways = {
  "in one process": (world: World, next: object) => world.up({ ci: token(changed(next)) }),
  // An old object is deleted by the process of its old provider reference.
  "with another provider": (world: World, next: object) =>
    world.up({ ci: token(changed(next), { provider: "other" }) }),
  // Check and create, and no diff.
  "by --replace": (world: World, next: object) => world.up({ ci: token(next) }, { replace: ["ci"] }),
  async "after an interruption, by the next up"(world: World, next: object) {
    await world.interrupt({ ci: token(changed(next)) });
    return world.up();
  },
  async "after an interruption, by a destroy"(world: World, next: object) {
    await world.interrupt({ ci: token(changed(next)) });
    return world.destroy();
  },
  "with deleteBeforeReplace": (world: World, next: object) =>
    world.up({ ci: token(changed(next), { deleteBeforeReplace: true }) }),
  removed: (world: World, _next: object) => world.up({}),
} as const;
type WayName = keyof typeof ways;

interface Row {
  readonly row: number;
  readonly profile?: Profile;
  /** The arguments of the first update, and those of the second one. */
  readonly first: object;
  readonly next: object;
  /** By way, whether the old token is live afterwards; a way that is absent is another row. */
  readonly lives: { readonly [Key in WayName]?: boolean };
  /** The words of the preview, where there is a diff. */
  readonly preview: string | RegExp;
  /** The successor's record of the old token beside its id, where there is a diff. */
  readonly recorded: object;
}

const everyWay = (lives: boolean): Record<WayName, boolean> =>
  Object.fromEntries(Object.keys(ways).map((way) => [way, lives])) as Record<WayName, boolean>;
const expire = { retire: "expire" } as const;
const overlap = { rotation: { overlap: "2d" } };
const later = { ends: "later", until: expiresAt };

const rows: readonly Row[] = [
  { row: 1, first: {}, next: {}, lives: everyWay(false), preview: isRevoked, recorded: {} },
  { row: 2, first: expire, next: expire, lives: everyWay(true), preview: isKept, recorded: later },
  { row: 2, profile: "documented", first: {}, next: {}, lives: everyWay(true), preview: isLeft, recorded: later },
  ...[overlap, {}].map((first) => ({
    row: 3,
    first,
    next: overlap,
    lives: { ...everyWay(true), "by --replace": false, "with deleteBeforeReplace": false, removed: false },
    preview: overlaps,
    recorded: { ends: "later", until: expect.stringMatching(/^20/) },
  })),
  {
    row: 4,
    first: {},
    next: expire,
    lives: {
      "in one process": true,
      "with another provider": false,
      "by --replace": false,
      "after an interruption, by the next up": true,
      "after an interruption, by a destroy": false,
      "with deleteBeforeReplace": true,
    },
    preview: isKept,
    recorded: later,
  },
  {
    row: 4,
    first: expire,
    next: {},
    lives: {
      "in one process": false,
      "with another provider": true,
      "by --replace": true,
      "after an interruption, by the next up": false,
      "after an interruption, by a destroy": true,
      "with deleteBeforeReplace": false,
    },
    preview: isRevoked,
    recorded: {},
  },
];

const cases = rows.flatMap(({ row, profile = "extended", lives, ...rest }) =>
  Object.entries(lives).map(([way, live]) => [row, profile, way as WayName, { ...rest, live }] as const),
);

test.each(cases)("row %i, %s profile: a token that is retired %s", async (row, profile, way, expected) => {
  await using world = await begin(profile);
  const old = await world.declare(expected.first);
  const { words, found } = await ways[way](world, expected.next);
  expect(world.ids().includes(old)).toBe(expected.live);
  // A token that stays valid is named, with its end and the reason; one that is revoked is not.
  const reason = row === 3 ? "rotation.overlap" : profile === "documented" ? 'the profile "documented"' : "retire is";
  const named = new RegExp(`\\(id ${old}\\) is no longer managed here, but it stays valid until 20[^ ]* \\(${reason}`);
  expect(named.test(words)).toBe(expected.live);
  if (found.ci?.replaces.includes("description")) expect(words).toMatch(expected.preview);
  if (world.stack.find("ci")) {
    expect(world.ids()).toContain(world.id());
    const isPlain = row === 3 && way === "with deleteBeforeReplace";
    const entry = { id: old, fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/), ...(!isPlain && expected.recorded) };
    expect(world.state().record.replaced).toEqual(way === "by --replace" ? undefined : [entry]);
  }
  const isMoved = world.ids().includes(old) && world.expiryOf(old) !== expiresAt;
  expect(isMoved).toBe(row === 3 && expected.live);
});

test.each([
  ["rows 2 and 4", { retire: "expire", expiresAt: secret(expiresAt) }],
  ["row 3", { rotation: secret({ overlap: "2d" }) }],
])("%s: an expiry that the update makes secret shows in no message", async (_, next) => {
  await using world = await begin();
  await world.declare();
  const { told, words } = await world.up({ ci: token(changed(next)) });
  const [announced, retired] = told.filter((message) => message.includes("(id "));
  for (const message of [announced, retired]) expect(message).toContain("stays valid until a secret time");
  expect(words).not.toMatch(/until 20/);
});

test("row 5: a removal names the earlier tokens that are still valid", async () => {
  await using world = await begin();
  const ids: string[] = [];
  for (const description of ["", "new", "newer"]) {
    ids.unshift(await world.declare({ ...expire, description }));
  }
  const ends = ids.slice(1).map((id) => `${id} (until ${expiresAt})`);
  expect((await world.up({})).words).toContain(
    `earlier tokens that it replaced may still be valid: ${ends.join(", ")}.`,
  );
});

test.each([
  [{}, expire, true],
  [expire, {}, false],
])("row 9: where an overlap cannot begin, the new retire counts: from %j to %j", async (before, now, lives) => {
  await using world = await begin();
  const old = await world.declare(before);
  await ways["with deleteBeforeReplace"](world, { ...overlap, ...now });
  expect(world.ids().includes(old)).toBe(lives);
});

test.each([
  [{}, expire],
  [expire, {}],
])(
  "row 8: an update that declared %j was interrupted: the old token is kept if the next declares %j",
  async (planned, since) => {
    await using world = await begin();
    const old = await world.declare();
    await world.interrupt({ ci: token(changed(planned)) });
    await world.up({ ci: token(changed(since)) });
    expect(world.ids()).toContain(old);
  },
);

test("row 11: the credential in use is not revoked; another one revokes it", async () => {
  await using world = await begin();
  await world.declare({ orgCapabilities: { apiTokens: ["create", "read", "delete"] } });
  world.configure({ accessToken: world.state().token ?? "" });
  await expect(world.destroy()).rejects.toThrow(
    /is the access token that this update uses.*First configure another access token/,
  );
  expect(world.ids()).toContain(world.id());
  world.configure({ accessToken: world.service.rootToken });
  await world.destroy();
  expect(world.ids()).toEqual([]);
});

test("row 11: the documented profile cannot revoke what is to be revoked, and the error says how to go on", async () => {
  await using world = await begin();
  await world.declare({ retire: "revoke" });
  world.configure({ profile: "documented" });
  await expect(world.destroy()).rejects.toThrow(/is not deleted: retire is "revoke".*set .*profile.* to "extended"/);
});

test.each([
  ["a create", {}, () => "/v2/tokens", false],
  ["an overlap", overlap, (id: string) => `/v2/tokens/${id}/regenerate`, true],
])("row 12: the response to %s is lost", async (_, args, path, isMoved) => {
  await using world = await begin();
  const old = await world.declare(args);
  world.service.inject({ method: "POST", path: path(old), action: { kind: "close-before-response" } });
  const { failures } = await world.run({ command: "up", program: { ci: token(changed(args)) } });
  expect(failures).toEqual([expect.stringMatching(/its secret never arrived.*the next "pulumi up" replaces it/)]);
  expect(failures.join().includes(`The old token (id ${old}) may now expire at`)).toBe(isMoved);
  expect(world.ids()).toContain(old);
  expect(world.expiryOf(old) !== expiresAt).toBe(isMoved);
  expect(world.state().record.replaced).toMatchObject([{ id: old }]);

  const sent = world.writes().length;
  const { words } = await world.up();
  expect(words).toMatch(/will be replaced.*its secret never arrived/);
  expect(world.writes().slice(sent).join()).not.toContain("/regenerate");
  expect(new Set(world.ids())).toEqual(new Set(isMoved ? [world.id(), old] : [world.id()]));
});

test.each([
  ["imported", {}],
  ["taken over by an alias", { name: "by-hand", expiresAt, token: "xaat-of-another-provider" }],
])("row 13: a token that was %s is owned", async (_, outputs) => {
  await using world = await begin("extended", { form: "native" });
  await world.declare({ name: "by-hand" });
  const { id } = await world.client.tokens.create({ name: "by-hand", expiresAt });
  world.stack.rewrite("ci", { id, outputs });
  await world.refresh();
  expect((await world.up()).found.ci?.replaces).toEqual([]);
  const { words } = await world.up({ ci: token(changed({ name: "by-hand" })) });
  expect(words).toContain(isRevoked);
  expect(world.ids()).toContain(world.id());
  expect(world.ids()).not.toContain(id);
});

test("a change in place that replaceOnChanges makes a replacement: the delete says that the token was revoked", async () => {
  await using world = await begin("extended", { form: "native" });
  const old = await world.declare();
  const { found, words } = await world.up({ ci: token({ retire: "revoke" }, { replaceOnChanges: ["*"] }) });
  expect(found.ci?.replaces).toEqual([]);
  expect(world.ids()).not.toContain(old);
  expect(words).toMatch(new RegExp(`${old}.* was revoked\\.$`));
});
