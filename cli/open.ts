import { readFile } from "node:fs/promises";
import { openSealed } from "../provider/lifecycle/seal/open";
import { type Command, textOf } from "./command";

const help = `Usage: event-datasets open --identity <file> [<sealed file>]

Opens a token that was sealed (the argument sealFor of an ApiToken) and prints its secret. The sealed value is read from the
file, or from standard input:

  pulumi stack output sealedToken --json | event-datasets open --identity key.txt | my-consumer

It may be one value, or the whole of sealedToken as JSON, of which the one that the identity opens is taken. Needs the package
that sealed it: age-encryption, or libsodium-wrappers for sealed boxes.

Options:
  --identity <file>  private keys, one a line: AGE-SECRET-KEY-1… as age-keygen writes them, or an X25519 private key in base64
  --help             prints this`;

/** Prints a sealed secret to whoever has the private key. */
export const open: Command = {
  help,
  argument: "sealed file",
  options: { identity: { type: "string" } },

  async run(values, { print, warn, columns, readInput }, sealedFile) {
    const identityFile = textOf(values, "identity");
    if (identityFile === undefined) throw new Error('--identity is missing: see "event-datasets open --help"');
    const identity = await read(identityFile, `--identity ${identityFile}`);
    const sealed = sealedFile === undefined ? await readInput() : await read(sealedFile, sealedFile);
    const secret = await openSealed(sealed, identity);
    if (columns !== undefined)
      warn("this prints a secret to a terminal, which may keep it: pipe it to its consumer instead");
    print(secret);
    return 0;
  },
};

const read = (file: string, called: string): Promise<string> =>
  readFile(file, "utf8").catch((failure: NodeJS.ErrnoException) => {
    throw new Error(`${called}: cannot be read (${failure.code})`);
  });
