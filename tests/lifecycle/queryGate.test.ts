import { describe, expect, test } from "@jest/globals";
import { checkInputs } from "../../framework/hooks";
import { unknown } from "../../framework/testing";
import { notKnown } from "../../framework/unknown";
import type { QueryGateInputs } from "../../provider/nouns/queryGate/definition";
import { hostedQueryGate } from "../../provider/nouns/queryGate/lifecycle";
import { findReasons, type NotedSession, planOf } from "../support/host";
import { events, oneValue } from "../support/queryAnswers";
import { type Behaviour, json, silence } from "../support/service";
import { beginScript } from "../support/story";
import { evaluate, evaluateTimed, failureOf, gate, slow } from "./gates";

const queryGate = hostedQueryGate.lifecycle;

describe("an evaluation", () => {
  test("passes at the first value within the bounds, and records it", async () => {
    const { state, session, requests } = await evaluate({}, oneValue(9), oneValue(7), oneValue(5));
    expect(state).toEqual({ ...gate, value: 5, attempts: 3, passedAt: "2026-11-21T12:00:30Z" });
    expect(requests.map(({ call, body }) => [call, JSON.parse(body)])).toEqual(
      Array(3).fill(["POST /v1/datasets/_apl", { apl: gate.apl, startTime: gate.startTime, endTime: gate.endTime }]),
    );
    expect(session.waits).toEqual([15_000, 15_000]);
  });

  test("fails when the time is over, with the query, the last value and the bound", async () => {
    const { failed, session, calls } = await evaluate({ every: "20s", for: "50s" }, oneValue(9), oneValue(8));
    expect(failed).toBe(
      `gate "errors" did not pass (4 attempts in 50s): the value is 8\n  expected: at most 5\n  query: ${gate.apl}\n  from now-5m to now`,
    );
    expect(calls).toHaveLength(4);
    // The last look comes late, but while an answer can still arrive in time.
    expect(session.waits).toEqual([20_000, 20_000, 9_000]);
    expect(session.limits).toEqual([50_000, 30_000, 10_000, 1_000]);
  });

  test("gives up a query that is under way when the time is over, and names the value before", async () => {
    const { failed, calls } = await evaluateTimed({ every: "1s", for: "5s" }, () => oneValue(9), slow(4_000, silence));
    expect(failed).toContain("no response within the remaining 4 s; before that, the value is 9");
    expect(calls).toHaveLength(2);
  });

  test("counts what queries and the waits of a rate limit take, and does not begin what cannot end in time", async () => {
    const limited = slow(4_000, json(429, { message: "rate limit exceeded" }));
    const { failed, session } = await evaluateTimed({ every: "1s", for: "10s" }, slow(3_000, oneValue(9)), limited);
    expect(failed).toContain("(2 attempts in 10s)");
    expect([session.limits, session.waits]).toEqual([[10_000, 6_000], [1_000]]);
  });

  test("does not pass on a value that arrived after the time was over", async () => {
    const late = (session: NotedSession) => slow(0, oneValue(1))(session);
    const { state } = await evaluateTimed({ for: "5s" }, late);
    expect(state).toMatchObject({ value: 1 });
    const { failed } = await evaluateTimed({ for: "5s" }, slow(5_001, oneValue(1)));
    expect(failed).toContain("no response within the remaining 5 s");
  });

  test("with settle it passes only when the value held at every attempt for that long", async () => {
    const answers = [oneValue(1), oneValue(9), oneValue(2), oneValue(3), oneValue(4), oneValue(5)];
    const { state, session } = await evaluate({ every: "10s", settle: "30s" }, ...answers);
    expect(state).toMatchObject({ value: 5, attempts: 6 });
    expect(session.progress[2]).toContain("attempt 3: held for 0 s of 30 s with 2");
  });
});

describe("bounds", () => {
  test.each<[QueryGateInputs["expect"], Behaviour, boolean]>([
    [{ min: 2 }, oneValue(2), true],
    [{ min: 2 }, oneValue(1.9), false],
    [{ max: 2 }, oneValue(2.1), false],
    [{ min: 1, max: 3 }, oneValue(2), true],
    [{ equals: 0 }, oneValue(0), true],
    [{ equals: "ok" }, oneValue("ok"), true],
    [{ equals: "ok" }, oneValue("OK"), false],
    [{ equals: true }, oneValue(true), true],
    [{ equals: 1 }, oneValue("1"), false],
    [{ column: "p95", max: 200 }, events({ route: "/", p95: 90 }, { route: "/a", p95: 200 }), true],
    [{ column: "p95", max: 200 }, events({ route: "/", p95: 90 }, { route: "/a", p95: 201 }), false],
  ])("%j", async (expected, behaviour, passes) => {
    const { state } = await evaluate({ expect: expected, for: "1s", every: "1s" }, behaviour);
    expect(state !== undefined).toBe(passes);
  });

  test("what the service answers is bounded and one line in a message", async () => {
    const failed = await failureOf({ expect: { equals: "ok" } }, oneValue(`a\nb\u001b[31m${"x".repeat(500)}`));
    const [line = ""] = (failed ?? "").split("\n");
    expect(line).toContain('the value is "a\\nb');
    expect(line.length).toBeLessThan(200);
    expect(await failureOf({ expect: { column: "list", max: 5 } }, events({ list: [1] as never }))).toContain(
      "the value is a list or an object",
    );
  });
});

