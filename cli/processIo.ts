import type { Io } from "./command";
import type { Line } from "./text";
import { columnsOf, movesCursor, showsColours } from "./width";

let unwritten: NodeJS.ErrnoException | undefined;

/** Notes a failure to write, which would end the process. Call it before anything is printed. */
export function watchStreams(): void {
  process.stdout.on("error", (failure) => {
    unwritten ??= failure;
  });
  process.stderr.on("error", () => undefined); // there is nobody left to tell
}

/**
 * The environment and the standard streams of this process. Streams are opened on first use, because that takes Node.js a
 * millisecond.
 */
export const processIo: Io = {
  print: (line) => void process.stdout.write(`${line}\n`),
  flush: async () => {
    await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
    if (unwritten) throw new Error(`standard output cannot be written to (${unwritten.code})`, { cause: unwritten });
  },
  canPrint: () => unwritten === undefined,
  warn: (line) => void process.stderr.write(`${clearProgress()}pulumi-event-datasets: ${line}\n`),
  env: process.env,
  readInput: async () => (await import("node:stream/consumers")).text(process.stdin),
  get ask() {
    return process.stdin.isTTY && process.stderr.isTTY ? askUser : undefined;
  },
  get columns() {
    return columnsOf(process.stdout);
  },
  get colours() {
    return showsColours(process.stdout, process.env);
  },
  get progress() {
    if (!movesCursor(process.stderr, process.env)) return undefined;
    return (text: Line) => void process.stderr.write(`${clearProgress()}${text}`);
  },
};

/** Removes the line that shows that work is under way, where a terminal can do so. */
const clearProgress = (): string => (movesCursor(process.stderr, process.env) ? "\r\u001b[2K" : "");

async function askUser(question: Line): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
