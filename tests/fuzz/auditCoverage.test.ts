import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type AuditResult, readState, type StackIdentity, type StackState, type UnreadStack } from "../../audit";
import { auditTokens } from "../../audit/audit";
import type { Token } from "../../sdk";
import { exportStack } from "../support/auditFolder";
import { expiresAt, now } from "../support/audits";
import { baseUrl } from "../support/states";
import { runsOf } from "./random";

const runs = runsOf(1000);

/** A stack of the account. Those that were removed nobody lists. */
const place = fc.record({
  backend: fc.constantFrom("present", "removed"),
  organization: fc.constantFrom("acme", "beta"),
  project: fc.constantFrom("web", "infra"),
  stack: fc.constantFrom("prod", "dev"),
});
const stack = fc.record({
  place,
  isReadable: fc.constantFrom(true, true, true, false),
  /** A token that the program destroyed, and a right that it took away: only older states declare them. */
  destroyedIsLive: fc.boolean(),
  isWidened: fc.boolean(),
});
const file = fc.record({
  of: fc.nat(),
  age: fc.constantFrom(0, 1, 2),
  says: fc.constantFrom("its full name", "its full name", "its full name, as a checkpoint", "no organization"),
});
const world = fc.record({
  stacks: fc.uniqueArray(stack, {
    minLength: 1,
    maxLength: 4,
    selector: ({ place: { backend: _, ...name } }) => JSON.stringify(name),
  }),
  files: fc.array(file, { maxLength: 2 }),
  listedTwice: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat() }),
  isCutOff: fc.boolean(),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;
type Stack = World["stacks"][number];

const times = ["2026-11-20T00:00:00Z", "2026-10-20T00:00:00Z", "2026-09-20T00:00:00Z"];
const [narrow, wide] = [{ users: ["read"] }, { users: ["read", "create"] }];
const nameOf = ({ place: { organization, project, stack: name } }: Stack) => `${organization}/${project}/${name}`;

/** A stack's state at some age: it declares one token today; earlier it declared two, one of them with more capabilities. */
function stateOf(one: Stack, at: number, age: number): ReturnType<typeof exportStack> {
  const token = (id: string, orgCapabilities: object) => ({
    id,
    name: id,
    inputs: { expiresAt, orgCapabilities },
    outputs: { baseUrl },
  });
  const before = age > 0 ? [token(`destroyed${at}`, narrow)] : [];
  const tokens = [token(`kept${at}`, age > 0 ? wide : narrow), ...before];
  return JSON.parse(JSON.stringify(exportStack({ name: nameOf(one), tokens }, times[age])));
}

/** A file as somebody gives it. */
function readFile({ stacks }: World, { age, says }: World["files"][number], at: number, source: string): StackState {
  const one = stacks[at] as Stack;
  const { backend: _, ...names } = one.place;
  const state = stateOf(one, at, age) as { version: number; deployment: object };
  if (says === "no organization") return readState(state, source);
  if (says === "its full name") return readState(state, source, names);
  const { version, deployment } = state;
  return readState({ version, checkpoint: { stack: nameOf(one), latest: deployment } }, source);
}

const isListed = ({ place: { backend } }: Stack) => backend === "present";
const isExported = (one: Stack) => isListed(one) && one.isReadable;

function build(given: World) {
  const { stacks, files, listedTwice, isCutOff } = given;
  const live: Token[] = stacks.flatMap(({ destroyedIsLive, isWidened }, at) => [
    { id: `kept${at}`, name: `kept${at}`, expiresAt, orgCapabilities: isWidened ? wide : narrow },
    ...(destroyedIsLive ? [{ id: `destroyed${at}`, name: `destroyed${at}`, expiresAt, orgCapabilities: narrow }] : []),
  ]);
  const list = isCutOff ? live.slice(0, -1) : live;
  const twice = listedTwice === undefined ? undefined : list[listedTwice % list.length];
  const exports = stacks.flatMap((one, at): StackState[] => {
    if (!isExported(one)) return [];
    const known: StackIdentity = { ...one.place, backend: "https://backend.example.com" };
    return [{ ...readState(stateOf(one, at, 0), `stack ${at}`, known), origin: "export" }];
  });
  const unread: UnreadStack[] = stacks
    .filter((one) => isListed(one) && !one.isReadable)
    .map(({ place: { backend: _, ...identity } }) => ({ identity, reason: "EOF" }));
  const read = files.map((one, n) => readFile(given, one, one.of % stacks.length, `file ${n}`));
  return {
    live: twice ? [...list, twice] : list,
    isListedTwice: twice !== undefined,
    states: [...exports, ...read],
    unread,
  };
}

