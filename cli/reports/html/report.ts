import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type AuditResult, type Finding, type RuleId, rules } from "../../../audit";
import { count, makeLinesVisible, shellCommand } from "../../text";
import { brokenRules, coverageOf, escapeMarkup, messageOf, type Report, shortText, verdict } from "../report";

/**
 * A page that needs no network, no script and no other file. The policy in its head forbids everything but its own style, so
 * that the name of a token could not load or run anything even if it were not escaped.
 */
export const html: Report = function* (result) {
  yield makeLinesVisible(headOf(result, readFileSync(path.join(__dirname, "page.css"), "utf8")));
  yield makeLinesVisible(timelineOf(result));
  yield makeLinesVisible('<section aria-labelledby="found"><h2 id="found">Findings</h2>\n');
  if (result.findings.length === 0) yield makeLinesVisible("<p>There are none.</p>\n");
  const shown = result.findings.slice(0, mostShown);
  yield makeLinesVisible('<ol class="findings">\n');
  // A finding about several tokens, or about none, stands by itself.
  for (const group of Map.groupBy(shown, (finding) => finding.token.id ?? finding).values())
    yield makeLinesVisible(itemOf(group));
  yield makeLinesVisible("</ol>\n");
  const left = result.findings.length - mostShown;
  if (left > 0) yield makeLinesVisible(`<p>${count(left, "more finding")}: see the JSON report.</p>\n`);
  yield makeLinesVisible("</section>\n");
  const advice = brokenRules(result).map(
    (rule) => `<b>${rules[rule].title}</b> (<code>${rule}</code>): ${escapeMarkup(rules[rule].help)}`,
  );
  yield makeLinesVisible(listOf("advice", "What to do", advice));
  yield makeLinesVisible(listOf("read", "What was read", coverageOf(result).map(escapeMarkup)));
  yield makeLinesVisible("</main>\n</body>\n</html>\n");
};

/** The most findings on a page, which would be slow with more. The worst are first. */
const mostShown = 5_000;

/** The source expression of the content security policy that allows exactly this style. */
const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

function headOf(result: AuditResult, style: string): string {
  const outcome = result.findings.length === 0 ? "clean" : result.failed ? "failed" : "passed";
  const policy = `default-src 'none'; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;
  const time = escapeMarkup(result.auditedAt);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>API tokens: ${outcome}</title>
<style>${style}</style>
</head>
<body>
<header class="${outcome}">
<h1>API tokens of ${escapeMarkup(result.baseUrl)}</h1>
<p class="verdict">${escapeMarkup(verdict(result))}</p>
<p>Audited on <time datetime="${time}">${time.slice(0, 16).replace("T", " ")} UTC</time></p>
</header>
<main>
`;
}

/** A token with all that was found about it, the worst first. */
function itemOf(group: readonly Finding[]): string {
  const worst = group[0] as Finding;
  const { token, declared, severity } = worst;
  const found = group.map(
    (finding) =>
      `<p class="${finding.severity}"><span class="badge">${finding.severity}</span> <code>${finding.rule}</code> <span>${escapeMarkup(messageOf(finding))}</span></p>\n`,
  );
  const facts = [
    token.id && ["Token", escapeMarkup(token.id)],
    declared && ["Stack", escapeMarkup(shortText(declared.stack))],
    declared && ["Declared by", escapeMarkup(shortText(declared.urn))],
    declared && ["Read from", escapeMarkup(shortText(declared.source))],
    ["To fix it", commandFor(worst)],
  ].filter((fact) => Array.isArray(fact) && fact[1] !== undefined) as [string, string][];
  const list = facts.map(([name, value]) => `<div><dt>${name}</dt> <dd><code>${value}</code></dd></div>\n`);
  return `<li class="${severity}">
${found.join("")}<dl>${list.join("")}</dl>
</li>
`;
}

/** Rules about tokens of which a person has to find out who uses them. */
const show: readonly RuleId[] = ["undeclared", "orphaned", "foreign", "shared"];

/** One command to copy; undefined if a person has to decide first. */
function commandFor({ rule, token: { id }, cures = [] }: Finding): string | undefined {
  if (cures.includes("refresh")) return "pulumi refresh &amp;&amp; pulumi up";
  if (cures.includes("up")) return "pulumi up";
  if (rule === "pending") return "npx pulumi-event-datasets recover";
  if (!show.includes(rule) || id === undefined) return undefined;
  return escapeMarkup(shellCommand("npx", "pulumi-event-datasets", "tokens", "show", id));
}

const listOf = (id: string, title: string, items: readonly string[]): string =>
  items.length === 0
    ? ""
    : `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n<ul>\n${items.map((item) => `<li>${item}</li>\n`).join("")}</ul>\n</section>\n`;

/** When live tokens expire and become due for rotation: a row for each month, with a bar for each number. */
function timelineOf({ calendar }: AuditResult): string {
  if (calendar.length === 0) return "";
  const most = Math.max(...calendar.flatMap(({ expire, rotate }) => [expire, rotate]));
  const bar = (kind: string, many: number) =>
    `<td>${many}</td><td class="bar"><svg width="100%" height="12" aria-hidden="true"><rect class="${kind}" width="${((many / most) * 100).toFixed(1)}%" height="12"/></svg></td>`;
  const rows = calendar.map(
    ({ month, expire, rotate }) =>
      `<tr><th scope="row">${month}</th>${bar("expire", expire)}${bar("rotate", rotate)}</tr>\n`,
  );
  const head = `<thead><tr><th scope="col">Month</th><th scope="col" colspan="2">Expire</th><th scope="col" colspan="2">Due for rotation</th></tr></thead>`;
  return `<section aria-labelledby="when"><h2 id="when">When tokens expire</h2>\n<table>${head}\n<tbody>${rows.join("")}</tbody></table>\n</section>\n`;
}
