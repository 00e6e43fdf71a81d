import { readFile } from "node:fs/promises";
import type { Command } from "./command";
import { openSealed } from "./openSealed";
import { exactSecret, say } from "./text";

/** Prints a sealed secret to whoever has the private key. */
export const open: Command<"open"> = {
  async run(values, { print, warn, columns, readInput }, sealedFile) {
    const identityFile = values.identity;
    if (identityFile === undefined) throw new Error('--identity is missing: see "pulumi-event-datasets open --help"');
    const identity = await read(identityFile, `--identity ${identityFile}`);
    const sealed = sealedFile === undefined ? await readInput() : await read(sealedFile, sealedFile);
    const secret = await openSealed(sealed, identity);
    if (columns !== undefined)
      warn(say`this prints a secret to a terminal, which may keep it: pipe it to its consumer instead`);
    print(exactSecret(secret));
    return 0;
  },
};

const read = (file: string, called: string): Promise<string> =>
  readFile(file, "utf8").catch((failure: NodeJS.ErrnoException) => {
    throw new Error(`${called}: cannot be read (${failure.code})`);
  });
