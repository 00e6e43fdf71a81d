import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, jest, test } from "@jest/globals";
import { Notes } from "../../framework/notes";
import { Update } from "../../framework/update";
import { apiToken } from "../../provider/apiToken/lifecycle";
import type { ApiTokenState } from "../../provider/apiToken/model";
import { requireBuild } from "../support/build";
import { connect } from "../support/client";
import { CHECKOUT } from "../support/program";
import { json, startService } from "../support/service";
import { sessionOf, testHash } from "../support/session";

const temporary = mkdtempSync(join(tmpdir(), "notes-"));

// Each `Notes` listens for the end of its process, which has one; here there are many.
process.setMaxListeners(100);

afterAll(() => rmSync(temporary, { recursive: true }));
afterEach(() => {
  jest.restoreAllMocks();
});

const newUpdate = () => `127.0.0.1:${randomUUID()}`;
const newPlace = () => mkdtempSync(join(temporary, "place-"));

/** The only entry of a folder. */
function onlyIn(folder: string): string {
  const [name, ...more] = readdirSync(folder);
  if (name === undefined || more.length > 0) throw new Error(`${folder} does not hold one entry`);
  return join(folder, name);
}

/** The folder of all updates in a place, that of the update within it, and that of the object. */
function foldersIn(place: string): Record<"user" | "update" | "object", string> {
  const user = onlyIn(place);
  const update = onlyIn(user);
  return { user, update, object: onlyIn(update) };
}

test("a note is seen by every process of its update, and by no other", () => {
  const update = newUpdate();
  new Notes(update, temporary).add("t1", "a");
  expect(new Notes(update, temporary).has("t1")).toBe(true);
  expect(new Notes(update, temporary).has("../t1")).toBe(false);
  expect(new Notes(`${update}0`, temporary).has("t1")).toBe(false);
  expect(new Notes(undefined).has("t1")).toBe(false);
});

test("without other processes a note is known to its own, and nothing is written", () => {
  const place = newPlace();
  const alone = new Notes(undefined, place);
  alone.add("t1", "a");
  expect([alone.has("t1"), alone.has("t2"), readdirSync(place)]).toEqual([true, false, []]);
});

test.each([undefined, newUpdate()])(
  "a note is taken back by the resource that made it, and no other's with it (update %s)",
  (update) => {
    const [one, other] = [new Notes(update, temporary), new Notes(update, temporary)];
    one.add("t1", "a");
    one.add("t1", "b");
    one.remove("t1", "a");
    expect(one.has("t1")).toBe(true);
    one.remove("t1", "b");
    one.remove("t2", "b");
    expect([one.has("t1"), other.has("t1")]).toEqual([false, false]);
  },
);

test("a note of the day before is none: the address of an engine can be used again", () => {
  const [update, place] = [newUpdate(), newPlace()];
  new Notes(update, place).add("t1", "a");
  const old = Date.now() / 1000 - 25 * 3600;
  utimesSync(onlyIn(foldersIn(place).object), old, old);
  expect(new Notes(update, place).has("t1")).toBe(false);
});

test("where nothing can be noted the error says what to do, and nothing counts as not noted", () => {
  const file = join(temporary, "file");
  writeFileSync(file, "");
  const notes = new Notes(newUpdate(), file);
  expect(() => notes.add("t1", "a")).toThrow(
    /^the objects that this update adopts cannot be noted in .*file.event-datasets-\w+ \(ENOTDIR\), .*: set TMPDIR/,
  );
  expect(() => new Notes(newUpdate(), file).has("t1")).toThrow(/cannot be looked up in .* \(ENOTDIR\)/);
  expect(() => notes.remove("t1", "a")).not.toThrow();
});

/** Lets a process that may do everything do what another user may: for it no folder is unreadable. */
function asOtherUser<T>(run: () => T): T {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(65_534);
  try {
    return run();
  } finally {
    process.seteuid?.(0);
  }
}

const toLink = (folder: string) => {
  renameSync(folder, `${folder}-theirs`);
  symlinkSync(`${folder}-theirs`, folder);
};
const toFile = (folder: string) => {
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "", { mode: 0o600 });
};

/** Ways to tamper with a folder of notes, each with the reason that the error gives. */
const hostile: readonly (readonly [string, (folder: string) => void])[] = [
  ["that its group can write", (folder) => chmodSync(folder, 0o770)],
  ["that everybody can read", (folder) => chmodSync(folder, 0o704)],
  ["that is a symbolic link", toLink],
  ["that is a file", toFile],
];

const parts = ["user", "update", "object"] as const;
const cases = parts.flatMap((part) => hostile.map(([what, attack]) => ({ part, what, attack })));

