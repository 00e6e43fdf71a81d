import { expect, test } from "@jest/globals";
import { begin, token } from "../support/story";

// Row 8 of the table in docs/guides/rotate.md: an update died, or a consumer failed, after the new token existed.

const changed = (args: object = {}) => ({ description: "new", ...args });

const announced = (id: string, words: string) =>
  expect.stringMatching(
    new RegExp(`^API token ${id}, which API token "ci-\\w+" \\(id \\w+\\) replaced in an .*${words}`),
  );
const revokes = "is still valid\\. This update revokes it: a consumer that failed then, or that --target or --exclude";

test("the end of an earlier token is announced although nothing else changes, and by the plugin, which does not see options, as one that may be pending", async () => {
  for (const form of ["dynamic", "native"] as const) {
    await using world = await begin("extended", { form });
    const old = await world.declare();
    await world.interrupt({ ci: token(changed()) });
    const { found, told } = await world.preview();
    const ends = form === "native" ? revokes.replace("This", "If its deletion is pending, this") : revokes;
    expect([found.ci?.changes, told]).toEqual([false, [announced(old, ends)]]);
  }
});

test.each([
  ["an alias renames it in the update that died: the old key's own record does not decide", ["before", "ci", "ci"]],
  ["an alias renames it in a second update that dies", ["ci", "ci", "after"]],
])(
  "an announced end comes although the resource has another name: %s",
  async (_, [first = "", second = "", third = ""]) => {
    await using world = await begin();
    await world.up({ [first]: token({ retire: "expire" }) });
    const old = world.id(first);
    const next = changed({ retire: "revoke" });
    await world.interrupt({ [second]: token(next, { alias: first }) });
    if (third !== second) await world.interrupt({ [third]: token(next, { alias: second }) });
    const { told } = await world.up();
    expect(told).toEqual([announced(old, revokes)]);
    expect(world.ids()).toEqual([world.id(third)]);
  },
);

test.each([
  ["retire is declared since", {}, { retire: "expire" }],
  ["it was to be kept", { retire: "expire" }, {}],
])("nothing is announced of an earlier token that stays valid, because %s", async (_, planned, since) => {
  await using world = await begin();
  await world.declare();
  await world.interrupt({ ci: token(changed(planned)) });
  expect((await world.preview({ ci: token(changed(since)) })).words).not.toContain("is still valid");
});

test("an earlier token is not announced any more once a list has its successor and lacks it, however new that one is", async () => {
  await using world = await begin();
  const old = await world.declare();
  await world.interrupt({ ci: token(changed()) });
  const announce = async (isShown: (id: string) => boolean) => {
    world.listOnly(isShown);
    return (await world.preview()).told;
  };
  expect(await announce((id) => id !== old)).toEqual([]);
  // This list is late: it lacks the successor, too.
  expect(await announce(() => false)).toContainEqual(expect.stringContaining("may still be valid"));
  expect(await announce(() => true)).toEqual([expect.stringContaining("is still valid")]);
  world.respond("GET /v2/tokens", 403);
  expect((await world.preview()).told).toContainEqual(expect.stringContaining("may still be valid"));
});

test("an earlier token that one list lacks is not announced, so its deletion says that it was revoked", async () => {
  await using world = await begin();
  const old = await world.declare();
  await world.interrupt({ ci: token(changed()) });
  world.listOnly((id) => id !== old);
  expect((await world.up()).told).toEqual([expect.stringContaining(`(id ${old}) was revoked.`)]);
  expect(world.ids()).toEqual([world.id()]);
});

test("an earlier token that one list lacks is not announced, although a later list has it", async () => {
  await using world = await begin();
  const before = { first: token(), ci: token(), last: token() };
  const after = { first: token(changed()), ci: token(changed()), last: token(changed()) };
  await world.up(before);
  const [first, old, last] = [world.id("first"), world.id(), world.id("last")];
  await world.interrupt(after);
  world.listOnly((id) => id !== old);
  // The deletion of a token that is gone lists anew.
  for (const id of [first, last]) await world.client.tokens.delete(id);
  expect((await world.up()).told).toContainEqual(expect.stringContaining(`(id ${old}) was revoked.`));
});

test("a late list does not say that a live token is gone: only a second answer counts", async () => {
  await using world = await begin();
  const id = await world.declare();
  // The service may show a newer one late.
  world.clock.pass(600_000);
  const look = async () => {
    world.listOnly(() => false);
    return (await world.up()).told;
  };
  expect(await look()).toEqual([]);
  await world.client.tokens.delete(id);
  expect(await look()).toEqual([expect.stringContaining("no longer exists")]);
});

