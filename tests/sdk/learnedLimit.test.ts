import { expect, test } from "@jest/globals";
import { LearnedLimit } from "../../sdk/learnedLimit";

/** The pauses for each window of a service, which accepts some requests and then none for some seconds. */
function pausesFor(windows: readonly { readonly passes: number; readonly closed: number }[]): number[][] {
  const limit = new LearnedLimit();
  return windows.map(({ passes, closed }) => {
    for (let n = 0; n < passes; n++) limit.countPassage();
    const pauses: number[] = [];
    for (let waited = 0; waited < closed; waited += pauses.at(-1) ?? 0) pauses.push(limit.countRefusal(0).wait / 1000);
    return pauses;
  });
}

const closed = (seconds: number, times: number, passes = 100) => Array(times).fill({ passes, closed: seconds });

const growing = [1, 2, 4, 8, 16];

test("after two pauses of the same length, the third has that length at once", () => {
  expect(pausesFor(closed(20, 4))).toEqual([growing, growing, [31], [31]]);
});

test("no pause is longer than a minute, so a limit per minute costs one refused request per minute", () => {
  expect(pausesFor(closed(60, 5))).toEqual([[...growing, 32], [...growing, 32], [60], [60], [60]]);
});

test("after several sufficient pauses the next one is shorter, and extended if it was not enough", () => {
  expect(pausesFor(closed(60, 10)).slice(5)).toEqual([[60], [30, 30], [60], [60], [60]]);
});

test("a single long pause does not lengthen later pauses", () => {
  expect(pausesFor([...closed(60, 1), ...closed(1, 30)]).slice(1)).toEqual(Array(30).fill([1]));
  expect(pausesFor([...closed(1, 10), ...closed(60, 1), ...closed(1, 10)]).slice(11)).toEqual(Array(10).fill([1]));
});

test("a shorter limit is found by halving the pause each time", () => {
  const pauses = pausesFor([...closed(30, 4), ...closed(1, 12)]).slice(4);
  expect(pauses.flat().reduce((sum, pause) => sum + pause)).toBeLessThan(3 * 31 + 31 + 12);
  expect(pauses.at(-1)).toEqual([1]);
});

test("after far fewer passages than before, the pause starts short again", () => {
  expect(pausesFor([...closed(20, 3), ...closed(1, 1, 10)]).at(-1)).toEqual([1]);
});

test("an announced pause is honoured and does not change later pauses", () => {
  const limit = new LearnedLimit();
  for (let n = 0; n < 3; n++) {
    for (let passed = 0; passed < 10; passed++) limit.countPassage();
    expect(limit.countRefusal(0, 60_000).wait).toBe(60_000);
  }
  limit.countPassage();
  expect(limit.countRefusal(0, 2_000).wait).toBe(2_000);
  expect(limit.countRefusal(0, 1_000).wait).toBe(2_000);
  limit.countPassage();
  expect(limit.countRefusal(0).wait).toBe(1_000);
});

test("it admits as many requests as last time, including those under way at the refusal", () => {
  const limit = new LearnedLimit();
  for (let n = 0; n < 10; n++) limit.countPassage();
  expect(limit.left).toBe(Number.POSITIVE_INFINITY);
  limit.countRefusal(0);
  limit.countPassage(true);
  expect(limit.left).toBe(11);
  for (let n = 0; n < 11; n++) limit.countPassage();
  expect(limit.left).toBe(0);
  limit.countPassage();
  expect(limit.left).toBe(Number.POSITIVE_INFINITY);
});
