import type { Manual } from "../manual";

export const open = {
  summary: "decrypt a sealed secret with its private key",
  usage: ["--identity <file> [<sealed file>]"],
  text: [
    "Opens a token that was sealed (the argument sealFor of an ApiToken) and prints its secret. The sealed value is read from the file, or from standard input. It may be one value, or the whole of sealedToken as JSON, of which the one that the identity opens is taken. Needs the package that sealed it: age-encryption, or libsodium-wrappers for sealed boxes.",
  ],
  argument: { name: "sealed file", names: "file" },
  groups: [
    {
      title: "Options",
      flags: {
        identity: {
          value: "file",
          names: "file",
          help: "private keys, one a line: AGE-SECRET-KEY-1… as age-keygen writes them, or an X25519 private key in base64",
        },
      },
    },
  ],
  examples: [
    {
      what: "hand the secret to its consumer, and to nobody else",
      line: "open --identity key.txt sealed.json | my-consumer",
    },
  ],
  notes: ["Exit codes: 0 printed; 2 not opened."],
} as const satisfies Manual;
