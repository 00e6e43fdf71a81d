import { readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Io } from "../../cli/command";
import { processIo } from "../../cli/processIo";
import type { Report } from "../../cli/reports";
import { codeSpan } from "../../cli/reports/markdown";
import { messageOf } from "../../cli/reports/report";
import {
  count,
  jsonText,
  makeLinesVisible,
  makeVisible,
  reportJson,
  say,
  showSource,
  wholeLines,
} from "../../cli/text";
import { runsOf } from "../fuzz/random";
import { CHECKOUT, filesBelow } from "../support/checkout";
import { expectHarmless, expectNoCommand, fromService } from "../support/hostile";

// These properties return whether they hold, because `expect` would take longer than the code that they test.
const runs = { numRuns: runsOf(500) };

test("a text that is made visible contains nothing invisible, and is one line without a command", () => {
  const check = (text: string) => {
    const shown = makeVisible(text);
    expectHarmless(shown);
    expectNoCommand(shown);
    return !shown.includes("\n") && makeVisible(shown) === shown;
  };
  fc.assert(fc.property(fromService, check), runs);
  expect(check("\u202e".repeat(100_000))).toBe(true);
});

test("a text without hidden characters stays unchanged", () => {
  for (const text of ["ci-0a1b2c3", "Überwachung 監視 🙂 [x] {0} <b> & :: # %", "", "x".repeat(600)])
    expect(makeVisible(text)).toBe(text);
  expect(makeVisible("a\u202eb\n")).toBe("a‹U+202E›b‹U+000A›");
});

test("lines of the CLI and of a program are harmless with any content", () => {
  fc.assert(
    fc.property(fromService, fromService, (one, other) => {
      for (const text of [say`${one}${other}`, say`#${one}`, makeLinesVisible(`${one}\n${other}`)]) {
        expectHarmless(text.replaceAll(/\r\n|\t/g, ""));
        expectNoCommand(text);
      }
      expectNoCommand(showSource(`${one}\n${other}`));
    }),
    runs,
  );
});

test("JSON is harmless as text and exact as a value; that of a report is also harmless in a page, and has no secrets", () => {
  const value = fc.dictionary(fromService, fc.oneof(fromService, fc.integer(), fc.array(fromService)), { maxKeys: 3 });
  const plain = (data: unknown) => JSON.stringify(data);
  const check = (data: unknown, indent: number | undefined) => {
    const [text, ofReport] = [jsonText(data, indent), reportJson(data, indent)];
    expectHarmless(text, { mayHoldSecrets: true });
    expectHarmless(ofReport);
    for (const one of [text, ofReport]) expectNoCommand(one);
    const withoutSecrets = plain(data).replace(/xa[ap]t-[\w-]{8,}/g, "[token]");
    return (
      isDeepStrictEqual(JSON.parse(text), JSON.parse(plain(data))) &&
      showSource(text) === text &&
      isDeepStrictEqual(JSON.parse(ofReport), JSON.parse(withoutSecrets)) &&
      !/[<>&]/.test(ofReport)
    );
  };
  fc.assert(fc.property(value, fc.constantFrom(undefined, 2), check), runs);
});

test("any number of empty lines in a text of the service is shown without delay", () => {
  const lines = "\n".repeat(300_000);
  expect(showSource(`${lines} ::x`)).toContain("‹U+003A›:x");
});

describe("the message of a finding", () => {
  const name = `checkout-${"x".repeat(511)}`;

  test("keeps its verdict if the token's name is long", () => {
    const message = `API token "${name}" is declared by no audited stack`;
    const shown = messageOf({ message, token: { name } });
    expect(shown).toMatch(/^API token "checkout-x+…x+" is declared by no audited stack$/);
    expect(shown.length).toBeLessThan(150);
  });

  test("keeps its beginning and its end if anything else in it is long", () => {
    const shown = messageOf({ message: `API token "a" is named as ${name}, not as ${name}: replace it`, token: {} });
    expect(shown).toMatch(/^API token "a" is named as checkout.*…x*: replace it$/);
    expect(shown.length).toBeLessThanOrEqual(700);
  });
});

test("a code span ends at its own fence, with any content", () => {
  fc.assert(
    fc.property(fromService, (text) => {
      const span = codeSpan(makeVisible(text));
      const fence = /^`+/.exec(span)?.[0] ?? "";
      const content = span.slice(fence.length, -fence.length);
      const breaksOut = content.match(/`+/g)?.includes(fence) || /^`|`$|^$|\n/.test(content);
      return fence !== "" && span.endsWith(fence) && !breaksOut;
    }),
    runs,
  );
});

test("a long text is printed in whole lines, many at a time", () => {
  const pieces = Array.from({ length: 30_000 }, (_, n) => makeLinesVisible(n % 2 === 0 ? `${n}, ` : `${n}\n`));
  const printed = [...wholeLines(pieces)];
  expect(printed.length).toBeGreaterThan(1);
  expect(printed.join("\n")).toBe(pieces.join("").trimEnd());
});

test("the singular is used only for one", () => {
  expect([count(1, "token"), count(0, "token"), count(2, "token")]).toEqual(["1 token", "0 tokens", "2 tokens"]);
  expect([count(1, "entry", "entries"), count(3, "entry", "entries")]).toEqual(["1 entry", "3 entries"]);
});

// The compiler checks the first test: where one of these lines compiles, `npm run check` fails.

test("a text that was not made printable cannot be printed", () => {
  const name: string = "a name of somebody's";
  const print = ({ print, warn, ask, progress }: Io) => {
    // @ts-expect-error a plain text
    print(name);
    // @ts-expect-error a plain text in a line of ours
    warn(`token ${name}`);
    // @ts-expect-error a part of a printable text may begin where a command would
    print(say`token ${name}`.slice(5));
    // @ts-expect-error printable texts put together may make a command
    print(`${makeVisible(name)}${makeVisible(name)}`);
    // @ts-expect-error a question
    ask?.(`Revoke ${name}?`);
    // @ts-expect-error what is under way
    progress?.(name);
  };
  // @ts-expect-error a piece of a report
  const report: Report = () => [name];
  expect([typeof print, typeof report]).toEqual(["function", "function"]);
});

const sources = filesBelow("cli", /\.ts$/).map((file) => ({
  file: path.relative("cli", file),
  text: readFileSync(path.join(CHECKOUT, file), "utf8"),
}));

const filesWith = (pattern: RegExp): string[] =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file)
    .sort();

test("only one module makes text printable, and only the process's streams print it", () => {
  expect(filesWith(/as (Printable|Line)\b/)).toEqual(["text.ts"]);
  expect(filesWith(/process\.std(out|err)\.write|console\./)).toEqual(["processIo.ts"]);
  // A secret is printed where the user asks for it.
  expect(filesWith(/\bexactSecret\b/)).toEqual(["open.ts", "text.ts"]);
  expect(processIo.print).toBeInstanceOf(Function);
});
