import { expect, test } from "@jest/globals";
import type { Profile } from "../../sdk";
import {
  begin,
  createFirst,
  expiresAt,
  interrupt,
  planNext,
  type Recorded,
  replace,
  type WayName,
  type World,
  ways,
} from "./tokenWorld";

// The table of docs/guides/rotate.md, "What happens to the old token", with the ways in which the engine can run each row. Rows 6
// and 10: borrowedToken.test.ts; more of row 3: overlap.test.ts.
// tests/e2e/promises/oldTokens.test.ts plays the rows that one update can hold on the engine.

const isRevoked = "is revoked once nothing in this update needs it";
const isKept = `stays valid until ${expiresAt} (retire is "expire")`;
const isLeft = `stays valid until ${expiresAt} (the profile "documented" cannot revoke a token`;
const overlaps = /stays valid until 20[^ ]* \(rotation\.overlap\)/;

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

const everyWay = (lives: boolean): Required<Row["lives"]> =>
  Object.fromEntries(Object.keys(ways).map((way) => [way, lives])) as unknown as Required<Row["lives"]>;
const expire = { retire: "expire" } as const;
const overlap = { rotation: { overlap: "2d" } };
const later = { ends: "later", until: expiresAt };

const rows: readonly Row[] = [
  { row: 1, first: {}, next: {}, lives: everyWay(false), preview: isRevoked, recorded: {} },
  { row: 2, first: expire, next: expire, lives: everyWay(true), preview: isKept, recorded: later },
  {
    row: 2,
    profile: "documented",
    first: {},
    next: {},
    lives: everyWay(true),
    preview: isLeft,
    recorded: later,
  },
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
  const old = await createFirst(world, expected.first);
  const { preview, told, successor } = await ways[way](world, old, expected.next);
  expect(world.ids().includes(old.id)).toBe(expected.live);
  // A token that stays valid is named, with its end and the reason; one that is revoked is not.
  const reason = row === 3 ? "rotation.overlap" : profile === "documented" ? 'the profile "documented"' : "retire is";
  const named = new RegExp(
    `\\(id ${old.id}\\) is no longer managed here, but it stays valid until 20[^ ]* \\(${reason}`,
  );
  expect(named.test(told)).toBe(expected.live);
  if (preview !== "") expect(preview).toMatch(expected.preview);
  const hasDiff = way !== "by --replace";
  if (successor) {
    expect(world.ids()).toContain(successor.id);
    const isPlain = row === 3 && way === "with deleteBeforeReplace";
    const replaced = isPlain ? {} : expected.recorded;
    const fingerprint = expect.stringMatching(/^[0-9a-f]{12}$/);
    expect(successor.state.record.replaced).toEqual(hasDiff ? [{ id: old.id, fingerprint, ...replaced }] : undefined);
  }
  const isMoved = world.ids().includes(old.id) && world.expiryOf(old.id) !== expiresAt;
  expect(isMoved).toBe(row === 3 && expected.live);
});

test.each([
  ["rows 2 and 4", { retire: "expire", secretInputs: ["expiresAt"] }],
  ["row 3", { ...overlap, secretInputs: ["rotation"] }],
])("%s: an expiry that the update makes secret shows in no message", async (_, next) => {
  await using world = await begin();
  const { preview, told } = await replace(world, await createFirst(world, {}), next);
  expect([preview, told]).toEqual(
    Array(2).fill(expect.stringContaining("stays valid until its expiry, which is secret")),
  );
  expect(preview + told).not.toMatch(/until 20/);
});

test("row 5: a removal names the earlier tokens that are still valid", async () => {
  await using world = await begin();
  const first = await createFirst(world, expire);
  const { successor: second = first } = await replace(world, first, expire);
  const { successor: third = first } = await replace(world, second, { ...expire, description: "newer" });
  const { told } = await ways.removed(world, third, {});
  const ends = [second, first].map(({ id }) => `${id} (until ${expiresAt})`);
  expect(told).toContain(`earlier tokens that it replaced can still be valid: ${ends.join(", ")}.`);
});

test.each([
  [{}, expire, true],
  [expire, {}, false],
])("row 9: where an overlap cannot begin, the new retire counts: from %j to %j", async (before, now, lives) => {
  await using world = await begin();
  const old = await createFirst(world, before);
  await ways["with deleteBeforeReplace"](world, old, { ...overlap, ...now });
  expect(world.ids().includes(old.id)).toBe(lives);
});