test("a kept token is forgotten only if a list with its successor lacks it, and a lookup too", async () => {
  await using world = await begin();
  const kept = await world.declare({ retire: "expire" });
  await world.declare(changed({ retire: "expire" }));
  let round = 0;
  /** An update that records something in place, on a list that has these tokens. */
  const update = async (isShown: (id: string) => boolean) => {
    world.listOnly(isShown);
    await world.declare(changed({ retire: "expire", deleteOptions: [`round ${++round}`] }));
    return world.state().record.replaced?.map(({ id }) => id);
  };
  const [late, fresh] = [() => false, (id: string) => id !== kept];
  for (const isShown of [late, fresh]) expect(await update(isShown)).toEqual([kept]);
  await world.client.tokens.delete(kept);
  expect(await update(late)).toEqual([kept]);
  expect(await update(fresh)).toBeUndefined();
});

test("the option retainOnDelete keeps the old token, and its record and the preview say so", async () => {
  await using world = await begin();
  const retained = { retainOnDelete: true };
  const old = await world.declare({}, retained);
  const { words } = await world.up({ ci: token(changed(), retained) });
  expect(words).toContain("stays valid until 2099-01-01T00:00:00Z (the option retainOnDelete)");
  expect(world.state().record.replaced).toMatchObject([{ id: old, ends: "later" }]);
});

test.each([
  [{ deleteOptions: ["retainOnDelete"] }, {}, "stays valid until"],
  [
    {},
    { deleteOptions: ["retainOnDelete"] },
    "is revoked once nothing in this update needs it. The options retainOnDelete and",
  ],
  [
    { deleteOptions: ["deletedWith"] },
    { deleteOptions: ["deletedWith"] },
    "unless the resource of the option deletedWith is deleted too: then it stays valid.",
  ],
])("the engine obeys the option of the state: recorded %j, declared %j", async (recorded, declared, words) => {
  await using world = await begin();
  await world.declare(recorded);
  expect((await world.preview({ ci: token(changed(declared)) })).words).toContain(words);
});

test("the plugin does not see these options, and says that they may keep the old token", async () => {
  await using world = await begin("extended", { form: "native" });
  await world.declare();
  const unsure =
    "is revoked once nothing in this update needs it, unless the option retainOnDelete or deletedWith keeps it.";
  expect((await world.preview({ ci: token(changed()) })).words).toContain(unsure);
});

test("the option deletedWith is warned of once: the engine announces nothing of what it does", async () => {
  await using world = await begin();
  const program = { ci: token({ deleteOptions: ["deletedWith"] }) };
  const warning = "has the option deletedWith: if the resource of this option is deleted or replaced";
  expect((await world.up(program)).words).toContain(warning);
  expect((await world.up(program)).words).not.toContain(warning);
});

test("a changed option is recorded in place", async () => {
  await using world = await begin();
  await world.declare();
  const { found } = await world.up({ ci: token({}, { retainOnDelete: true }) });
  expect(found.ci).toEqual({ changes: true, replaces: [] });
  expect(world.state()).toMatchObject({ deleteOptions: ["retainOnDelete"] });
});

test("retire that is declared after an interruption is written to the record of the earlier token", async () => {
  await using world = await begin();
  await world.declare();
  await world.interrupt({ ci: token(changed()) });
  const { found } = await world.up({ ci: token(changed({ retire: "expire" })) });
  expect(found.ci?.changes).toBe(true);
  expect(world.state().record.replaced).toMatchObject([{ ends: "later" }]);
});

test.each([
  [{}, /^API token "ci-\w+" \(id \w+\) was revoked\.$/],
  [
    { rotation: { overlap: "2d" } },
    /was revoked\. rotation\.overlap had no effect, because the resource was removed, or was replaced/,
  ],
])("a deletion that no diff planned says what it did: %j", async (args, words) => {
  await using world = await begin();
  await world.declare(args);
  expect((await world.destroy()).told).toEqual([expect.stringMatching(words)]);
});

test("a token that a diff keeps by retainOnDelete stays valid, even if an update with --target has removed the option", async () => {
  await using world = await begin();
  const old = await world.declare({}, { retainOnDelete: true });
  world.stack.rewrite("ci", { options: {} });
  const { words } = await world.up({ ci: token(changed()) });
  expect(words).toContain("(the option retainOnDelete)");
  expect(words).toContain("is no longer managed here");
  expect(world.ids()).toContain(old);
});

test("a deletion without a plan says that the token is gone, also if the response to its first request was lost", async () => {
  await using world = await begin();
  const id = await world.declare();
  await world.client.tokens.delete(id);
  expect((await world.destroy()).told).toEqual([expect.stringContaining(`(id ${id}) is gone.`)]);
});
