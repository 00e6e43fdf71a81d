import type { Manual } from "../manual";

/** The supported shells. */
export const shells = ["bash", "zsh", "fish"] as const;

export const completion = {
  summary: "generate a completion script for bash, zsh or fish",
  usage: "bash | zsh | fish",
  text: "Prints a script that completes commands, options and values. The script runs this command to get them.",
  argument: { name: "shell", values: shells },
  flags: {},
  examples: [
    { what: "fish", line: "completion fish > ~/.config/fish/completions/pulumi-event-datasets.fish" },
    { what: "bash, in ~/.bashrc", before: "source <(", line: "completion bash)" },
    { what: "zsh, in ~/.zshrc after compinit", before: "source <(", line: "completion zsh)" },
  ],
  exitCodes: "Exit codes: 0 success; 2 failure.",
} as const satisfies Manual;