/** The age of the state by which a result judges a stack; undefined if it knows none. */
function agesUsed({ coverage }: AuditResult, { stacks, files }: World, at: number): number[] {
  return coverage.stacks.flatMap(({ source }) => {
    if (source === `stack ${at}`) return [0];
    const found = files.find((one, n) => source === `file ${n}` && one.of % stacks.length === at);
    return found ? [found.age] : [];
  });
}

/** Nothing about the stacks is in doubt, so that an audit has to come to a result. */
const isClear = ({ stacks, files }: World) =>
  stacks.every((one) => !isListed(one) || one.isReadable) &&
  files.every(({ says }) => says !== "no organization") &&
  stacks.every((one, at) => files.filter(({ of }) => of % stacks.length === at).length + Number(isExported(one)) <= 1);

test("no state of another stack, and no older one of a stack that was read, ever hides a token or a right", () => {
  let results = 0;
  fc.assert(
    fc.property(world, (given) => {
      const { live, isListedTwice, states, unread } = build(given);
      let result: AuditResult;
      try {
        result = auditTokens({ baseUrl, live, stacks: states, unread, scope: { wanted: "all" }, now });
      } catch (e) {
        expect((e as Error).message).toContain("Nothing was audited."); // exit code 2
        const listsNone = live.every(({ id }) => states.every(({ tokens }) => tokens.every((one) => one.id !== id)));
        expect(isListedTwice || !isClear(given) || listsNone).toBe(true);
        return;
      }
      results += 1;
      expect(isListedTwice).toBe(false);
      const { coverage, findings } = result;
      // The file of a stack that nobody lists can hide what became undeclared when the stack was removed.
      const isRemoved = ({ source }: { readonly source: string }) =>
        given.files.some(
          ({ of }, n) => source === `file ${n}` && !isListed(given.stacks[of % given.stacks.length] as Stack),
        );
      const unlisted = findings.filter(({ rule }) => rule === "unlisted");
      expect(unlisted).toHaveLength(coverage.stacks.filter(isRemoved).length);
      // Each state that was given counts.
      expect(coverage.stacks.length).toBe(states.length);
      const errors = new Set(findings.filter(({ severity }) => severity === "error").map(({ token }) => token.id));
      for (const [at, one] of given.stacks.entries()) {
        const ages = agesUsed(result, given, at);
        expect(ages.length).toBeLessThanOrEqual(1);
        const [age] = ages;
        // A readable stack is judged by its own export; an unreadable one only by its own state file.
        if (isExported(one)) expect(age).toBe(0);
        else if (isListed(one)) {
          expect(age).toBeDefined();
          const { backend: _, ...identity } = one.place;
          expect(coverage.stacks).toContainEqual(expect.objectContaining({ ...identity, insteadOf: "EOF" }));
        }
        for (const [id, isGain] of [
          [`destroyed${at}`, one.destroyedIsLive],
          [`kept${at}`, one.isWidened],
        ] as const)
          if (isGain && live.some((token) => token.id === id) && !(age !== undefined && age > 0))
            expect([...errors]).toContain(id);
        // An older state that counts is shown with its time.
        if (age) expect(coverage.stacks.map(({ time }) => time)).toContain(times[age]);
      }
    }),
    { numRuns: runs },
  );
  expect(results).toBeGreaterThan(runs / 4);
});
