import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import type { Io } from "../../cli/command";
import { processIo } from "../../cli/processIo";
import type { Report } from "../../cli/reports";
import { makeVisible, say } from "../../cli/text";
import { filesBelow } from "../support/checkout";
import { CHECKOUT } from "../support/program";

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
