import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { isAlwaysShorter, parseDuration, shift } from "../../values/duration";

const hours = (count: number) => ({ months: 0, milliseconds: count * 3_600_000 });

test.each([
  ["36h", hours(36)],
  ["14d", hours(14 * 24)],
  ["90m", hours(1.5)],
  ["P14D", hours(14 * 24)],
  ["PT36H", hours(36)],
  ["P1DT12H", hours(36)],
  ["P1Y2M", { months: 14, milliseconds: 0 }],
])("%s is a duration", (text, duration) => {
  expect(parseDuration(text)).toEqual(duration);
});

test.each(["", "14", "-14d", "1.5h", "P1DT", "1d12h", "P1H", "99999999d", "P1001Y"])("%j is not a duration", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

describe("shift", () => {
  const at = (text: string) => new Date(text);

  test.each([
    ["2026-11-21T12:00:00Z", "90d", "2027-02-19T12:00:00.000Z"],
    ["2026-01-31T00:00:00Z", "P1M", "2026-02-28T00:00:00.000Z"],
    ["2026-12-15T10:00:00Z", "P2M", "2027-02-15T10:00:00.000Z"],
  ])("%s and %s make %s", (from, duration, to) => {
    expect(shift(at(from), parseDuration(duration) ?? hours(0), 1).toISOString()).toBe(to);
  });

  test.each([
    ["9999-12-31T00:00:00Z", 1],
    ["0000-01-01T00:00:00Z", -1],
  ] as const)("from %s beyond what an instant can name is an error", (from, direction) => {
    expect(() => shift(at(from), hours(48), direction)).toThrow("outside the years 0000 to 9999");
  });

  test("shifting back undoes shifting forward for durations of a fixed length", () => {
    fc.assert(
      fc.property(
        fc.date({ min: at("1990-01-01"), max: at("2100-01-01"), noInvalidDate: true }),
        fc.nat(1_000_000),
        (from, count) => {
          const duration = { months: 0, milliseconds: count * 1000 };
          expect(shift(shift(from, duration, 1), duration, -1)).toEqual(from);
        },
      ),
    );
  });
});

test.each([
  ["14d", "90d", true],
  ["28d", "P1M", false],
  ["P1M", "32d", true],
  ["365d", "P1Y", false],
  ["P1Y", "366d", false],
  ["1460d", "P4Y", false],
  ["P4Y", "1462d", true],
  ["P999Y", "P1000Y", true],
])("whether %s is shorter than %s wherever they start: %s", (a, b, shorter) => {
  const [x, y] = [parseDuration(a) ?? hours(0), parseDuration(b) ?? hours(0)];
  expect(isAlwaysShorter(x, y)).toBe(shorter);
});
