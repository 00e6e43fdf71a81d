import { type ChildProcess, fork } from "node:child_process";
import type { FromWorker, ToWorker } from "./jobs";
import { residentBytes } from "./memory";

/** Why the process exited: it was killed because of its memory, or it exited by itself. */
export type End = { readonly kind: "memory" } | { readonly kind: "ended"; readonly how: string };

export interface WorkerEvents {
  readonly onMessage: (message: FromWorker) => void;
  /** Called once, after the last message. */
  readonly onEnd: (end: End) => void;
}

const memoryCheckMs = 200;
/** The part of the memory limit for JavaScript values. Beyond it, the process exits by itself. */
const heapShare = 0.75;

/** The process in which queries run. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #events: WorkerEvents;
  readonly #gone = Promise.withResolvers<void>();
  #end: End | undefined;

  constructor(memoryLimitBytes: number, events: WorkerEvents) {
    this.#events = events;
    const heap = Math.floor((memoryLimitBytes * heapShare) / 1024 / 1024);
    this.#child = fork(require.resolve("#engine-worker"), {
      serialization: "advanced",
      execArgv: [`--max-old-space-size=${heap}`],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const watch = setInterval(() => void this.#checkMemory(memoryLimitBytes), memoryCheckMs).unref();
    void this.#gone.promise.then(() => clearInterval(watch));
    this.#listen();
  }

  send(message: ToWorker): void {
    // The process may exit before the message arrives. `onEnd` reports that.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  kill(end?: End): void {
    this.#end ??= end;
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
      this.#conclude({ kind: "ended", how: signal ?? `exit code ${code}` });
    });
    child.on("error", (failure) => {
      if (child.pid === undefined) this.#conclude({ kind: "ended", how: failure.message });
    });
  }

  #conclude(end: End): void {
    this.#gone.resolve();
    this.#events.onEnd(this.#end ?? end);
  }

  async #checkMemory(limit: number): Promise<void> {
    const { pid } = this.#child;
    const bytes = pid === undefined ? undefined : await residentBytes(pid);
    if (bytes !== undefined && bytes > limit) this.kill({ kind: "memory" });
  }
}
