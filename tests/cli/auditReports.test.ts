import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type AuditResult, type Finding, type RuleId, ruleIds, rules } from "../../audit";
import { reportFormats } from "../../cli/manuals/audit";
import { type ReportFormat, type ReportOptions, reports } from "../../cli/reports";
import type { Token } from "../../sdk";
import { defined } from "../../values/defined";
import { runsOf } from "../fuzz/random";
import { auditsAbout, expiresAt } from "../support/audits";
import { expectHarmless, fromService, hostile } from "../support/hostile";
import { junitProblems, sarifProblems } from "./schemas";

const audit = auditsAbout("undeclared", "never-expires", "over-privileged", "changed", "pending", "duplicate-name");

const tokensCalled = (names: readonly string[]): Token[] =>
  names.map((name, n) => ({ id: `t${n}`, name, description: name, expiresAt, orgCapabilities: { rbac: [name] } }));

/** Live ones that are declared nowhere, and a declared one with another description. */
const resultFor = (names: readonly string[]): AuditResult =>
  audit([...tokensCalled(names), { id: "d", name: names[0] ?? "", description: names[1] ?? "", expiresAt }], {
    tokens: [{ id: "d", name: names[2] ?? "", inputs: { description: "declared", expiresAt } }],
    pending: [{ name: `${names[0]}?` }],
  });

const options: ReportOptions = { columns: 80, colours: false, location: "infra/Pulumi.yaml" };

const render = (format: ReportFormat, result: AuditResult, more: Partial<ReportOptions> = {}): string =>
  [...reports[format](result, { ...options, ...more })].join("");

const attacks = fc.array(fromService, { minLength: 3, maxLength: 3 });

/** In each format. The audit itself, which takes longer than a report, is the same for all. */
function expectHarmlessReports(resultOf: (names: readonly string[]) => AuditResult): void {
  const check = (names: readonly string[]) => {
    const result = resultOf(names);
    for (const format of reportFormats) expectHarmless(render(format, result));
  };
  check(hostile);
  fc.assert(fc.property(attacks, check), { numRuns: runsOf(30) });
}

describe("a report of many findings", () => {
  const long = audit(tokensCalled(Array(10_000).fill("a token")));

  const unlimited = reportFormats.filter((format) => format !== "sarif"); // which holds no more than GitHub shows
  test.each(unlimited)("in %s is written in pieces, so that it need not fit into memory", (format) => {
    const pieces = [...reports[format](long, options)];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(700_000);
  });
});

test.each(["table", "markdown", "sarif", "junit", "html"] as const)(
  "a name of 520 characters does not hide why it is in a %s",
  (format) => {
    const name = `checkout-${"x".repeat(500)}-0a1b2c3d4e5`;
    const text = render(format, resultFor([name, "b", "c"]), { columns: undefined });
    expect(text).toMatch(/API token .{1,12}checkout-x+…x+-0a1b2c3d4e5.{1,12} is declared by no audited stack/);
  },
);

const resultCovering = (words: readonly string[]): AuditResult => {
  const [backend, source, reason] = words;
  const state = { ...defined({ backend, source }), source: source ?? "", project: "web", stack: "prod", tokens: 2 };
  const stacks = [{ ...state, origin: "file" as const, time: "2026-11-21T12:00:00Z", insteadOf: reason ?? "" }];
  return { ...resultFor(words), policy: source ?? "", coverage: { wanted: "all", stacks } };
};

describe("a report names the stacks that were read, with the reason for a file, and the policy", () => {
  test.each(reportFormats)("in %s", (format) => {
    const text = render(format, resultCovering(["https://b.example.com", "ours.json", "it is damaged"]), {
      columns: 1_000,
    });
    for (const words of ["https://b.example.com", "ours.json", "it is damaged", "2026-11-21T12:00:00Z"])
      expect(text).toContain(words);
  });

  test("and nothing in it is a command", () => {
    expectHarmlessReports(resultCovering);
  });
});

/** Markdown without its code spans, each of which ends at the next run of as many backticks. */
const withoutCodeSpans = (line: string) => line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, "CODE");

test("a report in Markdown is built as that of harmless names: texts of strangers stay in its code spans", () => {
  const skeletonOf = (words: readonly string[]) =>
    render("markdown", resultCovering(words)).split("\n").map(withoutCodeSpans);
  fc.assert(
    fc.property(attacks, (words) => {
      const plain = words.map((word) => (word === "" ? "" : `plain${words.indexOf(word)}`));
      expect(skeletonOf(words)).toEqual(skeletonOf(plain));
    }),
    { numRuns: runsOf(30) },
  );
});

