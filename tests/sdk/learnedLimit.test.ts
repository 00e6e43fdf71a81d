import { expect, test } from "@jest/globals";
import { LearnedLimit } from "../../sdk/learnedLimit";

/** Windows of a service that lets so many through and then none for a while (in seconds): the pauses that are made for each. */
function pausesFor(windows: readonly { readonly passes: number; readonly closed: number }[]): number[][] {
  const limit = new LearnedLimit();
  let refusals = { count: 0, waited: 0 };
  return windows.map(({ passes, closed }) => {
    for (let n = 0; n < passes; n++) {
      limit.countPassage(refusals);
      refusals = { count: 0, waited: 0 };
    }
    const pauses: number[] = [];
    while (refusals.waited < closed * 1000) {
      const pause = limit.countRefusal(refusals);
      refusals = { count: refusals.count + 1, waited: refusals.waited + pause };
      pauses.push(pause / 1000);
    }
    return pauses;
  });
}

const closed = (seconds: number, times: number, passes = 100) => Array(times).fill({ passes, closed: seconds });

test("what a pause came to is waited at once where as many got through again", () => {
  expect(pausesFor(closed(20, 4))).toEqual([[1, 2, 4, 8, 16], [31], [31], [31]]);
});

test("no pause is longer than a minute, so a limit by the minute costs one refused request a minute", () => {
  expect(pausesFor(closed(60, 5))).toEqual([[1, 2, 4, 8, 16, 32], [60], [60], [60], [60]]);
});

test("after some that were long enough a shorter one is tried, and the rest waited where it was not", () => {
  expect(pausesFor(closed(60, 9)).slice(6)).toEqual([[30, 30], [60], [60]]);
});

test("one long pause is forgotten again", () => {
  const pauses = pausesFor([...closed(20, 1), ...closed(1, 30)]);
  expect(pauses.at(-1)).toEqual([1]);
});

test("where fewer got through than before it is another limit, which may be over at once", () => {
  expect(pausesFor([...closed(20, 2), ...closed(1, 1, 10)]).at(-1)).toEqual([1]);
});

test("as many are let in as got through before, and those that were under way then count as before", () => {
  const limit = new LearnedLimit();
  for (let n = 0; n < 10; n++) limit.countPassage({ count: 0, waited: 0 });
  expect(limit.left).toBe(Number.POSITIVE_INFINITY);
  limit.countRefusal({ count: 0, waited: 0 });
  limit.countPassage(undefined);
  expect(limit.left).toBe(11);
  for (let n = 0; n < 11; n++) limit.countPassage({ count: 0, waited: 0 });
  expect(limit.left).toBe(0);
  limit.countPassage({ count: 0, waited: 0 });
  expect(limit.left).toBe(Number.POSITIVE_INFINITY);
});
