import type { Command } from "./command";
import { scripts } from "./completion/scripts";
import { showSource } from "./text";

/** Prints a completion script. */
export const completion: Command = {
  async run(_values, { print }, shell) {
    print(showSource(scripts[shell as keyof typeof scripts]()));
    return 0;
  },
};