test.each([
  [{}, expire],
  [expire, {}],
])(
  "row 8: an update that declared %j was interrupted: the old token is kept if the next declares %j",
  async (planned, since) => {
    await using world = await begin();
    const old = await createFirst(world, {});
    const { update } = await planNext(world, await interrupt(world, old, planned), { description: "new", ...since });
    await update.delete(old.id, old.state);
    expect(world.ids()).toContain(old.id);
  },
);

test("row 11: the credential in use is not revoked; another one revokes it", async () => {
  await using world = await begin();
  const old = await createFirst(world, { orgCapabilities: { apiTokens: ["create", "read", "delete"] } });
  await expect(world.start(old.state.token).delete(old.id, old.state)).rejects.toThrow(
    /is the access token that this update works with.*First configure another access token/,
  );
  expect(world.ids()).toContain(old.id);
  await world.start().delete(old.id, old.state);
  expect(world.ids()).not.toContain(old.id);
});

test("row 11: the documented profile cannot revoke what is to be revoked, and the error says how to go on", async () => {
  await using world = await begin("documented");
  const old = await createFirst(world, {});
  await expect(world.start().delete(old.id, { ...old.state, retire: "revoke" })).rejects.toThrow(
    /is not deleted: retire is "revoke".*set .*profile.* to "extended"/,
  );
});

test.each([
  ["a create", {}, () => "/v2/tokens", false],
  ["an overlap", overlap, (id: string) => `/v2/tokens/${id}/regenerate`, true],
])("row 12: the response to %s is lost", async (_, news, path, isMoved) => {
  await using world = await begin();
  const old = await createFirst(world, news);
  const { create } = await planNext(world, old, { description: "new", ...news });
  world.service.inject({ method: "POST", path: path(old.id), action: { kind: "close-before-response" } });
  const failure = (await create().catch((e: unknown) => e)) as Error & Recorded;
  expect(failure.message).toMatch(/its secret never arrived.*the next "pulumi up" replaces it/);
  expect(failure.message.includes(`The old token (id ${old.id}) may expire at`)).toBe(isMoved);
  expect(world.ids()).toContain(old.id);
  expect(world.expiryOf(old.id) !== expiresAt).toBe(isMoved);
  expect(failure.state.record).toMatchObject({ replaced: [{ id: old.id }] });

  const lost = { id: failure.id, inputs: failure.state, state: failure.state };
  const next = await planNext(world, lost, { description: "new", ...news });
  expect(next.update.told.join("\n")).toMatch(/will be replaced.*its secret never arrived/);
  const sent = world.service.calls.length;
  const { id } = await next.create();
  expect(world.service.calls.slice(sent).some(({ path }) => path.endsWith("/regenerate"))).toBe(false);
  for (const one of [lost, old]) await next.update.delete(one.id, one.state);
  expect(new Set(world.ids())).toEqual(new Set(isMoved ? [id, old.id] : [id]));
});

test.each([
  ["imported", async ({ start }: World, id: string) => (await start().read(id, {}))?.state],
  ["taken over by an alias", async () => ({ name: "by-hand", expiresAt, token: "xaat-of-another-provider" })],
])("row 13: a token that was %s is owned", async (_, takeOver) => {
  await using world = await begin();
  const { id } = await world.client.tokens.create({ name: "by-hand", expiresAt });
  const taken = { record: {}, ...(await takeOver(world, id)) } as unknown as Recorded["state"];
  const { update, inputs, replaces } = await planNext(world, { id, state: taken, inputs: taken }, { name: "by-hand" });
  expect(replaces).toEqual([]);
  const state = await update.update(id, taken, inputs);
  const { preview, successor } = await replace(world, { id, inputs, state }, { name: "by-hand" });
  expect(preview).toContain(isRevoked);
  expect(world.ids()).toEqual([successor?.id]);
});

test("a change in place that replaceOnChanges makes a replacement: the delete says that the token was revoked", async () => {
  await using world = await begin();
  const old = await createFirst(world, {});
  const { update, replaces, create } = await planNext(world, old, { retire: "revoke" });
  expect(replaces).toEqual([]);
  await create();
  await update.delete(old.id, old.state);
  expect(world.ids()).not.toContain(old.id);
  expect(update.told.at(-1)).toMatch(new RegExp(`${old.id}.* was revoked\\.$`));
});