test.each(cases)(
  "a folder $what is not used, and is an error that stops a deletion ($part)",
  async ({ part, attack }) => {
    const [update, place] = [newUpdate(), newPlace()];
    new Notes(update, place).add("t1", "a");
    attack(foldersIn(place)[part]);
    expect(() => new Notes(update, place).add("t1", "b")).toThrow(/cannot be noted/);
    const reason = /cannot be looked up in .* \(it is not a folder of this user alone\)/;
    await expectStopped(new Notes(update, place), reason);
  },
);

test("a folder that cannot be read is an error that stops a deletion", async () => {
  const [update, place] = [newUpdate(), newPlace()];
  for (const folder of [temporary, place]) chmodSync(folder, 0o755);
  new Notes(update, place).add("t1", "a");
  const { user } = foldersIn(place);
  chmodSync(user, 0);
  await expectStopped(new Notes(update, place), /cannot be looked up in .* \(EACCES\)/, asOtherUser);
  chmodSync(user, 0o700);
});

test("a folder of another user is an error that stops a deletion", async () => {
  const [update, place] = [newUpdate(), newPlace()];
  const other = (process.geteuid?.() ?? 0) + 1;
  jest.spyOn(process, "geteuid").mockReturnValue(other);
  const theirs: { Notes?: typeof Notes } = {};
  jest.isolateModules(() => Object.assign(theirs, require("../../framework/notes")));
  if (!theirs.Notes) throw new Error("the module has no Notes");
  mkdirSync(join(place, `event-datasets-${other}`), { mode: 0o700 });
  const notes = new theirs.Notes(update, place);
  const reason = /\(it is not a folder of this user alone\)/;
  expect(() => notes.add("t1", "a")).toThrow(reason);
  await expectStopped(new theirs.Notes(update, place), reason);
});

test("an object that a resource noted is left alone with a warning, and any other is revoked", async () => {
  const [update, place] = [newUpdate(), newPlace()];
  await using service = await startService(json(204, {}), json(404, {}));
  await using client = connect(service.url, { profile: "extended" });
  const session = { ...sessionOf(client), update: new Update(undefined, new Notes(update, place)) };
  const notes = new Notes(update, place);
  notes.add("t1", "other");
  await apiToken.delete(session, "t1", stateOf(service.url));
  expect(service.calls).toEqual([]);
  expect(session.warnings).toEqual([
    expect.stringMatching(/managed by another resource of this update: it is left alone/),
  ]);
  notes.remove("t1", "other");
  await apiToken.delete(session, "t1", stateOf(service.url));
  expect(service.calls[0]).toBe("DELETE /v2/tokens/t1");
});

const stateOf = (baseUrl: string): ApiTokenState => ({
  key: "ci",
  name: "ci-0a1b2c3",
  token: "xaat-1",
  record: { baseUrl, credentialHash: testHash, origin: "created" },
});

/** Expects a deletion to fail for these notes, before anything is sent or said. */
async function expectStopped(notes: Notes, reason: RegExp, run = <T>(deletion: () => T): T => deletion()) {
  await using service = await startService(json(204, {}));
  await using client = connect(service.url, { profile: "extended" });
  const session = { ...sessionOf(client), update: new Update(undefined, notes) };
  await expect(run(() => apiToken.delete(session, "t1", stateOf(service.url)))).rejects.toThrow(reason);
  expect([service.calls, session.warnings]).toEqual([[], []]);
}

/** Notes an object in a process of its own, as the providers of an update do, and then ends or stays. */
const script = `
  const { Notes } = require(${JSON.stringify(join(CHECKOUT, "dist/framework/notes.js"))});
  const [update, temporary, whatThen] = process.argv.slice(1);
  new Notes(update, temporary).add("t1", "a");
  process.stdout.write("noted");
  if (whatThen === "stays") setInterval(() => undefined, 1e6);
`;

test.each([
  { whatThen: "ends", signal: undefined, code: 0 },
  { whatThen: "stays", signal: "SIGINT", code: 130 },
] as const)(
  "no note of an update stays behind a process that $whatThen ($signal)",
  async ({ whatThen, signal, code }) => {
    requireBuild();
    const [update, place] = [newUpdate(), newPlace()];
    const child = spawn(process.execPath, ["-e", script, update, place, whatThen], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    try {
      await once(child.stdout, "data");
      if (signal) child.kill(signal);
      expect(await exited).toEqual([code, null]);
    } finally {
      child.kill("SIGKILL");
    }
    expect(readdirSync(onlyIn(place))).toEqual([]);
  },
);
