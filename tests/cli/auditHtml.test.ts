import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type AuditOptions, type AuditResult, rules } from "../../audit";
import { reports } from "../../cli/reports";
import type { Token } from "../../sdk";
import { runsOf } from "../fuzz/random";
import { auditsAbout, expiresAt, now } from "../support/audits";
import { fromService, hostile } from "../support/hostile";
import type { RecordedStack } from "../support/states";

const audit = auditsAbout("undeclared", "never-expires", "changed", "retired", "long-lived");

const render = (result: AuditResult): string =>
  [...reports.html(result, { columns: undefined, colours: false, location: "Pulumi.yaml" })].join("");

const page = (live: readonly Token[], recorded: RecordedStack = {}, more: Partial<AuditOptions> = {}) =>
  render(audit(live, recorded, more));

const tokensNamed = (names: readonly string[]): Token[] => names.map((name, n) => ({ id: `t${n}`, name, expiresAt }));

/** The elements of a page, as its parser sees them: every "<" of ours begins one. */
const tagsOf = (html: string) => new Set([...html.matchAll(/<\/?([^\s>]*)/g)].map(([, name]) => name));

test("the page needs no other file, and its policy lets it load none", () => {
  const html = page(tokensNamed(hostile));
  const hashIn = (element: string) => {
    const text = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html)?.[1] ?? "";
    return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  };
  expect(html).toContain(`default-src 'none'; style-src ${hashIn("style")}; script-src ${hashIn("script")};`);
  expect(html).not.toMatch(/<(?:link|img|iframe|object|embed|base)\b|<[a-z]+[^>]*\ssrc=|url\(|@import/);
  for (const [, target = ""] of html.matchAll(/href="([^"]*)"/g)) expect(target).toMatch(/^#/);
});

test("no name of a token becomes an element or leaves its attribute", () => {
  const ours = tagsOf(page(tokensNamed(["plain"]), { stack: "plain" }));
  const strangers = (names: readonly string[]) =>
    [...tagsOf(page(tokensNamed(names), { tokens: [{ id: "t0", name: names[0] ?? "" }] }))].filter(
      (tag) => !ours.has(tag),
    );
  expect(strangers(hostile).filter((tag) => !["dd", "/dd", "dt", "/dt"].includes(String(tag)))).toEqual([]);
  fc.assert(
    fc.property(fc.array(fromService, { minLength: 3, maxLength: 3 }), (names) => {
      const html = page(tokensNamed(names));
      expect(html.match(/<li /g)).toHaveLength(3);
      expect(html.match(/<script>/g)).toHaveLength(1);
      expect(html).not.toMatch(/<img|onerror=alert\(1\)[^&]*>/);
    }),
    { numRuns: runsOf(300) },
  );
});

describe("the page says", () => {
  test.each<[string, string, Token[], object]>([
    ["clean", "Clean", [], {}],
    ["passed", "Passed", tokensNamed(["a"]), { rules: { undeclared: "note" } }],
    ["failed", "Failed", tokensNamed(["a"]), {}],
  ])("that the audit %s", (outcome, word, live, policy) => {
    const html = page(live, {}, { policy: { version: 1, ...policy } });
    expect(html).toContain(`<header class="${outcome}">\n<p class="verdict">${word}</p>`);
  });

  test("how to fix each finding, and nothing about rules without findings", () => {
    const html = page([{ id: "t1", name: "by hand" }]);
    for (const rule of ["undeclared", "never-expires"] as const) expect(html).toContain(rules[rule].title);
    expect(html).not.toContain(rules.changed.title);
  });

  test("when tokens expire and rotate, which expiries are near, and where the limit is", () => {
    const counted = { expiresIn: "90d", rotation: { rotateBefore: "14d" } };
    const createdAt = now.toISOString();
    const end = "2027-02-19T12:00:00Z";
    const recorded = {
      tokens: [{ id: "t1", name: "a", inputs: counted, outputs: { createdAt, expiresAt: end } }],
    };
    const live = [
      { id: "t1", name: "a", expiresAt: end },
      { id: "t2", name: "b" },
    ];
    const html = page(live, recorded, { policy: { version: 1, maxLifetime: "30d" } });
    expect(html).toContain("<title>2027-02-19: 1 token expiring</title>");
    expect(html).toContain("<title>2027-02-05: 1 token due for rotation</title>");
    expect(html).toMatch(/near: up to 2026-12-05.*limit: 2026-12-21/s);
    expect(html).toContain("<br>Not in the picture: 1 token without an expiry.");
  });
});

describe("the timeline of expiries", () => {
  const on = (day: string, many: number) =>
    Array.from({ length: many }, (_, n) => ({ id: `${day}-${n}`, name: `n${n}`, expiresAt: `${day}T12:00:00Z` }));
  const legendOf = (html: string) =>
    [...(/<figcaption>(.*?)<\/figcaption>/s.exec(html)?.[1]?.matchAll(/class="key (\w+)"/g) ?? [])].map(
      ([, key]) => key,
    );

  test("has an axis with the number of tokens", () => {
    const html = page([...on("2027-02-01", 12), ...on("2027-03-01", 3)]);
    const scale = /<svg class="scale"[^>]*>(.*?)<\/svg>/s.exec(html)?.[1] ?? "";
    expect([...scale.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual(["tokens", "12", "6", "0"]);
    // The line of a number is as high as a bar of so many tokens.
    const top = /<rect class="expire"[^>]* y="([\d.]+)"/.exec(html)?.[1];
    expect(html).toContain(`<line class="grid" x1="0" x2="100%" y1="${Number(top)}" y2="${Number(top)}"/>`);
  });

  test("has a legend only for the parts that it shows", () => {
    expect(legendOf(page(on("2027-02-01", 1)))).toEqual(["expire", "near"]);
    const limited = page(on("2027-02-01", 1), {}, { policy: { version: 1, maxLifetime: "30d" } });
    expect(legendOf(limited)).toEqual(["expire", "near", "beyond"]);
    const far = page(on("2027-02-01", 1), {}, { policy: { version: 1, maxLifetime: "900d" } });
    expect(legendOf(far)).toEqual(["expire", "near"]);
    expect(legendOf(page([{ id: "t1", name: "never" }]))).toEqual(["near"]);
  });

  test("uses the singular for one", () => {
    const html = page([{ id: "t1", name: "by hand" }]);
    expect(html).toContain("<dt>warning</dt>");
    expect(html).toContain("<dt>live token</dt>");
    expect(page([])).toContain("<dt>warnings</dt>");
  });
});

test("a long list is limited to the worst findings, and says how many are missing", () => {
  const html = page(tokensNamed(Array(6_000).fill("a")));
  expect(html.match(/<li /g)).toHaveLength(5_000);
  expect(html).toContain("1000 findings more: see a report in JSON.");
});
