import { describe, expect, test } from "@jest/globals";
import type { QueryGateInputs } from "../../provider/nouns/queryGate/definition";
import { eventsOf, oneValue } from "../support/queryAnswers";
import { json } from "../support/service";
import { evaluate } from "./gates";

const once = { every: "1s", for: "1s" };
const messageOf = (code: string, priority: string) => ({ code, count: 1, msg: "shard 3 failed", priority });
const manyRows = Array.from({ length: 1000 }, () => ({ n: 1 }));

/** Whether a gate passes on a value within the bounds that comes with this status. */
async function passes(status: object, change: Partial<QueryGateInputs> = {}, answer = oneValue(1, status)) {
  const { state, session } = await evaluate({ ...once, ...change }, answer);
  return { passes: state !== undefined, shown: session.warnings };
}

describe("the table of messages", () => {
  const messages = (code: string, priority: string) => ({ messages: [messageOf(code, priority)] });

  test.each<[status: object, usual: boolean, strict: boolean]>([
    [{}, true, true],
    [{ isPartial: true }, false, false],
    [{ isEstimate: true }, true, false],
    [messages("missing_column", "warn"), false, false],
    [messages("missing_column", "info"), false, false],
    [messages("virtual_field_finalize_error", "info"), false, false],
    [messages("license_limit_for_query_warning", "warn"), false, false],
    [messages("default_limit_warning", "warn"), true, false],
    [messages("default_limit_warning", "error"), false, false],
    [messages("other", "fatal"), false, false],
    [messages("other", "error"), false, false],
    [messages("other", "dire"), false, false],
    [messages("other", "warn"), false, false],
    [messages("other", "info"), true, false],
    [messages("other", "debug"), true, false],
    [messages("other", "trace"), true, false],
  ])("%j passes: %s; with warnings: fail: %s", async (status, usual, strict) => {
    const found = await passes(status);
    expect(found.passes).toBe(usual);
    expect(found.shown).toHaveLength(Object.keys(status).length);
    expect((await passes(status, { warnings: "fail" })).passes).toBe(strict);
  });

  test("a result that was cut at the usual limit does not pass if it has so many rows", async () => {
    const cut = messages("default_limit_warning", "warn");
    const column = { expect: { column: "n", max: 5 } };
    expect((await passes({}, column, eventsOf(cut, ...manyRows))).passes).toBe(false);
    expect((await passes({}, column, eventsOf(cut, ...manyRows.slice(1)))).passes).toBe(true);
  });

  test("a remark is shown once for all attempts", async () => {
    const remark = messages("other", "info");
    const { state, session } = await evaluate({}, oneValue(9), oneValue(9, remark), oneValue(1, remark));
    const shown = ['gate "errors": the service says "shard 3 failed"'];
    expect([state?.attempts, session.warnings]).toEqual([3, shown]);
  });
});

describe("a field that no event ever had", () => {
  const refusal = json(400, { code: 400, message: 'invalid field: "ring", nearest: "region"' });
  const missing = (known: string[]) =>
    json(200, {
      buckets: { series: [], totals: [{ id: 0, group: {}, aggregations: [{ op: "count_", value: 0 }] }] },
      datasetNames: ["web"],
      fieldsMetaMap: { web: known.map((name) => ({ name })) },
      status: { messages: [{ code: "missing_column", msg: 'no field "stauts"', priority: "warn" }] },
    });

  test.each([
    ["the service refuses it", refusal],
    ["the service warns of it", missing([])],
  ])("can arrive with the first event of the new release: %s", async (_, refuses) => {
    const { state, calls } = await evaluate({ for: "10m" }, refuses, refuses, refuses, oneValue(0));
    expect([state?.value, calls.length]).toEqual([0, 4]);
  });

  test.each([
    ["the service refuses it", refusal, 'invalid field: "ring", nearest: "region"'],
    [
      "the service warns of it",
      missing(["status", "stauts", "path"]),
      'invalid field: the service says "no field "stauts"", nearest: "status"',
    ],
    ["no name is near", missing(["path"]), 'invalid field: the service says "no field "stauts""'],
  ])("never passes, though a count of it is 0 and no data may pass: %s", async (_, refuses, problem) => {
    const { failed, calls } = await evaluate({ noData: "pass", every: "10s", for: "30s" }, refuses);
    expect(failed).toContain(`(4 attempts in 30s): ${problem}\n`);
    expect(failed).not.toContain("column_ifexists");
    expect(calls).toHaveLength(4);
  });

  test("ends a settling that had begun", async () => {
    const { state } = await evaluate({ every: "10s", settle: "20s" }, oneValue(1), oneValue(1), refusal, oneValue(1));
    expect(state?.attempts).toBe(6);
  });

  test("is not named if an argument is secret", async () => {
    const { failed, session } = await evaluate({ ...once, secretInputs: ["apl"] }, refusal);
    expect(failed).toContain("the service refuses a field; its name is hidden because an argument is secret");
    expect(`${failed}${session.progress.join()}`).not.toMatch(/ring|region/);
  });

  test("is no reason for other refusals to be repeated", async () => {
    const syntax = json(400, { code: 400, message: "the query has a syntax error" });
    const { failed, calls } = await evaluate({ for: "10m" }, syntax, oneValue(0));
    expect([failed?.includes("syntax error"), calls.length]).toEqual([true, 1]);
  });
});
