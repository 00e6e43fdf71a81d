/** The suites that run the commands of pages and examples as they are printed. */
export const suites: Readonly<Record<string, readonly string[]>> = {
  "tests/e2e/quickStart": ["README.md", "docs/guides/gettingStarted.md", "docs/emulator.md", "docs/examples.md"],
  "tests/e2e/examples/tokens": [
    "examples/environments/README.md",
    "examples/rotation/README.md",
    "examples/sealed/README.md",
    "examples/stack-reference/README.md",
    "examples/two-accounts/README.md",
    "docs/guides/leakedToken.md",
    "docs/sealing.md",
  ],
  "tests/e2e/examples/maintenance": [
    "examples/audit/README.md",
    "examples/consumer/README.md",
    "examples/migrate-dynamic/README.md",
    "docs/audit.md",
    "docs/guides/interruption.md",
  ],
  "tests/e2e/examples/deployments": [
    "examples/annotate-only/README.md",
    "examples/automation/README.md",
    "examples/canary/README.md",
    "examples/esm/README.md",
    "examples/queries/README.md",
    "examples/unit-tests/README.md",
    "examples/without-pulumi/README.md",
    "docs/guides/annotate.md",
    "docs/guides/gate.md",
    "docs/guides/queries.md",
  ],
  "tests/e2e/policyPage": ["docs/policy.md"],
  "tests/native/languages/page": ["docs/guides/languages.md"],
};

/** Pages and examples whose commands no suite runs as they are printed, and why. */
export const exceptions: Readonly<Record<string, string>> = {
  "docs/index.md": "`docs/guides/gettingStarted.md` has the same command",
  "emulator/README.md":
    "`docs/emulator.md` has the same commands; `tests/package/emulator` starts the installed command",
  "docs/commandLine.md": "sets up the user's own shell; `tests/cli/manuals` checks the completion scripts",
  "examples/ci-pipeline/README.md": "needs GitHub Actions; `tests/package/workflows` checks the workflow",
  "examples/go/README.md": "`tests/native/languages` runs programs in Go",
  "examples/python/README.md": "`tests/native/languages` runs programs in Python",
  "examples/yaml/README.md": "`tests/native/languages/yaml` runs the program",
};

/** Both lists as a table in Markdown. */
export function suitesAsMarkdown(): string {
  const row = (...cells: string[]) => `| ${cells.join(" | ")} |`;
  const quote = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
  return [
    row("Pages and examples", "Command that runs them as printed"),
    row("---", "---"),
    ...Object.entries(suites).map(([suite, pages]) => row(quote(pages), `\`npm test -- ${suite}\``)),
    ...Object.entries(exceptions).map(([page, reason]) => row(quote([page]), `none: ${reason}`)),
  ].join("\n");
}
