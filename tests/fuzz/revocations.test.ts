import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  type Exception,
  readState,
  readTerraformState,
  type StackState,
  type UnreadStack,
  type UpdateStatus,
} from "../../audit";
import { say } from "../../cli/text";
import { mergeClaims } from "../../cli/tokens/claims";
import { refuse, refuseChanged } from "../../cli/tokens/revoke";
import { type Evidence, judge } from "../../cli/tokens/verdict";
import type { Token } from "../../sdk";
import { exportOf, type RecordedStack } from "../support/states";
import { runsOf } from "./random";
import { lost, type Relation, relations } from "./relations";

const runs = runsOf(300);

/** Mostly the first value. */
const rarely = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

/** A token of a stack, with what a policy and the account have of it. */
const related = fc.record({
  relate: fc.oneof(fc.constant(lost), fc.constantFrom(...relations)),
  exception: rarely<"id" | "name" | undefined>(undefined, "id", "name"),
  /** Another live token has its name, as after a create that was repeated. */
  hasTwin: rarely<boolean>(false, true),
});

const world = fc.record({
  stacks: fc.array(
    fc.record({
      tokens: fc.array(related, { maxLength: 4 }),
      /** An unread stack can have a file in its place. Nobody names the other backend. */
      read: rarely<string>("read", "unread", "unread, with a file", "elsewhere"),
      update: rarely<UpdateStatus | undefined>("none", undefined, {}, { isGone: true }),
      /** The second account of a program: its tokens are not listed here. */
      isOther: rarely<boolean>(false, true),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  wanted: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  force: fc.boolean(),
  skipsCheckpoints: rarely<boolean>(false, true),
  /** The policy wants something to be read that was not. */
  isMissed: rarely<boolean>(false, true),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** A live token, and the truth about it. */
interface Truth {
  readonly token: Token;
  readonly use: Relation["use"];
  /** The state that says so was read. */
  readonly isRead: boolean;
  /** Without --force it may be revoked. */
  readonly isProven: boolean;
  readonly isExcepted: boolean;
}

const now = Date.parse("2026-11-21T12:00:00Z");
const owned = { owner: "ops", reason: "a notebook", until: "2027-03-31" };

function build({ stacks, skipsCheckpoints, isMissed }: World) {
  const truths: Truth[] = [];
  const twins: Token[] = [];
  const exceptions: Exception[] = [];
  const [read, files]: [StackState[], StackState[]] = [[], []];
  const unread: UnreadStack[] = [];
  for (const [at, { tokens, read: how, update, isOther }] of stacks.entries()) {
    const parts = tokens.map(({ relate, ...more }, n) => ({ id: `t${at}x${n}`, ...relate(`t${at}x${n}`), ...more }));
    const isRead = how === "read" || how === "unread, with a file";
    for (const { id, name = id, use, isLost, exception, hasTwin } of isOther ? [] : parts) {
      const isKnown = how === "read" && update === "none" && !skipsCheckpoints;
      const isProven = isLost === true && isKnown && !hasTwin && exception === undefined;
      truths.push({ token: { id, name }, use, isRead, isProven, isExcepted: exception !== undefined });
      if (hasTwin) twins.push({ id: `${id}twin`, name });
      if (exception) exceptions.push({ ...owned, [exception]: exception === "id" ? id : name });
    }
    const identity = { organization: "acme", project: "web", stack: `s${at}` };
    const all = <K extends "tokens" | "pending" | "others">(key: K) => parts.flatMap((part) => part[key] ?? []);
    const recorded = { tokens: all("tokens"), pending: all("pending"), others: all("others") } as RecordedStack;
    const state = JSON.parse(JSON.stringify(exportOf({ ...recorded, stack: identity.stack })));
    const known = readState(state, identity.stack, identity);
    const resources = parts.flatMap(({ terraform }) => terraform ?? []);
    if (isRead && resources.length > 0)
      files.push(readTerraformState({ version: 4, lineage: identity.stack, serial: 1, resources }, `${at}.tfstate`));
    if (how === "read") read.push(update === undefined ? known : { ...known, update });
    else if (isRead) files.push(known);
    if (how.startsWith("unread")) unread.push({ identity, reason: "EOF" });
  }
  const doubts = stacks.some((stack) => stack.read === "elsewhere") ? [say`other backends`] : [];
  const missed = isMissed ? [say`the policy requires a file to be read`] : [];
  const claims = { ...mergeClaims(read, unread, files, doubts), missed };
  const env = skipsCheckpoints ? { PULUMI_SKIP_CHECKPOINTS: "true" } : {};
  const live = [...truths.map(({ token }) => token), ...twins];
  return { truths, evidence: { live, claims, policy: { version: 1, exceptions }, env, now } as Evidence };
}

type Judge = typeof judge;

/** Revokes in random worlds. @returns how many were revoked, without --force and with it */
function revokeAtRandom(verdictOf: Judge, numRuns: number) {
  const revoked = { plain: 0, forced: 0 };
  fc.assert(
    fc.property(world, (one) => {
      const { truths, evidence } = build(one);
      fc.pre(truths.length > 0);
      const chosen = [...new Set(one.wanted.map((n) => truths[n % truths.length]))].filter((all) => all !== undefined);
      const judged = chosen.map(({ token }) => ({ token, verdict: verdictOf(token, evidence) }));
      // The second pass over the same world finds no change.
      refuseChanged(
        judged,
        judged.map(({ token }) => ({ token, verdict: verdictOf(token, evidence) })),
      );
      for (const { verdict } of judged) expect(verdict.reasons.length).toBeGreaterThan(0);
      try {
        refuse(judged, one.force);
      } catch (failure) {
        expect((failure as Error).message).toMatch(/^nothing was revoked: /);
        // It is no refusal of everything: tokens that are proven to be lost need no --force.
        expect(chosen.every(({ isProven }) => isProven) && !one.isMissed).toBe(false);
        return;
      }
      expect(one.isMissed).toBe(false);
      revoked[one.force ? "forced" : "plain"] += 1;
      for (const { token, use, isRead, isProven, isExcepted } of chosen) {
        if (isRead) expect([token.id, use]).not.toEqual([token.id, "declared"]);
        if (!one.force) expect([token.id, use, isExcepted, isProven]).toEqual([token.id, undefined, false, true]);
      }
    }),
    { numRuns },
  );
  return revoked;
}

test("without --force only tokens that are proven to be lost are revoked, and with it none that a read state declares", () => {
  const { plain, forced } = revokeAtRandom(judge, runs);
  expect(plain).toBeGreaterThan(runs / 50);
  expect(forced).toBeGreaterThan(runs / 10);
});

const without =
  (part: Partial<Evidence["claims"]>): Judge =>
  (token, evidence) =>
    judge(token, { ...evidence, claims: { ...evidence.claims, ...part } });
const nothing = new Map<never, never>();

/** Judges that do not see something. */
const mutants: Readonly<Record<string, Judge>> = {
  "the resources of other tools": without({ others: nothing }),
  "the need for a proof": (token, evidence) => {
    const verdict = judge(token, evidence);
    return verdict.is === "doubtful" && evidence.claims.doubts.length === 0 ? { ...verdict, is: "proven" } : verdict;
  },
};

test.each(Object.entries(mutants))("a revocation that does not see %s is found out", (_, mutant) => {
  expect(() => revokeAtRandom(mutant, 10_000)).toThrow("Property failed");
});
