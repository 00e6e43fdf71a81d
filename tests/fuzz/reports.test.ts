import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { AuditResult, Finding } from "../../audit";
import { type ReportFormat, reportFormats, reports } from "../../cli/reports";
import { secretShape } from "../../values/foreignText";
import { breakouts, sampleAudit } from "../support/audits";
import { anyCharacter, expectHarmless, hostile } from "../support/hostile";
import { sarifProblems } from "../support/schemas";
import { runsOf } from "./random";
import { mapStrings, skeletons } from "./reports/skeleton";

const runs = runsOf(100);

const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...hostile, ...breakouts) },
      { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 6 }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("`", "``", "\\", "|", "\n", "\r", "<", "&", '"', "'", "%", "::", "##[", "]]>"),
      },
    ),
    { maxLength: 3 },
  )
  .map((parts) => parts.join(""));

/** The texts of one finding that come from elsewhere: from the service, a state, or a name of a file. */
const strangers = fc.record({
  message: text,
  id: text,
  name: text,
  urn: text,
  stack: text,
  source: text,
  declared: text,
  live: text,
});
type Strangers = typeof strangers extends fc.Arbitrary<infer T> ? T : never;

const sample = sampleAudit();
const found = [sample.findings[0], sample.findings.at(-1)].filter((one) => one !== undefined);

function resultOf(all: readonly Strangers[], baseUrl: string): AuditResult {
  const findings = all.map(({ message, id, name, urn, stack, source, declared, live }, n): Finding => {
    const like = found[n % found.length] as Finding;
    return {
      ...like,
      fingerprint: `${n}`.padStart(32, "0"),
      message: `token ${message} is declared nowhere`,
      token: { id, name },
      declared: { urn: `urn:pulumi:${urn}`, stack, source },
      differences: [{ field: "description", declared, live, escalates: false }],
    };
  });
  return {
    ...sample,
    baseUrl: `https://api.example.com/${baseUrl}`,
    findings,
    sources: all.map(({ source }) => source),
  };
}

const results = fc.record({ all: fc.array(strangers, { minLength: 1, maxLength: 4 }), baseUrl: text });

/** The same result with texts that are nothing but letters: empty where they are, and the same where they are. */
function harmlessResult({ all, baseUrl }: { all: readonly Strangers[]; baseUrl: string }): AuditResult {
  const names = new Map<string, string>([["", ""]]);
  const plain = (text: string) => {
    if (!names.has(text)) names.set(text, `plain${names.size}`);
    return names.get(text) ?? "";
  };
  return resultOf(mapStrings(all, plain) as Strangers[], plain(baseUrl));
}

const render = (format: ReportFormat, result: AuditResult): string =>
  [...reports[format](result, { columns: undefined, colours: false, location: "infra/Pulumi.yaml" })].join("");

describe.each(reportFormats)("a report in %s", (format) => {
  test("is built as that of harmless names, and holds nothing that is obeyed where it is read", () => {
    fc.assert(
      fc.property(results, (given) => {
        const report = render(format, resultOf(given.all, given.baseUrl));
        expectHarmless(report);
        expect(skeletons[format](report)).toEqual(skeletons[format](render(format, harmlessResult(given))));
      }),
      { numRuns: runs },
    );
  });
});

test("a reader of JSON gets every value as it was, but for secrets", () => {
  fc.assert(
    fc.property(results, ({ all, baseUrl }) => {
      const result = resultOf(all, baseUrl);
      const expected = mapStrings(JSON.parse(JSON.stringify(result)), (text) => text.replace(secretShape, "[token]"));
      const { version: _, tool: __, ...read } = JSON.parse(render("json", result));
      expect(read).toEqual(expected);
      expect(sarifProblems(JSON.parse(render("sarif", result)))).toEqual([]);
    }),
    { numRuns: runs },
  );
});

test("the reader of elements sees what would break out of its text", () => {
  const broken = ["<p>a<b", "<p>a > b</p>", "<p>&lt</p>", '<p title="a"b"></p>', '<p title="&x;"></p>', "<P></P>"];
  for (const markup of broken) expect(() => skeletons.html(markup)).toThrow();
  expect(skeletons.html('<p title="a &amp; b">a &lt; b<br></p><script>a < b</script>')).toEqual([
    "p title",
    "br",
    "/p",
    "script",
  ]);
});
