import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { AuditResult, Finding } from "../../audit";
import { type ReportFormat, reports } from "../../cli/reports";
import { breakouts, sampleAudit } from "../support/audits";
import { anyCharacter, hostile } from "../support/hostile";
import { runsOf } from "./random";

const runs = runsOf(100);

/** Every string of a value put through a function; keys stay. */
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => mapStrings(member, map));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapStrings(member, map)]));
}

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

/** Markdown without what stands in code spans, which end at the next run of as many backticks. */
function withoutCodeSpans(line: string): string {
  let rest = line;
  let outside = "";
  for (;;) {
    const [fence] = /`+/.exec(rest) ?? [];
    if (fence === undefined) return outside + rest;
    const at = rest.indexOf(fence);
    outside += rest.slice(0, at);
    rest = rest.slice(at + fence.length);
    const end = [...rest.matchAll(/`+/g)].find(([run]) => run.length === fence.length);
    outside += end ? "CODE" : fence;
    if (end) rest = rest.slice(end.index + fence.length);
  }
}

test("a report in Markdown is built as that of harmless names: what is said of tokens stays in its code spans", () => {
  const skeletonOf = (result: AuditResult) => render("markdown", result).split("\n").map(withoutCodeSpans);
  fc.assert(
    fc.property(results, (given) => {
      expect(skeletonOf(resultOf(given.all, given.baseUrl))).toEqual(skeletonOf(harmlessResult(given)));
    }),
    { numRuns: runs },
  );
});
