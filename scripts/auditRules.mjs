#!/usr/bin/env node
// @ts-check
// Writes the rules of the audit (audit/rules.ts) into what is published of them: the JSON Schemas, and the table in
// docs/audit.md. To run after a change of the rules: npm run build && node scripts/auditRules.mjs && npx biome format --write audit
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
const { rules } = createRequire(import.meta.url)(path.join(root, "dist/audit/rules.js"));

/** @type {Readonly<Record<string, (text: string) => string>>} */
const published = {
  "audit/schemas/audit-policy.v1.json": withRuleIds,
  "audit/schemas/audit-report.v1.json": withRuleIds,
  "docs/audit.md": (text) => text.replace(/^\| Rule .*\n(\|.*\n)+/m, table()),
};

for (const [file, change] of Object.entries(published)) {
  const before = await readFile(path.join(root, file), "utf8");
  const after = change(before);
  if (after !== before) console.log(`changed ${file}`);
  await writeFile(path.join(root, file), after);
}

/** @param {string} text */
function withRuleIds(text) {
  const schema = JSON.parse(text);
  schema.definitions.rule.enum = Object.keys(rules);
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

function table() {
  const rows = Object.entries(rules).map(([id, { severity, when }]) => `| \`${id}\` | ${severity} | ${when} |\n`);
  return `| Rule | Default | What was found |\n| --- | --- | --- |\n${rows.join("")}`;
}
