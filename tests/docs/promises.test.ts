import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { CHECKOUT } from "../support/program";
import { readMarkdown } from "./markdown";

test("every security promise names tests that exist", () => {
  const { text } = readMarkdown("design/README.md");
  const section = text.slice(text.indexOf("## Security promises"), text.indexOf("## What was not tested"));
  const rows = section.split("\n").filter((line) => /^\| [a-z]/.test(line));
  expect(rows.length).toBeGreaterThan(15);
  const testsOf = (row: string) => row.match(/(?<=`)tests\/[^`]+\.test\.ts(?=`)/g) ?? [];
  expect(rows.filter((row) => testsOf(row).length === 0)).toEqual([]);
  expect(rows.flatMap(testsOf).filter((name) => !existsSync(path.join(CHECKOUT, name)))).toEqual([]);
});
