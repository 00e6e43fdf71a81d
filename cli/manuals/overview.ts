import type { environmentNames, SettingKey } from "../../sdk";

type Variable = (typeof environmentNames)[SettingKey];

/** Every setting of a connection. */
const settings = {
  EVENT_DATASETS_BASE_URL: "address of the service, such as https://api.axiom.co (required)",
  EVENT_DATASETS_ACCESS_TOKEN: "the access token (required)",
  EVENT_DATASETS_PROFILE: "documented or extended: which operations the service offers (default: extended at axiom.co)",
  EVENT_DATASETS_EDGE_URL: "address of the edge deployment that receives queries (profile extended)",
  EVENT_DATASETS_ORG_ID: "organization of a personal token (profile extended)",
  EVENT_DATASETS_REQUIRE_EXPIRY: "true: every declared token must have an expiry",
  EVENT_DATASETS_FORMAT_PARAMETER: "name of the query parameter for the result format (profile documented)",
  EVENT_DATASETS_CALL_DEADLINE: "time limit of a request, such as 45s (default: 30s)",
  EVENT_DATASETS_LIST_DEADLINE: "time limit of a list (default: 2m)",
  EVENT_DATASETS_QUERY_DEADLINE: "time limit of a query (default: 2m)",
} as const satisfies Readonly<Record<Variable, string>>;

/** The help about all commands. */
export const overview = {
  variables: {
    ...settings,
    EVENT_DATASETS_POLICY_FILE: "absolute path of the audit's policy file",
    EVENT_DATASETS_DEBUG: "1: log every request to standard error, without secrets",
    NO_COLOR: "any value that is not empty turns off colours",
  },
  examples: [
    { what: "check the settings and the connection", line: "doctor" },
    { what: "find the tokens that no stack declares", line: "audit --all-stacks" },
  ],
  notes: [
    "Exit codes: 0 clean, 1 findings, 2 could not check. Some commands have others: see the help of each.",
    "Documentation: docs/commandLine.md in the package, or https://www.npmjs.com/package/pulumi-event-datasets",
  ],
} as const;
