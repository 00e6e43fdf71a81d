import { readArguments } from "../../cli/arguments";
import type { Io } from "../../cli/command";
import { type CommandName, manuals } from "../../cli/manuals";

/** The options of a command line. */
export const valuesOf = <N extends CommandName>(name: N, ...args: readonly string[]) =>
  readArguments(name, manuals[name], args).values;

/** A terminal as a command sees it, with everything that the command shows. */
export function fakeIo(env: Io["env"], more: Partial<Io> = {}) {
  const [lines, warnings, progress]: [string[], string[], string[]] = [[], [], []];
  const io: Io = {
    print: (line) => void lines.push(line),
    warn: (line) => void warnings.push(line),
    env,
    readInput: async () => "",
    columns: 80,
    colours: false,
    canPrint: () => true,
    flush: async () => undefined,
    progress: (text) => void progress.push(text),
    ...more,
  };
  return { io, lines, warnings, progress };
}
