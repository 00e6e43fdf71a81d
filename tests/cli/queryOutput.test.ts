import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { timeOf } from "../../cli/query";
import { table } from "../../cli/table";
import { widthOf } from "../../cli/width";
import type { Row } from "../../sdk";
import { runsOf } from "../fuzz/random";
import { anyCharacter } from "../support/hostile";

const tableOf = (rows: Row[], columns?: number, whole: string[] = []) => [...table(rows, { columns, whole })];

describe("a table", () => {
  test("aligns numbers right and texts left, and leaves absent and null empty", () => {
    expect(tableOf([{ n: 1, t: "a" }, { n: 20n, t: null }, { t: "ccc" }])).toEqual([
      " n  t",
      "──  ───",
      " 1  a",
      "20",
      "    ccc",
    ]);
  });

  test("truncates the widest columns first, all to the same width", () => {
    expect(tableOf([{ a: "12345678901234567890", b: "short", c: "12345678901234567890" }], 30)).toEqual([
      "a           b      c",
      "──────────  ─────  ──────────",
      "123456789…  short  123456789…",
    ]);
  });

  test("names the columns that do not fit", () => {
    const row = Object.fromEntries(["alpha", "beta", "gamma", "delta"].map((name) => [name, "1234567890"]));
    expect(tableOf([row], 20)).toEqual([
      "alpha      beta",
      "─────────  ─────────",
      "12345678…  12345678…",
      "2 more: gamma, delt…",
    ]);
  });

  test("counts wide characters as two columns", () => {
    const lines = tableOf([
      { a: "日本語", b: "x" },
      { a: "🚀é", b: "y" },
    ]);
    expect(new Set(lines.slice(2).map((line) => widthOf(line)))).toEqual(new Set([9]));
  });

  test("fits every terminal with room for one column, for any data", () => {
    const row = fc.dictionary(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.oneof(fc.string({ unit: anyCharacter, maxLength: 40 }), fc.integer(), fc.constant(null)),
      { maxKeys: 6 },
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), fc.integer({ min: 8, max: 60 }), (rows, columns) => {
        for (const line of tableOf(rows, columns)) {
          expect(widthOf(line)).toBeLessThanOrEqual(columns);
          expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]|\p{Cf}/u);
        }
      }),
      { numRuns: runsOf(500) },
    );
  });
});

describe("a time", () => {
  const now = new Date("2026-11-21T12:00:00Z");

  test.each([
    ["now", "2026-11-21T12:00:00.000Z"],
    ["now-15m", "2026-11-21T11:45:00.000Z"],
    ["now-1h", "2026-11-21T11:00:00.000Z"],
    ["now-7d", "2026-11-14T12:00:00.000Z"],
    ["now-2w", "2026-11-07T12:00:00.000Z"],
    ["now+30s", "2026-11-21T12:00:30.000Z"],
    ["now-P1M", "2026-10-21T12:00:00.000Z"],
    ["2026-11-21T12:00:00+02:00", "2026-11-21T10:00:00Z"],
    ["2026-11-21T12:00:00.123456789Z", "2026-11-21T12:00:00.123456789Z"],
  ])("%s is %s", (text, instant) => {
    expect(timeOf(text, "--start", now)).toBe(instant);
  });

  test.each(["", "now-", "now-1", "now-1y", "now 1h", "-1h", "2026-11-21", "2026-02-30T00:00:00Z", "yesterday"])(
    "%j is none",
    (text) => {
      expect(() => timeOf(text, "--start", now)).toThrow(/^--start: must be an RFC 3339 timestamp/);
    },
  );
});
