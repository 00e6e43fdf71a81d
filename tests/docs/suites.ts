/** The suites that run the commands of pages and examples as they are printed. */
export const suites: Readonly<Record<string, readonly string[]>> = {
  "tests/e2e/quickStart": ["README.md", "docs/guides/gettingStarted.md", "docs/emulator.md", "docs/examples.md"],
  "tests/e2e/examples": [
    ...[
      "annotate-only",
      "audit",
      "automation",
      "canary",
      "consumer",
      "environments",
      "esm",
      "migrate-dynamic",
      "queries",
      "rotation",
      "sealed",
      "stack-reference",
      "two-accounts",
      "unit-tests",
      "without-pulumi",
    ].map((name) => `examples/${name}/README.md`),
    "docs/audit.md",
    "docs/guides/annotate.md",
    "docs/guides/gate.md",
    "docs/guides/interruption.md",
    "docs/guides/leakedToken.md",
    "docs/guides/queries.md",
    "docs/sealing.md",
  ],
  "tests/e2e/policyPage": ["docs/policy.md"],
  "tests/native/languages/page": ["docs/guides/languages.md"],
};

/** Pages and examples whose commands no suite runs as they are printed, and why. */
export const exceptions: Readonly<Record<string, string>> = {
  "docs/index.md": "`docs/guides/gettingStarted.md` has the same command",
  "docs/commandLine.md": "sets up the user's own shell; `tests/cli/manuals` checks the completion scripts",
  "examples/ci-pipeline/README.md": "needs GitHub Actions; `tests/package/workflows` checks the workflow",
  "examples/go/README.md": "`tests/native/languages` runs programs in Go",
  "examples/python/README.md": "`tests/native/languages` runs programs in Python",
  "examples/yaml/README.md": "`tests/native/languages/yaml` runs the program",
};

/** The examples whose READMEs a suite types. */
export const examplesIn = (suite: string): string[] =>
  (suites[suite] ?? []).flatMap((page) => /^examples\/([^/]+)\/README\.md$/.exec(page)?.[1] ?? []);

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
