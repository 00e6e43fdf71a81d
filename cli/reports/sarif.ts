import { type AuditResult, type Finding, rules } from "../../audit";
import { defined } from "../../sdk/values/defined";
import { version } from "../../sdk/version";
import type { Report } from "./report";
import { brokenRules } from "./summary";
import { count, safeJson, visible } from "./text";

/** The page of the package. */
const homepage = "https://www.npmjs.com/package/pulumi-event-datasets";

/** GitHub shows this many results of a run, and rejects a file with more than 25,000. */
const mostResults = 5_000;

/** SARIF 2.1.0, in the form that GitHub code scanning reads. */
export const sarif: Report = function* (result, { location }) {
  const shown = result.findings.slice(0, mostResults);
  const ruleIds = brokenRules({ ...result, findings: shown });
  yield `{\n  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",\n  "version": "2.1.0",\n  "runs": [{\n`;
  yield `    "tool": ${safeJson({ driver: driverOf(ruleIds) })},\n`;
  yield `    "invocations": [${safeJson(invocationOf(result, result.findings.length - shown.length))}],\n`;
  yield `    "automationDetails": { "id": "event-datasets-audit/" },\n    "results": [`;
  let separator = "\n      ";
  for (const finding of shown) {
    yield `${separator}${safeJson(resultOf(finding, ruleIds.indexOf(finding.rule), location))}`;
    separator = ",\n      ";
  }
  yield `${shown.length > 0 ? "\n    " : ""}]\n  }]\n}\n`;
};

const driverOf = (ruleIds: readonly Finding["rule"][]) => ({
  name: "event-datasets audit",
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

const invocationOf = ({ auditedAt }: AuditResult, left: number) => ({
  executionSuccessful: true,
  endTimeUtc: auditedAt,
  ...(left > 0
    ? { toolExecutionNotifications: [{ level: "warning", message: { text: `${count(left, "finding")} left out` } }] }
    : {}),
});

const resultOf = (
  { rule, severity, message, token, declared, fingerprint }: Finding,
  ruleIndex: number,
  uri: string,
) => ({
  ruleId: rule,
  ruleIndex,
  level: severity,
  message: { text: literal(message) },
  locations: [
    {
      physicalLocation: { artifactLocation: { uri: encodeURI(uri) }, region: { startLine: 1 } },
      logicalLocations: [
        {
          name: visible(token.name ?? token.id ?? rule),
          ...(declared ? { fullyQualifiedName: visible(declared.urn) } : {}),
        },
      ],
    },
  ],
  // The first is what GitHub tells alerts apart by. All results stand in one line of one file: without it they would be one.
  partialFingerprints: {
    primaryLocationLineHash: `${fingerprint.slice(0, 16)}:1`,
    "eventDatasetsAudit/v1": fingerprint,
  },
  properties: {
    ...defined({ tokenId: token.id, stack: declared?.stack }),
  },
});

/** In a SARIF message brackets make links and braces stand for arguments (3.11.5 and 3.11.6); these make none. */
const literal = (text: string): string =>
  visible(text)
    .replace(/[\\[\]]/g, "\\$&")
    .replace(/[{}]/g, "$&$&");
