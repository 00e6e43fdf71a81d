import { describe, expect, test } from "@jest/globals";
import { unknown } from "../../provider/lifecycle/contract";
import { type QueryGateInputs, queryGate } from "../../provider/lifecycle/gate/queryGate";
import { connect } from "../support/client";
import { events, oneValue } from "../support/gateAnswers";
import { type Behaviour, hangUp, json, startService } from "../support/service";
import { planOf, sessionOf } from "../support/session";

const gate: QueryGateInputs = {
  name: "errors",
  apl: "['web'] | where status >= 500 | summarize count()",
  startTime: "now-5m",
  endTime: "now",
  expect: { max: 5 },
  triggers: { image: "sha256:1" },
};

/** A gate on a service that answers as listed, one behaviour an attempt; the last one stays. */
async function evaluated(change: Partial<QueryGateInputs>, ...behaviours: readonly Behaviour[]) {
  await using service = await startService(...behaviours);
  await using client = connect(service.url);
  const session = sessionOf(client);
  const outcome = await queryGate.create(session, { ...gate, ...change }).catch((e: Error) => e);
  const { calls, requests } = service;
  const failed = outcome instanceof Error ? outcome.message : undefined;
  return { state: outcome instanceof Error ? undefined : outcome.state, failed, session, calls, requests };
}

/** The failure of a gate that looks once. */
const failureOf = async (change: Partial<QueryGateInputs>, behaviour: Behaviour) =>
  (await evaluated({ for: "1s", every: "1s", ...change }, behaviour)).failed;

describe("an evaluation", () => {
  test("passes at the first value within the bounds, and records it", async () => {
    const { state, session, requests } = await evaluated({}, oneValue(9), oneValue(7), oneValue(5));
    expect(state).toEqual({ ...gate, value: 5, attempts: 3, passedAt: "2026-11-21T12:00:00.000Z" });
    expect(requests.map(({ call, body }) => [call, JSON.parse(body)])).toEqual(
      Array(3).fill(["POST /v1/datasets/_apl", { apl: gate.apl, startTime: gate.startTime, endTime: gate.endTime }]),
    );
    expect(session.waits).toEqual([15_000, 15_000]);
  });

  test("shows each attempt with the value, the bound and what is left", async () => {
    const { session } = await evaluated({}, oneValue(9), oneValue(5));
    expect(session.progress).toEqual([
      'gate "errors", attempt 1: the value is 9; expected at most 5; next attempt in 15 s, 300 s left',
      'gate "errors", attempt 2: passed with 5',
    ]);
  });

  test("fails when the time is over, with the query, the last value and the bound", async () => {
    const { failed, session, calls } = await evaluated({ every: "20s", for: "50s" }, oneValue(9), oneValue(8));
    expect(failed).toBe(
      `gate "errors" did not pass (4 attempts in 50s): the value is 8\n  expected: at most 5\n  query: ${gate.apl}\n  from now-5m to now`,
    );
    expect(calls).toHaveLength(4);
    // The last wait is what is left, so that the end of the time is looked at too.
    expect(session.waits.map((wait) => Math.round(wait / 1000))).toEqual([20, 20, 10]);
  });

  test("with settle it passes only when the value held at every attempt for that long", async () => {
    const answers = [oneValue(1), oneValue(9), oneValue(2), oneValue(3), oneValue(4), oneValue(5)];
    const { state, session } = await evaluated({ every: "10s", settle: "30s" }, ...answers);
    expect(state).toMatchObject({ value: 5, attempts: 6 });
    expect(session.progress[2]).toContain("attempt 3: held for 0 s of 30 s with 2");
  });

  test("with settle a value that began to hold too late does not pass", async () => {
    const change = { every: "10s", for: "30s", settle: "30s" };
    const { failed } = await evaluated(change, oneValue(9), oneValue(1));
    expect(failed).toMatch(/held for 20(\.\d)? s of 30 s/);
  });

  test("that fails in an update keeps the old state, because nothing is returned", async () => {
    await using service = await startService(oneValue(9));
    await using client = connect(service.url);
    const next = { ...gate, for: "1s", every: "1s", triggers: { image: "sha256:2" } };
    const update = queryGate.update(sessionOf(client), "gate-1", { ...gate, value: 1 }, next);
    await expect(update).rejects.toThrow('gate "errors" did not pass');
    expect(queryGate.diff("gate-1", { ...gate, value: 1 }, next, planOf()).changes).toBe(true);
  });
});