test("long lists in Markdown fit into a comment with the policy, and say how many findings and stacks are missing", () => {
  const result = audit(tokensCalled(Array(2_000).fill("x".repeat(400))));
  const [first] = result.coverage.stacks;
  const named = (n: number) => ({ ...(first as NonNullable<typeof first>), stack: `s${n}`, backend: "b".repeat(400) });
  // Every rule is broken, so that all of the advice is there.
  const findings = [...result.findings, ...ruleIds.map((rule) => ({ ...(result.findings[0] as Finding), rule }))];
  const coverage = { ...result.coverage, stacks: Array.from({ length: 150 }, (_, n) => named(n)) };
  const text = render("markdown", { ...result, findings, coverage });
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/… and 3\d{3} more findings\./);
  expect(text).toMatch(/- `policy: given`\n- `read: 150 stacks; .*`\n- `web\/s0 of b+/);
  expect(text).toMatch(/\n- `… and 1[34]\d more stacks: see the JSON report`\n\n<\/details>/);
});

test("JSON contains the unchanged values of the service", () => {
  const names = hostile.filter((name) => !name.includes("xaat-") && !name.includes("\ud800"));
  const { findings } = resultFor(names);
  expect(JSON.parse(render("json", resultFor(names))).findings).toEqual(JSON.parse(JSON.stringify(findings)));
});

describe("a table", () => {
  test.each([40, 80, 133])("fits a terminal of %i columns", (columns) => {
    for (const line of render("table", resultFor(hostile), { columns }).split("\n")) {
      // These characters take two columns each.
      const wide = line.match(/[漢字🙂]/gu)?.length ?? 0;
      if (!line.startsWith("failed: ")) expect([...line].length + wide).toBeLessThanOrEqual(columns);
    }
  });

  test("groups by severity, the worst first, and ends with the coverage", () => {
    const { findings: _, ...rest } = audit([{ id: "t1", name: "by hand" }]);
    const text = render("table", { ...rest, findings: audit([{ id: "t1", name: "by hand" }]).findings });
    const help = (rule: RuleId) => `  ${rule.padEnd(13)}  ${rules[rule].help}`;
    const read = `policy: given
read: 1 stack; other stacks were not read
web/prod from the file prod, as of 2026-11-21T12:00:00Z, 0 tokens
`;
    const unbroken = text.replace(/(?<=WHAT TO DO\n.*)(?<=\S)\n {10,}/gs, " ");
    expect(unbroken).toBe(`1 ERROR
  undeclared     API token "by hand" is declared by no audited stack
                 id t1

1 WARNING
  never-expires  API token "by hand" never expires
                 id t1

WHAT TO DO
${["undeclared", "never-expires"].map((rule) => help(rule as RuleId)).join("\n")}

${read}
failed: 1 error, 1 warning; 1 live token of https://api.example.com, 0 declared in 1 state
`);
    const clean = "clean: 0 live tokens of https://api.example.com, 0 declared in 1 state";
    expect(render("table", audit([]))).toBe(`${read}\n${clean}\n`);
  });

  test("has colours only on request, and shows an address like every other text", () => {
    const result = audit([{ id: "t1", name: "by hand" }]);
    expect(render("table", result, { colours: true })).toContain("\u001b[31m");
    const baseUrl = "https://api.example.com/\u001b]8;;https://evil.example\u0007";
    expectHarmless(render("table", { ...result, baseUrl }));
  });
});

describe("SARIF", () => {
  test("matches the official schema for any names of tokens", () => {
    for (const names of [hostile, [], ...fc.sample(attacks, 100)]) {
      expect(sarifProblems(JSON.parse(render("sarif", resultFor(names))))).toEqual([]);
    }
    expect(sarifProblems(JSON.parse(render("sarif", audit([]))))).toEqual([]);
    expect(sarifProblems({ version: "2.1.0", runs: [{ results: [] }] })).not.toEqual([]);
  });

  test("has messages without links and placeholders, and unique fingerprints", () => {
    const [{ results }] = JSON.parse(render("sarif", resultFor(["[a](1) {0} \\", "b", "c"]))).runs;
    expect(results[0].message.text).toContain("\\[a\\](1) {{0}} \\\\");
    const prints = results.map(
      (one: { partialFingerprints: Record<string, string> }) => one.partialFingerprints.primaryLocationLineHash,
    );
    expect(new Set(prints).size).toBe(results.length);
  });

  test("contains at most the results that GitHub shows, the worst ones, and says how many are missing", () => {
    const many = Array.from({ length: 6_000 }, (_, n) => `n${n}`);
    const [{ results, invocations }] = JSON.parse(render("sarif", audit(tokensCalled(many)))).runs;
    expect(results).toHaveLength(5_000);
    expect(new Set(results.map((one: { level: string }) => one.level))).toEqual(new Set(["error"]));
    expect(invocations[0].toolExecutionNotifications).toMatchObject([{ message: { text: "7000 findings left out" } }]);
  });
});

describe("JUnit", () => {
  test("matches the schema of Jenkins for any names of tokens", async () => {
    const names = [...hostile, ...fc.sample(fromService, 300)];
    expect(await junitProblems(render("junit", resultFor(names)))).toEqual([]);
    expect(await junitProblems(render("junit", audit([])))).toEqual([]);
    expect(await junitProblems("<testsuites><testsuite/></testsuites>")).not.toEqual([]);
  });

  test("has a case for each finding, of which only those that fail the audit are failures", () => {
    const text = render("junit", audit([{ id: "t1", name: "by hand" }]));
    expect(text.match(/<testcase /g)).toHaveLength(2);
    expect(text.match(/<failure /g)).toHaveLength(1);
    expect(text).toMatch(/<testcase classname="event-datasets.audit.undeclared" .*><failure type="undeclared" /);
    expect(text).toContain("<system-out>warning: API token &quot;by hand&quot; never expires\n</system-out>");
    const clean = render("junit", audit([]));
    expect(clean.match(/<testcase .*/g)).toEqual([
      expect.stringMatching(/^<testcase .* name="clean: 0 live tokens .*\/>$/),
    ]);
    expect(clean).toContain('<property name="coverage" value="policy: given"/>');
  });
});
