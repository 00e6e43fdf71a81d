// @ts-check
import { fillMark, loadSource, readSource } from "./sources.mjs";

/** @typedef {import("./produce.mjs").Make} Make */

/** The formats with a sample: the others are large, or have a standard. */
const SAMPLED = ["table", "json", "markdown"];

/** The published schemas with the id of every rule. @type {Make} */
export async function makeAuditSchemas(root) {
  const { rules } = await loadSource(root, "audit/rules.ts");
  const files = ["audit/schemas/audit-policy.v1.json", "audit/schemas/audit-report.v1.json"];
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => {
        const schema = JSON.parse(await readSource(root, file));
        schema.definitions.rule.enum = Object.keys(rules);
        return [file, JSON.stringify(schema, undefined, 2)];
      }),
    ),
  );
}

/** The page about the audit: a row for each rule, and samples of reports. @type {Make} */
export async function makeAuditPage(root) {
  const { rules } = await loadSource(root, "audit/rules.ts");
  const rows = Object.entries(rules).map(([id, { severity, when }]) => `| \`${id}\` | ${severity} | ${when} |`);
  const table = ["| Rule | Default | What was found |", "| --- | --- | --- |", ...rows].join("\n");
  const file = "docs/audit.md";
  const page = fillMark(await readSource(root, file), "rules", table);
  return { [file]: fillMark(page, "samples", await sampleReports(root)) };
}

/** @param {string} root */
async function sampleReports(root) {
  const { auditTokens, readState } = await loadSource(root, "audit/index.ts");
  const { reports } = await loadSource(root, "cli/reports/index.ts");
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
    .filter(([format]) => SAMPLED.includes(format))
    .map(([format, report]) => {
      const sample = [...report(result, options)].join("").trimEnd();
      return `<details><summary><code>${format}</code></summary>\n\n\`\`\`text\n${sample}\n\`\`\`\n\n</details>`;
    })
    .join("\n\n");
}
