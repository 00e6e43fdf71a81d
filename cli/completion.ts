import type { Command } from "./command";
import { scripts } from "./completion/scripts";
import { sourceLines } from "./text";

/** Prints what completes commands in a shell. */
export const completion: Command = {
  async run(_values, { print }, shell) {
    print(sourceLines(scripts[shell as keyof typeof scripts]()));
    return 0;
  },
};
