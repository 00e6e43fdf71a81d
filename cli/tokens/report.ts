import type { RuleId } from "../../audit";
import { readJsonFile } from "../../audit/jsonFile";
import { canonicalAddress } from "../../values/address";
import { isObject } from "../../values/json";

/** Findings about undeclared tokens, which can be adopted or revoked. */
const unclaimed: readonly RuleId[] = ["undeclared", "orphaned"];

/**
 * The ids of the tokens that no stack declared, in a report of `--output json`. It proves nothing: it can be old or partial.
 * @throws Error for any other file, and for a report of another service
 */
export function readReport(file: string, baseUrl: string): ReadonlySet<string> {
  const report = readJsonFile(file);
  if (
    !isObject(report) ||
    report.version !== 1 ||
    typeof report.baseUrl !== "string" ||
    !Array.isArray(report.findings)
  ) {
    throw new Error(`--from ${file}: is not a report of "pulumi-event-datasets audit --output json"`);
  }
  if (canonicalAddress(report.baseUrl) !== canonicalAddress(baseUrl)) {
    throw new Error(`--from ${file}: is about ${report.baseUrl}, but the present settings are for ${baseUrl}`);
  }
  const ids = report.findings.map((finding: unknown) =>
    isObject(finding) && unclaimed.some((rule) => rule === finding.rule) && isObject(finding.token)
      ? finding.token.id
      : undefined,
  );
  return new Set(ids.filter((id) => typeof id === "string"));
}
