import { type AuditResult, type Finding, rules } from "../../audit";
import { version } from "../../sdk/version";
import { defined } from "../../values/defined";
import { count, join, type Line, makeLinesVisible, reportJson } from "../text";
import { brokenRules, coverageOf, messageOf, type Report, shortText } from "./report";

/** The page of the package. */
const homepage = "https://www.npmjs.com/package/pulumi-event-datasets";

/** GitHub shows this many results of a run, and rejects a file with more than 25,000. */
const mostResults = 5_000;

/** SARIF 2.1.0, in the form that GitHub code scanning reads. */
export const sarif: Report = function* (result, { location }) {
  const shown = result.findings.slice(0, mostResults);
  const ruleIds = brokenRules({ ...result, findings: shown });
  const run = {
    tool: { driver: driverOf(ruleIds) },
    invocations: [invocationOf(result, result.findings.length - shown.length)],
    automationDetails: { id: "event-datasets-audit/" },
    results: shown.map((finding) => resultOf(finding, ruleIds.indexOf(finding.rule), location)),
  };
  const $schema = "https://json.schemastore.org/sarif-2.1.0.json";
  yield join([reportJson({ $schema, version: "2.1.0", runs: [run] }, 2), makeLinesVisible("\n")]);
};

const driverOf = (ruleIds: readonly Finding["rule"][]) => ({
  name: "pulumi-event-datasets audit",
  version,
  semanticVersion: version,
  informationUri: homepage,
  rules: ruleIds.map((id) => ({
    id,
    shortDescription: { text: rules[id].title },
    fullDescription: { text: rules[id].help },
    help: { text: rules[id].help },
    defaultConfiguration: { level: rules[id].severity },
  })),
});

const invocationOf = (result: AuditResult, left: number) => ({
  executionSuccessful: true,
  endTimeUtc: result.auditedAt,
  properties: { policy: shortText(result.policy), coverage: coverageOf(result) },
  ...(left > 0
    ? { toolExecutionNotifications: [{ level: "warning", message: { text: `${count(left, "finding")} left out` } }] }
    : {}),
});

const resultOf = (finding: Finding, ruleIndex: number, uri: string) => {
  const { rule, severity, token, declared, fingerprint } = finding;
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    message: { text: escapeLinks(messageOf(finding)) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } },
        logicalLocations: [
          {
            name: shortText(token.name ?? token.id ?? rule),
            ...(declared ? { fullyQualifiedName: shortText(declared.urn) } : {}),
          },
        ],
      },
    ],
    // GitHub identifies alerts by the first fingerprint. Without it, all results in one line of a file would be one alert.
    partialFingerprints: {
      primaryLocationLineHash: `${fingerprint.slice(0, 16)}:1`,
      "eventDatasetsAudit/v1": fingerprint,
    },
    properties: {
      ...defined({ tokenId: token.id, stack: declared?.stack }),
    },
  };
};

/** Escapes brackets, which make links in a SARIF message, and braces, which are placeholders (3.11.5 and 3.11.6). */
const escapeLinks = (text: Line): string => text.replace(/[\\[\]]/g, "\\$&").replace(/[{}]/g, "$&$&");
