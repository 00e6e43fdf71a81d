import type { Manual } from "../manual";

/** Every shell that there is a completion for. */
export const shells = ["bash", "zsh", "fish"] as const;

export const completion = {
  summary: "print what completes commands in bash, zsh or fish",
  usage: ["bash | zsh | fish"],
  text: [
    "Prints a script that teaches a shell the commands, their options and the values of these.",
    "  bash   in ~/.bashrc:  source <(event-datasets completion bash)",
    "  zsh    in ~/.zshrc, after compinit:  source <(event-datasets completion zsh)",
    "  fish   event-datasets completion fish > ~/.config/fish/completions/event-datasets.fish",
  ],
  argument: { name: "shell", values: shells },
  groups: [],
  examples: [{ what: "into a file of your own", line: "completion bash > ~/.event-datasets-completion.bash" }],
  notes: [],
} as const satisfies Manual;
