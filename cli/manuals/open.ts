import type { Manual } from "../manual";

export const open = {
  summary: "decrypt a sealed secret with its private key",
  usage: "--identity <file> [<sealed file>]",
  text: "Decrypts a token that was sealed (the argument sealFor of an ApiToken) and prints its secret. It reads the file, or standard input. The input is one sealed value, or the output sealedToken as JSON. From sealedToken, it decrypts the value that was sealed for this private key. Needs the package that sealed the token: age-encryption, or libsodium-wrappers for sealed boxes.",
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
