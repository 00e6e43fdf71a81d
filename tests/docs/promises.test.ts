import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { CHECKOUT } from "../support/program";
import { readMarkdown } from "./markdown";

test("every promise names tests that exist", () => {
  const rows = readMarkdown("design/promises.md")
    .text.split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:When|Promise|-)/.test(line));
  expect(rows.length).toBeGreaterThan(40);
  const testsOf = (row: string) => row.match(/(?<=`)tests\/[^`]+\.test\.ts(?=`)/g) ?? [];
  expect(rows.filter((row) => testsOf(row).length === 0)).toEqual([]);
  expect(rows.flatMap(testsOf).filter((name) => !existsSync(path.join(CHECKOUT, name)))).toEqual([]);
});
