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

/** The options that say which stacks declare tokens; `--state` also says whose state a file holds. */
export const coverageFlags = {
  ...stackFlags,
  state: {
    ...stackFlags.state,
    value: "[name=]file",
    help: "an exported state, or a checkpoint file of a backend; organization/project/stack=file stands for that stack if it cannot be read; repeatable",
  },
} as const satisfies Readonly<Record<string, Flag>>;

export const audit = {
  summary: "compare the live tokens with the declared ones",
  usage: ["[options]"],
  text: [
    'Compares the live tokens of the service with those that Pulumi stacks declare, and reports what differs. It needs an access token that may list tokens (apiTokens: ["read"]) and no secret of any stack.',
  ],
  groups: [
    {
      title: "What is declared (without any of these: the selected stack of this folder)",
      flags: coverageFlags,
    },
    {
      title: "What counts",
      flags: {
        policy: {
          value: "file",
          names: "file",
          help: `severities, limits, exceptions (default: EVENT_DATASETS_POLICY_FILE, or the nearest ${policyFileName} in the project's folder or above)`,
        },
        "expiring-within": {
          value: "time",
          help: "report tokens that expire this soon, in h, d or w (default: 14d)",
        },
        baseline: { value: "file", names: "file", help: "leave out the findings that this file knows" },
        "write-baseline": {
          value: "file",
          names: "file",
          help: "write all findings to this file and succeed",
        },
        "fail-on": {
          value: "severity",
          values: ["error", "warning", "none"],
          help: "error, warning or none (default: error)",
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
          help: `${reportFormats.join(", ")} (default: table); repeatable, one without a file`,
        },
      },
    },
  ],
  examples: [
    { what: "every stack of the account, as CI does", line: "audit --all-stacks --fail-on warning" },
    {
      what: "without the Pulumi CLI, with a page to look at",
      line: "audit --state prod.json --output table --output html=audit.html",
    },
  ],
  notes: [connectionNote, "Exit codes: 0 nothing that fails, 1 findings, 2 could not tell; then there is no report."],
} as const satisfies Manual;