describe("diff", () => {
  const state = { ...gate, value: 1, attempts: 1, passedAt: "2026-11-21T12:00:00Z" };
  const diffChange = (change: Partial<QueryGateInputs>) =>
    queryGate.diff("gate-1", state, { ...gate, ...change }, planOf());

  test.each<[Partial<QueryGateInputs>, boolean]>([
    [{ triggers: { image: "sha256:2" } }, true],
    [{ apl: "['web'] | summarize count()" }, true],
    [{ startTime: "now-10m" }, true],
    [{ expect: { max: 6 } }, true],
    [{ settle: "1m" }, true],
    [{ noData: "pass" }, true],
    [{ warnings: "fail" }, true],
    [{}, false],
    [{ every: "1s" }, false],
    [{ for: "1h" }, false],
    [{ key: "other" }, false],
    [{ noData: "fail" }, false],
  ])("whether %j evaluates it again: %s, always in place", (change, changes) => {
    expect(diffChange(change)).toEqual({ changes, replaces: [] });
  });

  test("a trigger that is not known yet evaluates it again, in place", async () => {
    await using it = await beginScript("documented", oneValue(1));
    const { key: _, ...args } = gate;
    const declare = (triggers: object) => ({ errors: { type: "QueryGate", args: { ...args, triggers } } });
    await it.up(declare({ image: "sha256:1" }));
    const { found } = await it.preview(declare({ image: unknown }));
    expect(found.errors).toEqual({ changes: true, replaces: [] });
  });
});

test.each<[Record<string, unknown>, string[]]>([
  [{ triggers: {} }, ["triggers"]],
  [{ apl: "", startTime: 5 }, ["apl", "startTime"]],
  [{ expect: {} }, ["expect"]],
  [{ expect: { column: "n" } }, ["expect"]],
  [{ expect: { maximum: 5 } }, ["expect.maximum"]],
  [{ expect: { max: "5" } }, ["expect.max"]],
  [{ expect: { min: 5, max: 1 } }, ["expect.min"]],
  [{ expect: [5] }, ["expect"]],
  [{ every: "soon", for: "0s", settle: "1x" }, ["every", "for", "settle"]],
  [{ every: "6m" }, ["every"]],
  [{ for: "1m", settle: "2m" }, ["settle"]],
  [{ for: "1m", settle: "1m" }, ["settle"]],
  [{ expect: { min: null, max: undefined } }, ["expect"]],
  [{ expect: { min: Number.NaN } }, ["expect.min"]],
  [{ for: "P1M" }, ["for"]],
  [{ noData: "maybe" }, ["noData"]],
  [{ until: "5m" }, ["until"]],
  [{ triggers: notKnown, expect: { max: notKnown } }, []],
])("%j is refused for %j", (change, properties) => {
  const { failures } = checkInputs(hostedQueryGate, undefined, { ...gate, ...change }, planOf());
  expect(failures.map(({ property }) => property)).toEqual(properties);
});

test("a gate without triggers is told why it needs them, and how they look", async () => {
  expect(await findReasons(hostedQueryGate, { ...gate, triggers: undefined, expect: undefined })).toEqual([
    "expect is missing: the bounds of the value, such as { max: 5 }",
    expect.stringMatching(/^triggers is missing: a gate is evaluated only when one of them changes; .*\{ image:/),
  ]);
});

test("a gate whose query is secret repeats neither the query nor what the service says of it", async () => {
  const canary = "cnry-query-text";
  const secret = { apl: canary, secretInputs: ["apl"] };
  const message = { code: "x", count: 1, msg: canary, priority: "error" };
  const doubtful = await evaluate({ ...secret, every: "1s", for: "2s" }, oneValue(9, { messages: [message] }));
  const missed = await evaluate({ ...secret, every: "1s", for: "2s" }, oneValue(9));
  for (const { failed, session } of [doubtful, missed]) {
    expect(failed).not.toContain("query:");
    expect(`${failed}${session.progress.join()}${session.warnings.join()}`).not.toContain(canary);
  }
  expect(doubtful.failed).toContain("the service returned a warning, which is hidden");
});

test("a gate whose bounds are secret does not name their column", async () => {
  const secret = { expect: { column: "cnry-column", max: 5 }, secretInputs: ["expect"], every: "1s", for: "2s" };
  const { failed, session } = await evaluate(secret, events({ m: 1 }));
  expect(failed).toContain("the result does not pass; the reason is hidden because an argument is secret");
  expect(`${failed}${session.progress.join()}`).not.toContain("cnry");
  expect(await findReasons(hostedQueryGate, { ...gate, ...secret, expect: { cnryBound: 5 } })).toEqual([
    "expect has a member that is not known; the inputs are column, min, max, equals",
  ]);
});

test.each(["every", "for", "settle"])("a gate with a secret %s names no time", async (name) => {
  const durations = { every: "17s", for: "61s", settle: "43s", secretInputs: [name] };
  const missed = await evaluate(durations, oneValue(1), oneValue(9), oneValue(2));
  const silent = await evaluateTimed(durations, () => oneValue(1), slow(45_000, silence));
  for (const { failed, session } of [missed, silent]) {
    const said = `${failed}${session.progress.join()}`;
    expect(said).toContain("held, but not for long enough");
    expect(failed).toContain("attempts): ");
    expect(said).not.toMatch(/\d s\b|17s|61s|43s/);
  }
  expect(silent.failed).toContain("no response within the remaining time");
});
