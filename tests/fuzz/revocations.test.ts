import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readState, type StackState, type UnreadStack } from "../../audit";
import { say } from "../../cli/text";
import { mergeClaims } from "../../cli/tokens/claims";
import { refuseUsed } from "../../cli/tokens/revoke";
import type { Token } from "../../sdk";
import { exportOf, generatedFrom, type RecordedToken } from "../support/states";
import { runsOf } from "./random";

const runs = runsOf(300);

/** The relations of a stack to a live token, and their meaning. */
interface Relation {
  readonly use?: "declared" | "used";
  readonly name?: string;
  readonly tokens?: readonly RecordedToken[];
  readonly pending?: readonly RecordedToken[];
}

const nameOf = (id: string) => `${id}-0a1b2c3`;
const replacedBy = (id: string, ends?: "later") => [
  { id: `${id}next`, name: "next", record: { replaced: [{ id, ends }] } },
];
const declaredWith =
  (more: Partial<RecordedToken>) =>
  (id: string): Relation => ({
    use: "declared",
    tokens: [{ id, name: id, ...more }],
  });

const relations: readonly ((id: string) => Relation)[] = [
  declaredWith({}),
  declaredWith({ outputs: { incomplete: "its secret never arrived" } }),
  declaredWith({ more: { delete: true } }),
  declaredWith({ more: { pendingReplacement: true } }),
  (id) => ({ use: "declared", name: nameOf(id), tokens: [{ id, name: nameOf(id), inputs: generatedFrom(id) }] }),
  (id) => ({ use: "used", tokens: [{ id, name: id, more: { external: true } }] }),
  (id) => ({ use: "used", tokens: replacedBy(id, "later") }),
  // It was left behind.
  (id) => ({ tokens: replacedBy(id) }),
  (id) => ({ name: nameOf(id), pending: [{ name: nameOf(id), inputs: generatedFrom(id) }] }),
  () => ({}),
];

const world = fc.record({
  stacks: fc.array(
    fc.record({
      relations: fc.array(fc.constantFrom(...relations), { maxLength: 4 }),
      /** An unread stack can have a file in its place, of its own or of another organization. Nobody names the other backend. */
      state: fc.constantFrom(
        "read",
        "read",
        "read",
        "unread",
        "unread, with a file",
        "unread, with another's",
        "elsewhere",
      ),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  wanted: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
  force: fc.boolean(),
});

test("no token that any stack declares is revoked without --force, whatever could be read, and with it none that was read", () => {
  let revoked = 0;
  fc.assert(
    fc.property(world, ({ stacks, wanted, force }) => {
      const live: { readonly token: Token; readonly use: Relation["use"]; readonly isRead: boolean }[] = [];
      const [read, files]: [StackState[], StackState[]] = [[], []];
      const unread: UnreadStack[] = [];
      for (const [at, { relations, state }] of stacks.entries()) {
        const parts = relations.map((relate, n) => ({ id: `t${at}x${n}`, ...relate(`t${at}x${n}`) }));
        const isRead = state === "read" || state === "unread, with a file";
        live.push(...parts.map(({ id, name = id, use }) => ({ token: { id, name }, use, isRead })));
        const identity = { organization: "acme", project: "web", stack: `s${at}` };
        const exported = exportOf({
          stack: identity.stack,
          tokens: parts.flatMap(({ tokens = [] }) => tokens),
          pending: parts.flatMap(({ pending = [] }) => pending),
        });
        const known = readState(JSON.parse(JSON.stringify(exported)), identity.stack, identity);
        if (isRead) (state === "read" ? read : files).push(known);
        const other = { ...identity, organization: "beta" };
        if (state === "unread, with another's")
          files.push(readState(exportOf({ stack: identity.stack }), "other", other));
        if (state.startsWith("unread")) unread.push({ identity, reason: "EOF" });
      }
      fc.pre(live.length > 0);
      const chosen = [...new Set(wanted.map((n) => live[n % live.length]))].filter((one) => one !== undefined);
      const doubts = stacks.some(({ state }) => state === "elsewhere") ? [say`other backends`] : [];
      const claims = mergeClaims(read, unread, files, doubts);
      const warnings: string[] = [];
      const tokens = chosen.map(({ token }) => token);
      try {
        refuseUsed(tokens, claims, force, { warn: (line) => void warnings.push(line) });
      } catch (failure) {
        expect((failure as Error).message).toMatch(/^nothing was revoked: /);
        // A token that no stack uses is not refused once everything was read.
        if (claims.doubts.length === 0) expect(chosen.some(({ use }) => use !== undefined)).toBe(true);
        return;
      }
      revoked += 1;
      for (const { token, use, isRead } of chosen) {
        if (!force) expect([token.id, use]).toEqual([token.id, undefined]);
        // Not even --force, which lists first what may be in use.
        else if (isRead) expect([token.id, use]).not.toEqual([token.id, "declared"]);
        else if (use) expect(warnings.join("\n")).toContain(`may be in use: ${token.id} `);
      }
    }),
    { numRuns: runs },
  );
  expect(revoked).toBeGreaterThan(runs / 20);
});
