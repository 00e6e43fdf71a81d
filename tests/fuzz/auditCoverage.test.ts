import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type AuditResult, readState, type StackState, type UnreadStack } from "../../audit";
import { auditTokens } from "../../audit/audit";
import type { Token } from "../../sdk";
import { exportStack } from "../support/auditFolder";
import { expiresAt, now } from "../support/audits";
import { baseUrl } from "../support/states";
import { runsOf } from "./random";

const runs = runsOf(300);

const stack = fc.record({
  names: fc.record({
    organization: fc.constantFrom("acme", "beta"),
    project: fc.constantFrom("web", "infra"),
    stack: fc.constantFrom("prod", "dev"),
  }),
  /** How the backend answers for it: nobody lists a stack that was removed. */
  found: fc.constantFrom("export", "export", "export", "unreadable", "removed"),
  /** A token that the program destroyed, and a right that it took away: only older states declare them. */
  destroyedIsLive: fc.boolean(),
  isWidened: fc.boolean(),
});
const file = fc.record({
  of: fc.nat(),
  age: fc.constantFrom(0, 1, 2),
  saysOrganization: fc.constantFrom(true, true, false),
});
const world = fc.record({
  stacks: fc.uniqueArray(stack, { minLength: 1, maxLength: 4, selector: ({ names }) => JSON.stringify(names) }),
  files: fc.array(file, { maxLength: 2 }),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;
type Stack = World["stacks"][number];

const times = ["2026-11-20T00:00:00Z", "2026-10-20T00:00:00Z", "2026-09-20T00:00:00Z"];
const [narrow, wide] = [{ users: ["read"] }, { users: ["read", "create"] }];

/** A stack's state at some age: it declares one token today; earlier it declared two, one of them with more capabilities. */
function stateOf({ names }: Stack, at: number, age: number): unknown {
  const token = (id: string, orgCapabilities: object) => ({
    id,
    name: id,
    inputs: { expiresAt, orgCapabilities },
    outputs: { baseUrl },
  });
  const before = age > 0 ? [token(`destroyed${at}`, narrow)] : [];
  const tokens = [token(`kept${at}`, age > 0 ? wide : narrow), ...before];
  const name = `${names.organization}/${names.project}/${names.stack}`;
  return JSON.parse(JSON.stringify(exportStack({ name, tokens }, times[age])));
}

function build({ stacks, files }: World) {
  const live: Token[] = stacks.flatMap(({ destroyedIsLive, isWidened }, at) => [
    { id: `kept${at}`, name: `kept${at}`, expiresAt, orgCapabilities: isWidened ? wide : narrow },
    ...(destroyedIsLive ? [{ id: `destroyed${at}`, name: `destroyed${at}`, expiresAt, orgCapabilities: narrow }] : []),
  ]);
  const exports = stacks.flatMap((one, at): StackState[] => {
    if (one.found !== "export") return [];
    return [{ ...readState(stateOf(one, at, 0), `stack ${at}`, one.names), origin: "export" }];
  });
  const read = files.map(({ of, age, saysOrganization }, n) => {
    const at = of % stacks.length;
    const one = stacks[at] as Stack;
    return readState(stateOf(one, at, age), `file ${n}`, ...(saysOrganization ? [one.names] : []));
  });
  const unread = stacks
    .filter(({ found }) => found === "unreadable")
    .map(({ names }): UnreadStack => ({ identity: names, reason: "EOF" }));
  return { live, stacks: [...exports, ...read], unread };
}

test("no state of another stack, and no older one of a stack that was read, ever hides a token or a right", () => {
  let results = 0;
  fc.assert(
    fc.property(world, (given) => {
      const { stacks, files } = given;
      const built = build(given);
      const filesOf = (at: number) => files.filter(({ of }) => of % stacks.length === at);
      let result: AuditResult;
      try {
        result = auditTokens({ baseUrl, ...built, scope: { wanted: "all" }, now });
      } catch (e) {
        expect((e as Error).message).toContain("Nothing was audited."); // exit code 2
        const statesOf = ({ found }: Stack, at: number) => Number(found === "export") + filesOf(at).length;
        const isClear =
          stacks.every((one, at) => one.found !== "unreadable" && statesOf(one, at) <= 1) &&
          files.every(({ saysOrganization }) => saysOrganization);
        // Where no state declares a token, nothing proves the account.
        expect(isClear && built.stacks.length > 0).toBe(false);
        return;
      }
      results += 1;
      const { coverage, findings } = result;
      // Each state that was given counts.
      expect(coverage.stacks).toHaveLength(built.stacks.length);
      const errors = findings.filter(({ severity }) => severity === "error").map(({ token }) => token.id);
      for (const [at, { found, names, destroyedIsLive, isWidened }] of stacks.entries()) {
        const ages = [...(found === "export" ? [0] : []), ...filesOf(at).map(({ age }) => age)];
        // A readable stack is judged by its own export; an unreadable one only by its own state file.
        expect(ages.length).toBeLessThanOrEqual(1);
        if (found === "unreadable")
          expect(coverage.stacks).toContainEqual(expect.objectContaining({ ...names, insteadOf: "EOF" }));
        const [age = 0] = ages;
        if (destroyedIsLive && age === 0) expect(errors).toContain(`destroyed${at}`);
        if (isWidened && age === 0) expect(errors).toContain(`kept${at}`);
        // An older state that counts is shown with its time.
        if (age > 0) expect(coverage.stacks.map(({ time }) => time)).toContain(times[age]);
      }
      // The file of a stack that nobody lists can hide what became undeclared when the stack was removed.
      const unlisted = files.filter(({ of }) => stacks[of % stacks.length]?.found === "removed");
      expect(findings.filter(({ rule }) => rule === "stale-state")).toHaveLength(unlisted.length);
    }),
    { numRuns: runs },
  );
  expect(results).toBeGreaterThan(runs / 4);
});
