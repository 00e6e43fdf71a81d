import { type ChildProcess, fork } from "node:child_process";
import type { FromWorker, ToWorker } from "./jobs";

/** How the process exited: its signal, or its code. */
export type End = NodeJS.Signals | `exit code ${number | null}` | `not started: ${string}`;

/** The end of a process that used too much memory. */
export const memoryEnd: End = "SIGUSR2";

export interface WorkerEvents {
  readonly onMessage: (message: FromWorker) => void;
  /** Called once, after the last message. */
  readonly onEnd: (end: End) => void;
}

/** The part of the memory limit for JavaScript values. Beyond it, the process exits by itself. */
const heapShare = 0.75;

/** The process in which queries run. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #events: WorkerEvents;
  readonly #gone = Promise.withResolvers<void>();

  constructor(memoryLimitBytes: number, events: WorkerEvents) {
    this.#events = events;
    const heap = Math.floor((memoryLimitBytes * heapShare) / 1024 / 1024);
    this.#child = fork(require.resolve("#engine-worker"), [String(memoryLimitBytes)], {
      serialization: "advanced",
      execArgv: [`--max-old-space-size=${heap}`],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#listen();
  }

  send(message: ToWorker): void {
    // The process may exit before the message arrives. `onEnd` reports that.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Lets the process close its files, and kills it if it does not exit in time. */
  async close(graceMs: number): Promise<void> {
    this.send({ kind: "close" });
    const limit = setTimeout(() => this.kill(), graceMs);
    await this.#gone.promise;
    clearTimeout(limit);
  }

  #listen(): void {
    const child = this.#child;
    child.on("message", this.#events.onMessage);
    // After the process exited, results may still be in the channel.
    const drained = new Promise<void>((resolve) => child.once("disconnect", resolve));
    child.once("exit", async (code, signal) => {
      await drained;
      this.#conclude(signal ?? `exit code ${code}`);
    });
    child.on("error", ({ message }) => {
      if (child.pid === undefined) this.#conclude(`not started: ${message}`);
    });
  }

  #conclude(end: End): void {
    this.#gone.resolve();
    this.#events.onEnd(end);
  }
}
