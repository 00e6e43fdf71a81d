/** A page of the site, by its path below `docs/` without `.md`. */
export interface Page {
  readonly text: string;
  readonly page: string;
}

export interface Group {
  readonly text: string;
  readonly pages: readonly Page[];
}

/** The reference of every export, made of the docstrings when the site is built. */
export const generated: Group = {
  text: "Every export",
  pages: [
    { text: "pulumi-event-datasets", page: "reference/api/provider" },
    { text: "…/sdk", page: "reference/api/sdk" },
    { text: "…/audit", page: "reference/api/audit" },
    { text: "…/testing", page: "reference/api/testing" },
  ],
};

/** Every page, in the order of the sidebar: the one list. A page that is missing here fails a test. */
export const groups: readonly Group[] = [
  {
    text: "Start",
    pages: [
      { text: "Overview", page: "index" },
      { text: "First deployment", page: "guides/gettingStarted" },
      { text: "Examples", page: "examples" },
      { text: "Compatibility", page: "compatibility" },
      { text: "Troubleshooting", page: "guides/troubleshooting" },
    ],
  },
  {
    text: "Guides",
    pages: [
      { text: "Rotate a token", page: "guides/rotate" },
      { text: "Take over an existing token", page: "guides/adopt" },
      { text: "A token leaked: what now?", page: "guides/leakedToken" },
      { text: "Who can read this secret?", page: "sealing" },
      { text: "Two accounts", page: "guides/twoAccounts" },
      { text: "Mark deployments", page: "guides/annotate" },
      { text: "Stop a bad deployment", page: "guides/gate" },
      { text: "Query datasets", page: "guides/queries" },
      { text: "Audit tokens in CI", page: "guides/auditInCi" },
      { text: "After an interruption", page: "guides/interruption" },
      { text: "Test your program offline", page: "guides/testing" },
      { text: "Automation API", page: "guides/automation" },
      { text: "Large stacks", page: "guides/largeStacks" },
      { text: "Node.js without Pulumi", page: "guides/withoutPulumi" },
      { text: "YAML, Python, Go, and pulumi import", page: "guides/languages" },
      { text: "From your own dynamic provider", page: "guides/migrateDynamic" },
      { text: "From the bridged Terraform provider", page: "guides/migrateBridged" },
    ],
  },
  {
    text: "Command line and CI",
    pages: [
      { text: "Command line", page: "commandLine" },
      { text: "Auditing tokens", page: "audit" },
      { text: "Policy pack", page: "policy" },
      { text: "The emulator", page: "emulator" },
    ],
  },
  {
    text: "Reference",
    pages: [
      { text: "Settings", page: "reference/settings" },
      { text: "ApiToken", page: "reference/apiToken" },
      { text: "Annotation", page: "reference/annotation" },
      { text: "DeploymentAnnotation", page: "reference/deploymentAnnotation" },
      { text: "QueryGate", page: "reference/queryGate" },
      { text: "Provider", page: "reference/provider" },
      { text: "getToken, getTokens", page: "reference/getTokens" },
      { text: "queryApl", page: "reference/queryApl" },
      { text: "queryDataset", page: "reference/queryDataset" },
      { text: "Verified members", page: "reference/verified" },
      { text: "Query language", page: "queryLanguage" },
      { text: "Glossary", page: "glossary" },
    ],
  },
  {
    text: "How it works",
    pages: [
      { text: "Architecture", page: "architecture" },
      { text: "Security", page: "security" },
      { text: "Reliability", page: "reliability" },
    ],
  },
];