describe("fails closed", () => {
  test.each<[string, Partial<QueryGateInputs>, Behaviour, string]>([
    ["no rows", {}, events(), "there is no data"],
    ["a null value", {}, oneValue(null), "there is no data"],
    ["a partial result, though its value is within the bounds", {}, oneValue(1, { isPartial: true }), "is partial"],
    ["a service that fails", {}, json(503, {}), "POST /v1/datasets/_apl: 503"],
    ["a lost answer", {}, hangUp, "no answer"],
    ["an answer that is none", {}, json(200, {}), "does not fit"],
    ["a text instead of a number", {}, oneValue("many"), '"many" is no number'],
    ["several values", {}, events({ n: 1 }, { n: 2 }), "more than one value"],
    ["a query limit", {}, json(430, { message: "query limit" }), "query limit"],
    ["a column that is not there", { expect: { column: "n", max: 5 } }, events({ m: 1 }), "row 1 of 1 has no column n"],
    [
      "a null in a column",
      { expect: { column: "n", max: 5 } },
      events({ n: 1 }, { n: null }),
      "row 2 of 2: null is no",
    ],
    [
      "a column that is not there, though no data may pass",
      { expect: { column: "n", max: 5 }, noData: "pass" },
      events({ m: 1 }),
      "has no column n",
    ],
  ])("%s does not pass", async (_, change, behaviour, reason) => {
    expect(await failureOf(change, behaviour)).toContain(reason);
  });

  test("an error is followed by the next attempt", async () => {
    const { state } = await evaluated({}, json(500, {}), json(500, {}), json(500, {}), hangUp, oneValue(1));
    expect(state).toMatchObject({ value: 1 });
  });

  test.each([400, 401, 403, 404])("a refusal with %i fails at once: no waiting mends it", async (status) => {
    const { failed, calls, session } = await evaluated({}, json(status, { message: "no such field" }));
    expect(failed).toContain('the service says "no such field"');
    expect(failed).toContain(gate.apl);
    expect([calls.length, session.waits]).toEqual([1, []]);
  });

  test.each([events(), oneValue(null)])(
    "no data passes only when told so, and then there is no value",
    async (none) => {
      const { state } = await evaluated({ noData: "pass" }, none);
      expect(state).toEqual({ ...gate, noData: "pass", attempts: 1, passedAt: expect.any(String) });
    },
  );
});

describe("bounds", () => {
  test.each<[QueryGateInputs["expect"], Behaviour, boolean]>([
    [{ min: 2 }, oneValue(2), true],
    [{ min: 2 }, oneValue(1.9), false],
    [{ max: 2 }, oneValue(2.1), false],
    [{ min: 1, max: 3 }, oneValue(2), true],
    [{ between: [1, 3] }, oneValue(3), true],
    [{ between: [1, 3] }, oneValue(0), false],
    [{ equals: 0 }, oneValue(0), true],
    [{ equals: "ok" }, oneValue("ok"), true],
    [{ equals: "ok" }, oneValue("OK"), false],
    [{ equals: true }, oneValue(true), true],
    [{ equals: 1 }, oneValue("1"), false],
    [{ column: "p95", max: 200 }, events({ route: "/", p95: 90 }, { route: "/a", p95: 200 }), true],
    [{ column: "p95", max: 200 }, events({ route: "/", p95: 90 }, { route: "/a", p95: 201 }), false],
  ])("%j", async (expected, behaviour, passes) => {
    const { state } = await evaluated({ expect: expected, for: "1s", every: "1s" }, behaviour);
    expect(state !== undefined).toBe(passes);
  });

  test("the values of a column are recorded", async () => {
    const { state } = await evaluated({ expect: { column: "n", max: 5 } }, events({ n: 1 }, { n: 2 }));
    expect(state?.value).toEqual([1, 2]);
  });

  test("what the service answers is bounded and one line in a message", async () => {
    const failed = await failureOf({ expect: { equals: "ok" } }, oneValue(`a\nb\u001b[31m${"x".repeat(500)}`));
    const [line = ""] = (failed ?? "").split("\n");
    expect(line).toContain('the value is "a\\nb');
    expect(line.length).toBeLessThan(200);
  });
});

describe("diff", () => {
  const state = { ...gate, value: 1, attempts: 1, passedAt: "2026-11-21T12:00:00Z" };
  const changed = (change: Partial<QueryGateInputs>) =>
    queryGate.diff("gate-1", state, { ...gate, ...change }, planOf());

  test.each<Partial<QueryGateInputs>>([
    { triggers: { image: "sha256:2" } },
    { apl: "['web'] | summarize count()" },
    { startTime: "now-10m" },
    { expect: { max: 6 } },
    { settle: "1m" },
    { noData: "pass" },
    { triggers: { image: unknown as unknown as string } },
  ])("%j evaluates it again, in place", (change) => {
    expect(changed(change)).toEqual({ changes: true, replaces: [] });
  });

  test.each<Partial<QueryGateInputs>>([{}, { every: "1s" }, { for: "1h" }, { name: "other" }, { noData: "fail" }])(
    "%j does not",
    (change) => {
      expect(changed(change).changes).toBe(false);
    },
  );
});

test.each<[Record<string, unknown>, string[]]>([
  [{ triggers: {} }, ["triggers"]],
  [{ triggers: undefined }, ["triggers"]],
  [{ apl: "", startTime: 5 }, ["apl", "startTime"]],
  [{ expect: {} }, ["expect"]],
  [{ expect: { column: "n" } }, ["expect"]],
  [{ expect: { maximum: 5 } }, ["expect.maximum"]],
  [{ expect: { max: "5" } }, ["expect.max"]],
  [{ expect: { min: 5, max: 1 } }, ["expect.min"]],
  [{ expect: { between: [3, 1] } }, ["expect.between"]],
  [{ expect: [5] }, ["expect"]],
  [{ every: "soon", for: "0s", settle: "1x" }, ["every", "for", "settle"]],
  [{ every: "6m" }, ["every"]],
  [{ for: "1m", settle: "2m" }, ["settle"]],
  [{ for: "P1M" }, ["for"]],
  [{ noData: "maybe" }, ["noData"]],
  [{ until: "5m" }, ["until"]],
  [{ triggers: unknown, expect: { max: unknown } }, []],
])("%j is refused for %j", (change, properties) => {
  const { failures } = queryGate.check(undefined, { ...gate, ...change }, planOf());
  expect(failures.map(({ property }) => property)).toEqual(properties);
});
