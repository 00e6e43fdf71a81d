import { policyFileName } from "../../audit/policyFile";
import { connectionNote, type Flag, type Manual } from "../manual";

/** Every format of `--output`. */
export const reportFormats = ["table", "json", "markdown", "sarif", "junit", "github", "gitlab", "html"] as const;

export const stateFlag = {
  value: "[name=]file",
  multiple: true,
  names: "file",
  help: "an exported state, or a checkpoint file of a backend; as organization/project/stack=file, it replaces that stack if the stack cannot be read; repeatable",
} as const satisfies Flag;

export const audit = {
  summary: "compare live tokens with declared tokens",
  usage: ["[options]"],
  text: [
    'Compares the live tokens of the service with the tokens that Pulumi stacks declare, and reports differences. It needs an access token that may list tokens (apiTokens: ["read"]) and no secret of any stack.',
  ],
  groups: [
    {
      title: "Stacks that declare tokens (default: the selected stack of this folder)",
      flags: {
        stack: { value: "name", multiple: true, help: 'a stack, read with "pulumi stack export"; repeatable' },
        "all-stacks": { help: "every stack that the Pulumi CLI lists, and those of --state" },
        state: stateFlag,
      },
    },
    {
      title: "Rules",
      flags: {
        policy: {
          value: "file",
          names: "file",
          help: `policy file: severities, limits, exceptions (default: EVENT_DATASETS_POLICY_FILE, or the nearest ${policyFileName} in this folder or above)`,
        },
        "expiring-within": {
          value: "time",
          help: "report tokens that expire within this time, in h, d or w (default: 14d)",
        },
        "fail-on": {
          value: "severity",
          values: ["error", "warning", "none"],
          help: "severity that makes the audit fail: error, warning or none (default: error)",
        },
        "write-policy": {
          value: "file",
          names: "file",
          help: "accept today's findings: write the policy with an exception for each to this file, and exit with 0",
        },
        owner: { value: "name", help: "with --write-policy: who answers for these findings" },
        until: { value: "day", help: "with --write-policy: the last day of the exceptions (default: in 30 days)" },
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
    {
      what: "accept what is found today for a quarter",
      line: `audit --all-stacks --write-policy ${policyFileName} --owner platform --until 2027-03-31`,
    },
  ],
  notes: [
    connectionNote,
    "Exit codes: 0 no failing findings, 1 findings, 2 could not tell. With exit code 2, there is no report.",
  ],
} as const satisfies Manual;
