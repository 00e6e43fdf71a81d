import { policyFileName } from "../../audit/policyFile";
import { connectionNote, type Flag, type Manual } from "../manual";
import { stackFlags } from "./shared";

/** Every format of `--output`. */
export const reportFormats = [
  "table",
  "json",
  "ndjson",
  "markdown",
  "sarif",
  "junit",
  "github",
  "gitlab",
  "html",
] as const;

/** The options for the stacks that declare tokens; `--state` also takes the name of the stack. */
export const coverageFlags = {
  ...stackFlags,
  state: {
    ...stackFlags.state,
    value: "[name=]file",
    help: "an exported state, or a checkpoint file of a backend; as organization/project/stack=file, it replaces that stack if the stack cannot be read; repeatable",
  },
} as const satisfies Readonly<Record<string, Flag>>;

export const audit = {
  summary: "compare live tokens with declared tokens",
  usage: ["[options]"],
  text: [
    'Compares the live tokens of the service with the tokens that Pulumi stacks declare, and reports differences. It needs an access token that may list tokens (apiTokens: ["read"]) and no secret of any stack.',
  ],
  groups: [
    {
      title: "Stacks that declare tokens (default: the selected stack of this folder)",
      flags: coverageFlags,
    },
    {
      title: "Rules",
      flags: {
        policy: {
          value: "file",
          names: "file",
          help: `policy file: severities, limits, exceptions (default: EVENT_DATASETS_POLICY_FILE, or the nearest ${policyFileName} in the project's folder or above)`,
        },
        "expiring-within": {
          value: "time",
          help: "report tokens that expire within this time, in h, d or w (default: 14d)",
        },
        baseline: { value: "file", names: "file", help: "leave out the findings in this file" },
        "write-baseline": {
          value: "file",
          names: "file",
          help: "accept all findings: write them to this file and exit with 0",
        },
        "fail-on": {
          value: "severity",
          values: ["error", "warning", "none"],
          help: "severity that makes the audit fail: error, warning or none (default: error)",
        },
      },
    },
    {
      title: "Reports",
      flags: {
        output: {
          value: "format[=file]",
          multiple: true,
          values: reportFormats,
          help: `${reportFormats.join(", ")} (default: table); repeatable, but only one without a file`,
        },
      },
    },
  ],
  examples: [
    { what: "every stack of the account, in CI", line: "audit --all-stacks --fail-on warning" },
    {
      what: "without the Pulumi CLI, with a report as a web page",
      line: "audit --state prod.json --output table --output html=audit.html",
    },
  ],
  notes: [
    connectionNote,
    "Exit codes: 0 no failing findings, 1 findings, 2 could not tell. With exit code 2, there is no report.",
  ],
} as const satisfies Manual;
