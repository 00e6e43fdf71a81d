import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type AuditOptions, type AuditResult, rules } from "../../audit";
import { reports } from "../../cli/reports";
import type { Token } from "../../sdk";
import { runsOf } from "../fuzz/random";
import { auditsAbout, expiresAt } from "../support/audits";
import { fromService, hostile } from "../support/hostile";
import type { RecordedStack } from "../support/states";

const audit = auditsAbout("undeclared", "never-expires", "changed", "retired", "long-lived");

const render = (result: AuditResult): string =>
  [...reports.html(result, { columns: undefined, colours: false, location: "Pulumi.yaml" })].join("");

const page = (live: readonly Token[], recorded: RecordedStack = {}, more: Partial<AuditOptions> = {}) =>
  render(audit(live, recorded, more));

const tokensNamed = (names: readonly string[]): Token[] => names.map((name, n) => ({ id: `t${n}`, name, expiresAt }));

test("the page needs no other file, and its policy lets it load none", () => {
  const html = page(tokensNamed(hostile));
  const hashIn = (element: string) => {
    const text = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html)?.[1] ?? "";
    return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  };
  expect(html).toContain(`default-src 'none'; style-src ${hashIn("style")}; base-uri`);
  expect(html).not.toMatch(/<(?:script|link|img|iframe|object|embed|base)\b|<[a-z]+[^>]*\ssrc=|url\(|@import/);
  for (const [, target = ""] of html.matchAll(/href="([^"]*)"/g)) expect(target).toMatch(/^#/);
});

// tests/browser/auditReport opens a page with every known attack.
test("no name of a token becomes an element or leaves its attribute", () => {
  fc.assert(
    fc.property(fc.array(fromService, { minLength: 3, maxLength: 3 }), (names) => {
      const html = page(tokensNamed(names));
      expect(html.match(/<li class/g)).toHaveLength(3);
      expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)[^&]*>/);
    }),
    { numRuns: runsOf(30) },
  );
});

describe("the page says", () => {
  test.each<[string, string, Token[], object]>([
    ["clean", "clean", [], {}],
    ["passed", "passed", tokensNamed(["a"]), { rules: { undeclared: "note" } }],
    ["failed", "failed", tokensNamed(["a"]), {}],
  ])("that the audit %s", (outcome, word, live, policy) => {
    const html = page(live, {}, { policy: { version: 1, ...policy } });
    expect(html).toMatch(new RegExp(`<header class="${outcome}">\n<h1>.*</h1>\n<p class="verdict">${word}: `));
    expect(html.match(new RegExp(`${word}: `, "g"))).toHaveLength(1);
  });

  test("how to fix each finding, and nothing about rules without findings", () => {
    const html = page([{ id: "t1", name: "by hand" }]);
    for (const rule of ["undeclared", "never-expires"] as const) expect(html).toContain(rules[rule].title);
    expect(html).not.toContain(rules.changed.title);
  });

  test("when tokens expire and rotate", () => {
    const counted = { expiresIn: "90d", rotation: { rotateBefore: "14d" } };
    const end = "2027-02-19T12:00:00Z";
    const recorded = {
      tokens: [{ id: "t1", name: "a", inputs: counted, outputs: { expiresAt: end } }],
    };
    const live = [
      { id: "t1", name: "a", expiresAt: end },
      { id: "t2", name: "b" },
    ];
    const html = page(live, recorded);
    const row = (month: string, expire: number, rotate: number) =>
      new RegExp(`<th scope="row">${month}</th><td>${expire}</td><td class="bar">.*?<td>${rotate}</td>`);
    expect(html).toMatch(row("2027-02", 1, 1));
  });

  test("everything about a token in one place, with one command to copy", () => {
    const html = page([{ id: "t1", name: "by hand" }]);
    expect(html.match(/<li class="error"/g)).toHaveLength(1);
    expect(html.match(/<code>npx pulumi-event-datasets tokens show t1<\/code>/g)).toHaveLength(1);
  });
});

test("a long list is limited to the worst findings, and says how many are missing", () => {
  const html = page(tokensNamed(Array(6_000).fill("a")));
  expect(html.match(/<li class/g)).toHaveLength(5_000);
  expect(html).toContain("1000 more findings: see the JSON report.");
});
