import { createHash } from "node:crypto";
import { type AuditResult, type Finding, rules } from "../../audit";
import { htmlScript, htmlStyle } from "./htmlAssets";
import type { Report } from "./report";
import { brokenRules, verdict } from "./summary";
import { count, visible } from "./text";

/**
 * One page that needs nothing else: no network, no other file. The policy in its head forbids everything but its own style
 * and script, so that no name of a token could load or run anything even if it got out of its text.
 */
export const html: Report = function* (result) {
  yield head(result);
  yield timeline(result);
  yield filters(result);
  yield '<section aria-labelledby="found"><h2 id="found">Findings</h2>\n';
  yield '<p id="shown" role="status" aria-live="polite"></p>\n<ol class="findings">\n';
  for (const finding of result.findings.slice(0, mostShown)) yield item(finding);
  yield "</ol>\n";
  if (result.findings.length === 0) yield "<p>There are none.</p>\n";
  const left = result.findings.length - mostShown;
  if (left > 0) yield `<p>${count(left, "finding")} more: see a report in JSON.</p>\n`;
  yield `</section>\n${advice(result)}</main>\n<script>${htmlScript}</script>\n</body>\n</html>\n`;
};

/** A page of more is of no use to people, and slow. The worst come first. */
const mostShown = 5_000;

/** Only this script may run. */
const scriptHash = createHash("sha256").update(htmlScript).digest("base64");

const titles = { clean: "Clean", passed: "Passed", failed: "Failed" } as const;

function head(result: AuditResult): string {
  const outcome = result.findings.length === 0 ? "clean" : result.failed ? "failed" : "passed";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>API tokens: ${outcome}</title>
<style>${htmlStyle}</style>
</head>
<body>
<a class="skip" href="#found">To the findings</a>
<header class="${outcome}">
<p class="verdict">${titles[outcome]}</p>
<h1>API tokens of ${escapeHtml(result.baseUrl)}</h1>
<p>${escapeHtml(verdict(result))}</p>
<p>Audited on <time>${escapeHtml(result.auditedAt)}</time></p>
</header>
<main>
`;
}

function item(finding: Finding): string {
  const { rule, severity, message, token, declared } = finding;
  const where = [
    token.id && `<dt>Token</dt><dd><code>${escapeHtml(token.id)}</code></dd>`,
    declared && `<dt>Stack</dt><dd>${escapeHtml(declared.stack)}</dd>`,
    declared && `<dt>Declared by</dt><dd><code>${escapeHtml(declared.urn)}</code></dd>`,
    declared && `<dt>Read from</dt><dd>${escapeHtml(declared.source)}</dd>`,
  ].filter(Boolean);
  const stack = declared?.stack ?? noStack;
  return `<li class="${severity}" data-rule="${escapeHtml(rule)}" data-stack="${escapeHtml(stack)}">
<p><span class="severity">${severity}</span> <a href="#rule-${escapeHtml(rule)}">${escapeHtml(rule)}</a></p>
<p class="message">${escapeHtml(message)}</p>
<dl>${where.join("")}</dl>
</li>
`;
}

const noStack = "no stack";

/** What there is to choose from; a report without a script shows everything. */
function filters(result: AuditResult): string {
  const { findings } = result;
  const stacks = [...new Set(findings.map(({ declared }) => declared?.stack ?? noStack))].sort();
  if (findings.length === 0) return "";
  return `<form class="filters" hidden>
${select("rule", "Rule", brokenRules(result))}
${select("stack", "Stack", stacks)}
</form>
`;
}

const select = (name: string, label: string, values: readonly string[]): string =>
  `<label>${label} <select name="${name}"><option value="">all</option>${values
    .map((value) => `<option value="${escapeHtml(value)}">${escapeHtml(value)}</option>`)
    .join("")}</select></label>`;

function advice(result: AuditResult): string {
  const broken = brokenRules(result);
  if (broken.length === 0) return "";
  const entries = broken.map(
    (rule) => `<dt id="rule-${rule}">${rule}: ${rules[rule].title}</dt><dd>${rules[rule].help}</dd>`,
  );
  return `<section aria-labelledby="todo"><h2 id="todo">What to do</h2>\n<dl class="advice">${entries.join("\n")}</dl></section>\n`;
}

/** When live tokens expire and become due, on a line from today on. */
function timeline({ calendar, auditedAt, summary }: AuditResult): string {
  if (summary.live === 0) return "";
  const { days, never, later, expired, unreadable, expiringUntil, longestUntil } = calendar;
  const today = Date.parse(auditedAt.slice(0, 10));
  const ends = [...days.map(({ day }) => day), expiringUntil, longestUntil].map((day) => Date.parse(day ?? ""));
  const last = Math.max(today + 90 * dayLength, ...ends.filter((at) => at <= today + 731 * dayLength));
  const x = (at: number) => (margin + ((at - today) / (last - today)) * (width - 2 * margin)).toFixed(1);
  const most = Math.max(1, ...days.map(({ expire, rotate }) => Math.max(expire, rotate)));
  const bar = (kind: "expire" | "rotate", day: string, many: number) => {
    if (many === 0) return "";
    const tall = Math.max(6, (many / most) * 60);
    const at = Number(x(Date.parse(day))) + (kind === "rotate" ? -4 : 0);
    const words = kind === "expire" ? "expiring" : "due for rotation";
    return `<rect class="${kind}" x="${at}" y="${80 - tall}" width="4" height="${tall}"><title>${day}: ${count(many, "token")} ${words}</title></rect>\n`;
  };
  const mark = (at: number, name: string, row: number) =>
    at > last
      ? ""
      : `<line class="mark" x1="${x(at)}" x2="${x(at)}" y1="12" y2="84"/><text x="${x(at)}" y="${100 + 20 * row}" text-anchor="${at > today + (last - today) / 2 ? "end" : "start"}">${name}</text>\n`;
  const rest = [
    expired > 0 && `${count(expired, "token")} expired already`,
    later > 0 && `${count(later, "token")} after what is shown`,
    never > 0 && `${count(never, "token")} without an expiry`,
    unreadable > 0 && `${count(unreadable, "token")} with an expiry that cannot be read`,
  ].filter((text) => text !== false);
  return `<section aria-labelledby="when"><h2 id="when">When tokens expire</h2>
<figure>
<svg viewBox="0 0 ${width} 148" role="img" aria-label="${count(days.length, "day")} on which tokens expire or become due for rotation">
<line x1="${margin}" x2="${width - margin}" y1="80" y2="80"/>
${mark(today, "today", 0)}${expiringUntil ? mark(Date.parse(expiringUntil), `near: up to ${expiringUntil}`, 1) : ""}${longestUntil ? mark(Date.parse(longestUntil), `limit: ${longestUntil}`, 2) : ""}${mark(last, new Date(last).toISOString().slice(0, 10), 0)}${days.map(({ day, expire, rotate }) => bar("rotate", day, rotate) + bar("expire", day, expire)).join("")}</svg>
<figcaption><span class="key">expire</span><span class="key rotate">due for rotation</span>${rest.length > 0 ? `<br>Not in the picture: ${rest.join(", ")}.` : ""}</figcaption>
</figure></section>
`;
}

const dayLength = 86_400_000;
const width = 720;
const margin = 10;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as text, in an element and in a quoted attribute. */
const escapeHtml = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
