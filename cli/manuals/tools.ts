import type { Manual } from "../manual";

export const doctor = {
  summary: "check the settings and the connection, and show where each setting came from",
  usage: "",
  text: "Checks the settings, the service, the access token, the clock and the versions of Node.js, Pulumi and this package, for the Pulumi project of this folder. For each setting, the command shows the source; for an access token in the stack config, it also shows where the engine stores and logs it. It lists the tokens and, with the profile extended, the annotations; a capability that the access token lacks is a problem only if the program of this project needs it. It sends one query (print 1), which reads no dataset. It changes nothing, and never shows the access token.",
  flags: {},
  examples: [{ what: "check the project in this folder", line: "doctor" }],
  exitCodes: "Exit codes: 0 no problems found, 1 problems found, 2 the service could not be reached.",
} as const satisfies Manual;

export const open = {
  summary: "decrypt a sealed secret with its private key",
  usage: "--identity <file> [<sealed file>]",
  text: "Decrypts the sealed secret of a token (the argument sealFor of an ApiToken) and prints it. The command reads the file, or standard input. The input is one sealed value, or the output sealedToken as JSON. From sealedToken, it decrypts the value that was sealed for this private key. Needs the package that sealed the token: age-encryption, or libsodium-wrappers for sealed boxes.",
  argument: { name: "sealed file" },
  flags: {
    identity: {
      value: "file",
      help: "private keys, one per line: AGE-SECRET-KEY-1… as age-keygen writes them, or X25519 private keys in base64",
    },
  },
  examples: [
    {
      what: "pass the secret to its consumer without showing it",
      line: "open --identity key.txt sealed.json | my-consumer",
    },
  ],
  exitCodes: "Exit codes: 0 success; 2 failure.",
} as const satisfies Manual;

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
