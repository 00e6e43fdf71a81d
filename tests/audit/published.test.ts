import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { ruleIds, rules } from "../../audit";
import { CHECKOUT } from "../support/program";

const read = (file: string) => readFile(path.join(CHECKOUT, file), "utf8");

test("every rule has a title and says what to do", () => {
  for (const rule of ruleIds) {
    expect(rules[rule].title).toMatch(/^[A-Z].*[^.]$/);
    expect(rules[rule].help).toMatch(/\.$/);
  }
});

test.each(["policy", "report"])("the schema of a %s knows every rule (node scripts/auditRules.mjs)", async (name) => {
  const schema = JSON.parse(await read(`audit/schemas/audit-${name}.v1.json`));
  expect(schema.definitions.rule.enum).toEqual(ruleIds);
});

test("the page about the audit has a row for every rule (node scripts/auditRules.mjs)", async () => {
  const page = await read("docs/audit.md");
  const [table = ""] = /^\| Rule .*\n(\|.*\n)+/m.exec(page) ?? [];
  const rows = ruleIds.map((rule) => `| \`${rule}\` | ${rules[rule].severity} | ${rules[rule].when} |`);
  const cells = table.replace(/ +\|/g, " |"); // the formatter aligns the columns
  expect(cells.trimEnd().split("\n").slice(2)).toEqual(rows);
});
