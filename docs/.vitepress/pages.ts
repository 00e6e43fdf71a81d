/** A page of the site, by its path below `docs/` without `.md`. */
export interface Page {
  readonly text: string;
  readonly page: string;
}

export interface Group {
  readonly text: string;
  readonly pages: readonly Page[];
}

/** The reference of every export, made of the docstrings when the site is built. Each export has a page of its own. */
export const generated: Page = { text: "Every export", page: "reference/api/index" };

/** Every page, in the order of the sidebar: the one list. A page that is missing here fails a test. */
export const groups: readonly Group[] = [
  {
    text: "Start",
    pages: [
      { text: "Home", page: "index" },
      { text: "Quick start", page: "quickStart" },
      { text: "Dataset, token, annotation", page: "guides/firstDeploy" },
      { text: "Concepts", page: "concepts" },
      { text: "Troubleshooting", page: "guides/troubleshooting" },
    ],
  },
  {
    text: "Tokens",
    pages: [
      { text: "Declare and hand over", page: "guides/tokens" },
      { text: "Rotate", page: "guides/rotate" },
      { text: "Take over existing tokens", page: "guides/takeOver" },
      { text: "Beside Terraform", page: "guides/besideTerraform" },
      { text: "A token leaked", page: "guides/leakedToken" },
      { text: "Audit in CI", page: "guides/auditInCi" },
    ],
  },
  {
    text: "Deployments",
    pages: [
      { text: "Mark deployments", page: "guides/annotate" },
      { text: "Gates and queries", page: "guides/gate" },
    ],
  },
  {
    text: "Your program",
    pages: [
      { text: "Test offline", page: "guides/testing" },
      { text: "The emulator", page: "emulator" },
      { text: "Python, YAML and Go", page: "guides/languages" },
      { text: "Automation API, Node.js", page: "guides/nodejs" },
    ],
  },
  {
    text: "Reference",
    pages: [
      { text: "Resources and functions", page: "reference/resources" },
      { text: "Settings, versions, changes", page: "reference/settings" },
      { text: "Command line", page: "commandLine" },
      { text: "Audit: rules and reports", page: "audit" },
      { text: "Security", page: "security" },
    ],
  },
];
