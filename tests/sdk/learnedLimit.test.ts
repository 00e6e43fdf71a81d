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

test("the next pause is half as long as the last one, and then as long", () => {
  expect(pausesFor(closed(20, 3))).toEqual([growing, [15.5, 15.5], [15.5, 15.5]]);
});

test("no pause is longer than a minute, so a limit per minute costs two refused requests per minute", () => {
  expect(pausesFor(closed(60, 4))).toEqual([
    [...growing, 32],
    [30, 30],
    [30, 30],
    [30, 30],
  ]);
});

test("after a long pause, a shorter one is found by halving it each time", () => {
  expect(pausesFor([...closed(60, 1), ...closed(1, 7)]).slice(1)).toEqual([
    [30],
    [15],
    [7.5],
    [3.75],
    [1.875],
    [1],
    [1],
  ]);
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
