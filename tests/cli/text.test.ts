import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { code } from "../../cli/reports/markdown";
import { count, safeJson, visible } from "../../cli/reports/text";
import { expectHarmless, fromService } from "../support/hostile";

const runs = { numRuns: 10_000 };
/** Ten thousand runs take seconds, and longer on a busy machine. */
const patience = 120_000;

test(
  "a text that is made visible holds nothing invisible and is one bounded line",
  () => {
    const check = (text: string) => {
      const shown = visible(text);
      expectHarmless(shown);
      expect(shown).not.toContain("\n");
      expect(shown.length).toBeLessThan(5_000);
    };
    fc.assert(fc.property(fromService, check), runs);
    check("\u202e".repeat(100_000));
  },
  patience,
);

test("a text with nothing hidden in it stays as it is", () => {
  for (const text of ["ci-0a1b2c3", "Überwachung 監視 🙂 [x] {0} <b> & :: # %", ""]) expect(visible(text)).toBe(text);
  expect(visible("a\u202eb\n")).toBe("a‹U+202E›b‹U+000A›");
  expect(visible("x".repeat(600))).toBe(`${"x".repeat(500)}…`);
});

test(
  "safe JSON is harmless as text and the same as a value",
  () => {
    const value = fc.dictionary(fromService, fc.oneof(fromService, fc.integer(), fc.array(fromService)), {
      maxKeys: 3,
    });
    fc.assert(
      fc.property(value, (data) => {
        const text = safeJson(data);
        expectHarmless(text);
        expect(text).not.toMatch(/[<>&]/);
        const plain = JSON.stringify(data).replace(/xa[ap]t-[\w-]{8,}/g, "[token]");
        expect(JSON.parse(text)).toEqual(JSON.parse(plain));
      }),
      runs,
    );
  },
  patience,
);

test(
  "a code span ends where its own fence does, whatever is in it",
  () => {
    fc.assert(
      fc.property(fromService, (text) => {
        const span = code(text);
        const fence = /^`+/.exec(span)?.[0] ?? "";
        const content = span.slice(fence.length, -fence.length);
        expect(fence.length).toBeGreaterThan(0);
        expect(span.endsWith(fence)).toBe(true);
        expect(content.match(/`+/g) ?? []).not.toContain(fence);
        expect(content).not.toMatch(/^`|`$|^$|\n/);
      }),
      runs,
    );
  },
  patience,
);

test("one of something is one, and any other number are many", () => {
  expect([count(1, "token"), count(0, "token"), count(2, "token")]).toEqual(["1 token", "0 tokens", "2 tokens"]);
});
