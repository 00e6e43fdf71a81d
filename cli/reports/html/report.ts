import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type AuditResult, type Finding, type RuleId, rules, severities } from "../../../audit";
import { count, pluralOf } from "../../counts";
import { makeLinesVisible } from "../../text";
import { coverageOf } from "../coverage";
import type { Report } from "../report";
import { brokenRules, verdict } from "../summary";
import { messageOf, shortText } from "../text";
import { escapeHtml } from "./escape";
import { timeline } from "./timeline";

/**
 * One page that needs nothing else: no network, no other file. The policy in its head forbids everything but its own style
 * and script, so that no name of a token could load or run anything even if it got out of its text.
 */
export const html: Report = function* (result) {
  const { style, script } = readAssets();
  yield makeLinesVisible(headOf(result, style, script));
  yield makeLinesVisible(timeline(result));
  yield makeLinesVisible('<section aria-labelledby="found"><h2 id="found">Findings</h2>\n');
  yield makeLinesVisible(filtersOf(result));
  const shown = result.findings.slice(0, mostShown);
  for (const [rule, findings] of Map.groupBy(shown, (finding) => finding.rule)) {
    yield makeLinesVisible(headingOf(rule, findings));
    for (const finding of findings) yield makeLinesVisible(itemOf(finding));
    yield makeLinesVisible("</ol>\n</section>\n");
  }
  if (result.findings.length === 0) yield makeLinesVisible("<p>There are none.</p>\n");
  const left = result.findings.length - mostShown;
  if (left > 0) yield makeLinesVisible(`<p>${count(left, "finding")} more: see a report in JSON.</p>\n`);
  yield makeLinesVisible("</section>\n");
  yield makeLinesVisible(coveredOf(result));
  yield makeLinesVisible(`</main>\n<script>${script}</script>\n</body>\n</html>\n`);
};

/** The most findings on a page, which would be slow with more. The worst are first. */
const mostShown = 5_000;

const readAsset = (name: string): string => readFileSync(path.join(__dirname, name), "utf8");

const readAssets = () => ({
  style: ["timeline.css", "findings.css", "page.css"].map(readAsset).join(""),
  script: readAsset("page.js"),
});

/** The source expression of the content security policy that allows exactly this script or style. */
const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const titles = { clean: "Clean", passed: "Passed", failed: "Failed" } as const;

function headOf(result: AuditResult, style: string, script: string): string {
  const outcome = result.findings.length === 0 ? "clean" : result.failed ? "failed" : "passed";
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>API tokens: ${outcome}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#found">To the findings</a>
<header class="${outcome}">
<p class="verdict">${titles[outcome]}</p>
<h1>API tokens of ${escapeHtml(result.baseUrl)}</h1>
<p>${escapeHtml(verdict(result))}</p>
<p>Audited on <time datetime="${escapeHtml(result.auditedAt)}">${timeInWords(result.auditedAt)}</time></p>
${countsOf(result)}</header>
<main>
`;
}

/** `2026-11-21 12:00 UTC` */
const timeInWords = (instant: string): string => escapeHtml(`${instant.slice(0, 16).replace("T", " ")} UTC`);

function countsOf({ summary }: AuditResult): string {
  const tiles = [
    ...severities.map((severity) => [severity, severity, summary.findings[severity]] as const),
    ["", "live token", summary.live] as const,
    ["", "declared token", summary.declared] as const,
  ];
  const tile = ([kind, name, many]: (typeof tiles)[number]) =>
    `<div><dt>${pluralOf(many, name)}</dt><dd class="${many > 0 ? kind : ""}">${many}</dd></div>`;
  return `<dl class="counts">\n${tiles.map(tile).join("\n")}\n</dl>\n`;
}

/** A broken rule with its advice, beside the findings. */
const headingOf = (rule: RuleId, findings: readonly Finding[]): string =>
  `<section class="rule ${findings[0]?.severity}" data-rule="${rule}" aria-labelledby="rule-${rule}">
<h3 id="rule-${rule}"><span class="badge">${findings[0]?.severity}</span> ${rules[rule].title} <code>${rule}</code></h3>
<p class="help">${escapeHtml(rules[rule].help)}</p>
<ol class="findings">
`;

function itemOf(finding: Finding): string {
  const { severity, token, declared } = finding;
  const facts = [
    token.id && `<div><dt>Token</dt> <dd><code>${escapeHtml(token.id)}</code></dd></div>`,
    declared && `<div><dt>Stack</dt> <dd>${escapeHtml(shortText(declared.stack))}</dd></div>`,
    declared && `<div><dt>Declared by</dt> <dd><code>${escapeHtml(shortText(declared.urn))}</code></dd></div>`,
    declared && `<div><dt>Read from</dt> <dd>${escapeHtml(shortText(declared.source))}</dd></div>`,
  ].filter(Boolean);
  return `<li class="${severity}" data-stack="${escapeHtml(stackOf(finding))}">
<p>${escapeHtml(messageOf(finding))}</p>
<dl>${facts.join("\n")}</dl>
</li>
`;
}

/** The stack to filter by. */
const stackOf = ({ declared }: Finding): string => shortText(declared?.stack ?? "no stack");

const coveredOf = (result: AuditResult): string =>
  `<section aria-labelledby="read"><h2 id="read">What was read</h2>
<ul>
${coverageOf(result)
  .map((text) => `<li>${escapeHtml(text)}</li>`)
  .join("\n")}
</ul>
</section>
`;

/** The filters; without scripts, the report shows everything. */
function filtersOf(result: AuditResult): string {
  const { findings } = result;
  if (findings.length === 0) return "";
  const stacks = [...new Set(findings.map(stackOf))].sort();
  return `<form class="filters" aria-label="Filter" hidden>
${selectOf("rule", "Rule", brokenRules(result))}
${selectOf("stack", "Stack", stacks)}
</form>
<p id="shown" role="status" aria-live="polite"></p>
`;
}

const selectOf = (name: string, label: string, values: readonly string[]): string =>
  `<label>${label} <select name="${name}"><option value="">all</option>${values
    .map((value) => `<option value="${escapeHtml(value)}">${escapeHtml(value)}</option>`)
    .join("")}</select></label>`;
