import type { Io } from "./command";
import { columnsOf, movesCursor, showsColours } from "./terminal";
import type { Line } from "./text";

/**
 * What this process has for a command: its environment, its standard streams and the signals that it gets. Node.js takes a
 * millisecond to open a stream: one that nobody asks for stays closed.
 */
export const processIo: Io = {
  print: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stderr.write(`${clearProgress()}event-datasets: ${line}\n`),
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
  stopped: () =>
    new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    }),
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
