import { describe, expect, test } from "@jest/globals";
import type { Token } from "../../sdk";
import { auditsAbout, now, rulesOf } from "../support/audits";
import type { RecordedToken } from "../support/states";

const audit = auditsAbout("expiry", "missing", "duplicate-name");

const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();

/** A declared token that lives for 90 days and is rotated 10 days before it ends, by the days that it has left. */
const rotatedToken = (left: number, rotateBefore = "10d"): { live: Token; recorded: RecordedToken } => {
  return {
    live: { id: "t1", name: "ci", expiresAt: inDays(left) },
    recorded: {
      id: "t1",
      name: "ci",
      inputs: { expiresIn: "90d", rotation: { rotateBefore } },
      outputs: { expiresAt: inDays(left) },
    },
  };
};

const findings = ({ live, recorded }: ReturnType<typeof rotatedToken>) =>
  audit([live], { tokens: [recorded] }).findings;

describe("a token with a rotation that expires soon is", () => {
  test.each([
    ["no finding before it is due", 12, "10d", false],
    ["no finding on the day on which the next update rotates it", 9.5, "10d", false],
    ["no finding for half of a short time", 0.26, "12h", false],
    ["reported a day after it fell due", 8.9, "10d", true],
    ["reported when half of the time that was left has passed", 0.24, "12h", true],
  ])("%s", (_, left, rotateBefore, isOverdue) => {
    const found = findings(rotatedToken(left, rotateBefore)).map(({ rule, message }) => `${rule}: ${message}`);
    const overdue = expect.stringMatching(/^expiry: .* expires on .*, and its rotation is overdue$/);
    expect(found).toEqual(isOverdue ? [overdue] : []);
  });

  test("reported if the live token ends before its rotation", () => {
    const { live, recorded } = rotatedToken(60);
    expect(rulesOf(findings({ live: { ...live, expiresAt: inDays(3) }, recorded }))).toEqual(["expiry t1"]);
  });

  test("reported without a rotation by time", () => {
    const { live, recorded } = rotatedToken(12);
    const inputs = { rotation: { triggers: { a: "1" } } };
    expect(rulesOf(findings({ live, recorded: { ...recorded, inputs } }))).toEqual(["expiry t1"]);
  });
});

test("the calendar counts a rotation of a token, unless a successor already replaces the token", () => {
  const { live, recorded } = rotatedToken(60);
  const rotations = (more: Record<string, unknown>) =>
    audit([live], { tokens: [{ ...recorded, more }] }).calendar.reduce((sum, { rotate }) => sum + rotate, 0);
  expect([rotations({}), rotations({ delete: true }), rotations({ pendingReplacement: true })]).toEqual([1, 0, 0]);
});

describe("a declared token that the service lists no longer", () => {
  const missing = (expiresAt: string | undefined) =>
    audit([{ id: "other", name: "other", expiresAt: inDays(100) }], {
      tokens: [
        { id: "t1", name: "ci", inputs: { expiresAt } },
        { id: "other", name: "other" },
      ],
    }).findings;

  test("has expired, and nobody has to have revoked it", () => {
    expect(missing(inDays(-1))).toMatchObject([
      {
        rule: "expiry",
        token: { id: "t1", name: "ci" },
        declared: { stack: "web/prod" },
        message: expect.stringMatching(/^API token "ci" is declared, expired on 2026-11-20T.*no longer lists it$/),
      },
    ]);
  });

  test.each([
    ["it has time left", inDays(1)],
    ["it expired a minute ago, by a clock that may be wrong", new Date(now.getTime() - 60_000).toISOString()],
    ["its expiry cannot be read", "soon"],
    ["it has none", undefined],
  ])("is missing if %s", (_, expiresAt) => {
    expect(rulesOf(missing(expiresAt))).toEqual(["missing t1"]);
  });
});

test("a fixed name whose first token waits for its deletion is no duplicate, but a third token of the name is", () => {
  const expiresAt = inDays(100);
  const tokens: RecordedToken[] = [
    { id: "old", name: "ci", inputs: { expiresAt }, more: { delete: true } },
    { id: "new", name: "ci", inputs: { expiresAt } },
  ];
  const live = ["old", "new"].map((id) => ({ id, name: "ci", expiresAt }));
  expect(audit(live, { tokens }).findings).toEqual([]);
  const third = [...live, { id: "third", name: "ci", expiresAt }];
  expect(audit(third, { tokens }).findings).toMatchObject([{ rule: "duplicate-name", ids: ["new", "third"] }]);
});

test("a list with the same id twice is an error: nobody can tell which entry is true", () => {
  const live = [
    { id: "t1", name: "ci", expiresAt: inDays(100) },
    { id: "t1", name: "ci", expiresAt: inDays(200) },
  ];
  expect(() => audit(live)).toThrow(
    "lists the token t1 twice, and it is not clear which entry is right. Nothing was audited.",
  );
});
