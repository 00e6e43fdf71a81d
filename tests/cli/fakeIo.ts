import type { Io } from "../../cli/command";

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
    stopped: () => new Promise(() => undefined),
    ...more,
  };
  return { io, lines, warnings, progress };
}
