import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readState, type StackState, type UnreadStack } from "../../audit";
import { say } from "../../cli/text";
import { mergeClaims } from "../../cli/tokens/claims";
import { refuseUsed } from "../../cli/tokens/revoke";
import type { Token } from "../../sdk";
import { exportOf, generatedFrom, type RecordedToken } from "../support/states";
import { runsOf } from "./random";

/** What a stack has of a token that is live. */
const relation = fc.constantFrom(
  "declares",
  "declares by a generated name",
  "declares, its secret lost",
  "deletes next",
  "replaces next",
  "looks up",
  "replaced and keeps",
  "replaced and revokes",
  "created without an answer",
  "knows nothing of",
);
type Relation = typeof relation extends fc.Arbitrary<infer T> ? T : never;

const world = fc.record({
  stacks: fc.array(
    fc.record({
      relations: fc.array(relation, { maxLength: 4 }),
      /** By an export, or not; then a file may stand for it, which is as new or lacks its tokens. */
      state: fc.constantFrom("read", "read", "read", "unread", "unread, with a file"),
      /** Stacks of a backend that no option names; the project has a backend of its own. */
      isElsewhere: fc.constantFrom(false, false, false, true),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  wanted: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
  force: fc.boolean(),
});

const isDeclared = (one: Relation) => one.startsWith("declares") || one === "deletes next" || one === "replaces next";
const isUsed = (one: Relation) => isDeclared(one) || one === "looks up" || one === "replaced and keeps";

/** The live token of a relation, and its record in the state of its stack. */
function build(one: Relation, id: string): { token: Token; tokens: RecordedToken[]; pending: RecordedToken[] } {
  const isGenerated = one === "declares by a generated name" || one === "created without an answer";
  const name = isGenerated ? `${id}-0a1b2c3` : id;
  const own: RecordedToken = { id, name, inputs: isGenerated ? generatedFrom(id) : {} };
  const successor = (ends?: "later") => ({ id: `${id}next`, name: "next", record: { replaced: [{ id, ends }] } });
  const records: Record<Relation, RecordedToken[]> = {
    declares: [own],
    "declares by a generated name": [own],
    "declares, its secret lost": [{ ...own, record: { lost: true } }],
    "deletes next": [{ ...own, more: { delete: true } }],
    "replaces next": [{ ...own, more: { pendingReplacement: true } }],
    "looks up": [{ ...own, more: { external: true } }],
    "replaced and keeps": [successor("later")],
    "replaced and revokes": [successor()],
    "created without an answer": [],
    "knows nothing of": [],
  };
  const pending = one === "created without an answer" ? [{ name, inputs: generatedFrom(id) }] : [];
  return { token: { id, name }, tokens: records[one], pending };
}

test("no token that any stack declares is revoked without --force, whatever could be read, and with it none that was read", () => {
  let revoked = 0;
  fc.assert(
    fc.property(world, ({ stacks, wanted, force }) => {
      const live: { readonly token: Token; readonly relation: Relation; readonly isRead: boolean }[] = [];
      const [read, files]: [StackState[], StackState[]] = [[], []];
      const unread: UnreadStack[] = [];
      for (const [at, { relations, state, isElsewhere }] of stacks.entries()) {
        const parts = relations.map((one, n) => ({ relation: one, ...build(one, `t${at}x${n}`) }));
        const identity = { organization: "acme", project: "web", stack: `s${at}` };
        const exported = exportOf({
          stack: `s${at}`,
          tokens: parts.flatMap(({ tokens }) => tokens),
          pending: parts.flatMap(({ pending }) => pending),
        });
        const isRead = !isElsewhere && state !== "unread";
        live.push(...parts.map(({ token, relation: one }) => ({ token, relation: one, isRead })));
        if (isElsewhere) continue;
        if (state !== "unread")
          (state === "read" ? read : files).push(
            readState(JSON.parse(JSON.stringify(exported)), identity.stack, identity),
          );
        if (state !== "read") unread.push({ identity, reason: "EOF" });
      }
      fc.pre(live.length > 0);
      const chosen = [...new Set(wanted.map((n) => live[n % live.length]))].filter((one) => one !== undefined);
      const doubts = stacks.some(({ isElsewhere }) => isElsewhere) ? [say`other backends`] : [];
      const claims = mergeClaims(read, unread, files, doubts);
      const warnings: string[] = [];
      try {
        refuseUsed(
          chosen.map(({ token }) => token),
          claims,
          force,
          { warn: (line) => void warnings.push(line) },
        );
      } catch (failure) {
        expect((failure as Error).message).toMatch(/^nothing was revoked: /);
        // What no stack knows, or is proven to be lost, is not refused once everything was read.
        const isFree = ({ relation: one }: { readonly relation: Relation }) =>
          ["knows nothing of", "replaced and revokes", "created without an answer"].includes(one);
        if (claims.doubts.length === 0) expect(chosen.every(isFree)).toBe(false);
        return;
      }
      revoked += 1;
      for (const { token, relation: one, isRead } of chosen) {
        if (!force) expect([token.id, isUsed(one)]).toEqual([token.id, false]);
        // Not even --force, which lists first what may be in use.
        else if (isRead) expect([token.id, isDeclared(one)]).toEqual([token.id, false]);
        else if (isUsed(one)) expect(warnings.join("\n")).toContain(`may be in use: ${token.id} `);
      }
    }),
    { numRuns: runsOf(1000) },
  );
  expect(revoked).toBeGreaterThan(runsOf(1000) / 20);
});
