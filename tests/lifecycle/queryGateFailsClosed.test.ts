import { describe, expect, test } from "@jest/globals";
import type { QueryGateInputs } from "../../provider/nouns/queryGate/definition";
import { events, eventsOf, oneValue } from "../support/queryAnswers";
import { type Behaviour, raw } from "../support/service";
import { evaluate, failureOf, gate } from "./gates";

/** A value within the bounds that comes with a message. */
const respondWithMessage = (priority: string, value: number | null = 1): Behaviour =>
  oneValue(value, { messages: [{ code: "x", count: 1, msg: "shard 3 failed", priority }] });

const warning = { code: "x", count: 1, msg: "shard 3 failed", priority: "warn" };

/** The documented answer with a value that JSON.stringify cannot write. */
const exactAnswer = (value: string): string =>
  `{"buckets":{"series":[],"totals":[{"id":0,"group":{},"aggregations":[{"op":"n","value":${value}}]}]},"datasetNames":[],"fieldsMetaMap":{},"matches":[],"request":{},"status":{"messages":[]}}`;

// A service that fails, refuses or does not respond: tests/faults.
describe("fails closed", () => {
  test.each<[string, Partial<QueryGateInputs>, Behaviour, string]>([
    ["no rows", {}, events(), "there is no data"],
    ["a null value", {}, oneValue(null), "there is no data"],
    ["no data with an error message", { noData: "pass" }, respondWithMessage("error", null), "shard 3 failed"],
    ["no rows with a warning", { noData: "pass" }, eventsOf({ messages: [warning] }), "shard 3 failed"],
    ["a null value with a warning", { noData: "pass" }, respondWithMessage("warn", null), "shard 3 failed"],
    [
      "a value that is not a JSON number",
      {},
      raw('{"buckets":{"totals":[{"group":{},"aggregations":[{"op":"n","value":NaN}]}]}}'),
      "not JSON",
    ],
    [
      "an integer that rounding would bring within the bounds",
      { expect: { max: 2 ** 53 } },
      raw(exactAnswer("9007199254740993")),
      'the value is "9007199254740993"',
    ],
    [
      "the first rows of a longer list",
      { expect: { column: "n", max: 5 } },
      eventsOf({ continuationToken: "next" }, { n: 1 }),
      "does not contain every row",
    ],
    [
      "a list that was cut, of which only a warning tells",
      { expect: { column: "n", max: 5 } },
      eventsOf({ messages: [warning] }, { n: 1 }),
      'the service says "shard 3 failed" with the result',
    ],
    [
      "bounds that are null",
      { expect: { max: null, min: null } as never },
      oneValue(1),
      "the bounds cannot be used: expect must have a bound",
    ],
    [
      "a bound that is not a number",
      { expect: { max: Number.NaN } },
      oneValue(1),
      "the bounds cannot be used: max must be a number",
    ],
    ["a text instead of a number", {}, oneValue("many"), '"many" is not a number'],
    ["several values", {}, events({ n: 1 }, { n: 2 }), "more than one value"],
    ["a column that is not there", { expect: { column: "n", max: 5 } }, events({ m: 1 }), "row 1 of 1 has no column n"],
    [
      "a null in a column",
      { expect: { column: "n", max: 5 } },
      events({ n: 1 }, { n: null }),
      "row 2 of 2: null is not a number",
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

  const remark = { code: "x", count: 1, msg: "slow", priority: "info" };
  test.each([events(), oneValue(null), eventsOf({ messages: [remark] })])(
    "no data passes only when told so, and then there is no value",
    async (none) => {
      const { state } = await evaluate({ noData: "pass" }, none);
      expect(state).toEqual({ ...gate, noData: "pass", attempts: 1, passedAt: expect.any(String) });
    },
  );
});
