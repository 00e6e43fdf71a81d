/** The suites that run the commands of pages and examples as they are printed. */
export const suites: Readonly<Record<string, readonly string[]>> = {
  "tests/e2e/quickStart": ["README.md", "docs/quickStart.md", "docs/emulator.md", "examples/README.md"],
  "tests/e2e/examples/tokens": [
    "examples/environments/README.md",
    "examples/rotation/README.md",
    "examples/sealed/README.md",
    "examples/two-accounts/README.md",
    "docs/guides/leakedToken.md",
    "docs/guides/tokens.md",
  ],
  "tests/e2e/examples/maintenance": [
    "examples/audit/README.md",
    "examples/migrate-dynamic/README.md",
    "docs/audit.md",
    "docs/guides/auditInCi.md",
    "docs/guides/takeOver.md",
    "docs/guides/troubleshooting.md",
  ],
  "tests/e2e/examples/deployments": [
    "examples/annotate-only/README.md",
    "examples/automation/README.md",
    "examples/canary/README.md",
    "examples/unit-tests/README.md",
    "docs/guides/annotate.md",
    "docs/guides/gate.md",
    "docs/guides/testing.md",
  ],
  "tests/native/languages/page": ["docs/guides/languages.md"],
};

/** Pages and examples whose commands no suite runs as they are printed, and why. */
export const exceptions: Readonly<Record<string, string>> = {
  "docs/index.md": "docs/quickStart.md has the same command",
  "docs/guides/besideTerraform.md": "docs/guides/auditInCi.md has the same command",
  "emulator/README.md": "docs/emulator.md has the same commands; tests/package/emulator starts the installed command",
  "docs/commandLine.md": "sets up the user's own shell; tests/cli/manuals checks the completion scripts",
  "examples/languages/go/README.md": "tests/native/languages runs programs in Go",
  "examples/languages/python/README.md": "tests/native/languages runs programs in Python",
  "examples/languages/yaml/README.md": "tests/native/languages/examples runs the program",
};
