#!/usr/bin/env node
// @ts-check
// Writes the rules of the audit (audit/rules.ts) into what is published of them: the JSON Schemas, and the table in
// docs/audit.md, with a sample of every report. To run after a change of rules or reports, or of the version:
//   npm run build && node scripts/auditRules.mjs && npx biome format --write audit docs
// With --check it changes nothing and ends with 1 if a sample is not what the reports are.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
const load = createRequire(path.join(root, "dist/"));
const { rules } = load("./audit/rules.js");
const isCheck = process.argv[2] === "--check";

/** @type {Readonly<Record<string, (text: string) => string>>} */
const published = {
  "audit/schemas/audit-policy.v1.json": withRuleIds,
  "audit/schemas/audit-report.v1.json": withRuleIds,
  "docs/audit.md": (text) =>
    (isCheck ? text : text.replace(/^\| Rule .*\n(\|.*\n)+/m, table())).replace(
      /(<!-- samples -->\n)[\s\S]*(?=<!-- end of samples -->)/,
      (_, start) => start + samples(),
    ),
};

for (const [file, change] of Object.entries(published)) {
  const before = await readFile(path.join(root, file), "utf8");
  const after = change(before);
  if (isCheck) {
    if (file.endsWith(".md") && after !== before) process.exitCode = 1;
    continue;
  }
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

/** A sample of every report that is a text to read; of a long one its beginning. */
function samples() {
  const { auditTokens, readState } = load("./audit/index.js");
  const { reports } = load("./cli/reports/index.js");
  const urn = "urn:pulumi:prod::web::pulumi-nodejs:event-datasets:ApiToken::ci";
  const token = { urn, type: "pulumi-nodejs:event-datasets:ApiToken", id: "t1" };
  const expiresAt = "2027-06-01T00:00:00Z";
  const inputs = { name: "ci-0a1b2c3", expiresAt, orgCapabilities: { annotations: ["create"] } };
  const state = { version: 3, deployment: { resources: [{ ...token, inputs, outputs: inputs }] } };
  const result = auditTokens({
    baseUrl: "https://api.example.com",
    now: new Date("2026-11-21T12:00:00Z"),
    stacks: [readState(state, "stack acme/web/prod")],
    live: [
      { id: "t1", ...inputs, orgCapabilities: { annotations: ["create"], users: ["create"] } },
      { id: "t2", name: "by hand" },
    ],
  });
  const options = { columns: 100, colours: false, location: "Pulumi.yaml" };
  return Object.entries(reports)
    .filter(([format]) => format !== "html")
    .map(([format, report]) => {
      const lines = [...report(result, options)].join("").trimEnd().split("\n");
      const shown = lines.length > 40 ? [...lines.slice(0, 30), "…"] : lines;
      return `<details><summary><code>${format}</code></summary>\n\n\`\`\`text\n${shown.join("\n")}\n\`\`\`\n\n</details>\n`;
    })
    .join("\n");
}
