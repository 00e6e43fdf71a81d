import { policyFileName } from "../../audit/policyFile";
import type { Flag, Manual } from "../manual";

/** Every format of `--output`. */
export const reportFormats = ["table", "json", "markdown", "sarif", "junit", "html"] as const;

const stateFlag = {
  value: "[name=]file",
  multiple: true,
  help: "the state of a stack that cannot be read: an export, or a checkpoint of a backend; its name is organization/project/stack; repeatable",
} as const satisfies Flag;

const terraformFlag = {
  value: "file",
  multiple: true,
  help: 'a Terraform or OpenTofu state (version 4), or the output of "show -json"; repeatable',
} as const satisfies Flag;

/** The files with states that a command reads in addition to the stacks of a backend. */
export const stateFlags = { state: stateFlag, "terraform-state": terraformFlag } as const;

export type StateFlags = typeof stateFlags;

export const whoFlag = {
  value: "dataset",
  bare: "axiom-audit",
  help: "find out who made a token: search the audit log of the organization, or a view of it (default: axiom-audit, which only owners may read)",
} as const satisfies Flag;

export const audit = {
  summary: "compare live tokens with declared tokens",
  usage: "[options]",
  text: 'Compares the live tokens of the service with the tokens that Pulumi stacks declare, and reports differences. It needs an access token that may list tokens (apiTokens: ["read"]) and no secret of any stack.',
  flags: {
    stack: {
      short: "s",
      value: "name",
      multiple: true,
      help: "a stack that declares tokens; repeatable (default: the selected stack of this folder)",
    },
    "all-stacks": { help: "every stack that the Pulumi CLI lists" },
    ...stateFlags,
    policy: {
      value: "file",
      help: `severities, limits and exceptions (default: EVENT_DATASETS_POLICY_FILE, or the nearest ${policyFileName} in this folder or above)`,
    },
    "expiring-within": {
      value: "time",
      isDuration: true,
      help: "report tokens that expire within this time, such as 36h or 14d (default: that of the policy, or 14d)",
    },
    "fail-on": {
      value: "severity",
      values: ["error", "warning", "none"],
      help: "lowest severity that fails the audit: error, warning or none (default: that of the policy, or error)",
    },
    "write-policy": {
      value: "file",
      help: "write to this file a policy that accepts today's findings, with an exception for each. The exit code is 0, or 1 if a failing finding cannot be accepted, because a field of its token has an unknown form",
    },
    who: whoFlag,
    owner: { value: "name", help: "with --write-policy: who is responsible for these findings" },
    until: { value: "day", help: "with --write-policy: the last day of the exceptions (default: in 30 days)" },
    output: {
      short: "o",
      value: "format[=file]",
      multiple: true,
      values: reportFormats,
      help: `${reportFormats.join(", ")} (default: table); repeatable, but only one without a file`,
    },
  },
  examples: [
    { what: "every stack of the account, in CI", line: "audit --all-stacks --fail-on warning" },
    {
      what: "without the Pulumi CLI, with a report as a web page",
      line: "audit --state prod.json --output table --output html=audit.html",
    },
    {
      what: "accept today's findings for a quarter",
      line: `audit --all-stacks --write-policy ${policyFileName} --owner platform --until 2027-03-31`,
    },
  ],
  exitCodes:
    "Exit codes: 0 no failing findings, 1 failing findings, 2 could not check. With exit code 2, there is no report.",
} as const satisfies Manual;

export const recover = {
  summary: "find the tokens that an interrupted update left behind",
  usage: "[options]",
  text: "Finds what an interrupted update left behind in a stack: creates that never finished and their tokens, resources that were recorded without an id, deletions that were refused, and recorded tokens that no longer exist. It prints each problem, and then the commands to run. Paste the commands of a step in one piece. First make sure that no update of the stack is running.",
  flags: {
    stack: { value: "name", help: "the stack (default: the selected one)" },
    state: { value: "file", help: "read this state instead of exporting the stack" },
  },
  examples: [{ what: "after a killed update", line: "recover --stack prod" }],
  exitCodes: "Exit codes: 0 no problems found, 1 problems found, 2 could not check.",
} as const satisfies Manual;
