import { type ChildProcess, fork } from "node:child_process";
import type { FromWorker, ToWorker } from "./jobs";
import { residentBytes } from "./memory";

/** Why the process has ended: it was killed for its memory, or it ended by itself. */
export type End = { readonly kind: "memory" } | { readonly kind: "ended"; readonly how: string };

export interface WorkerEvents {
  readonly heard: (message: FromWorker) => void;
  /** Called once, when nothing more will be heard. */
  readonly ended: (end: End) => void;
}

const memoryCheckMs = 200;
/** The part of the memory limit that may hold values of JavaScript. Beyond it the process ends by itself. */
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
    // The process may end before the message is there. That is told as its end.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  kill(end?: End): void {
    this.#end ??= end;
    this.#child.kill("SIGKILL");
  }

  /** Lets it close its files; kills it if it does not. */
  async close(graceMs: number): Promise<void> {
    this.send({ kind: "close" });
    const limit = setTimeout(() => this.kill(), graceMs);
    await this.#gone.promise;
    clearTimeout(limit);
  }

  #listen(): void {
    const child = this.#child;
    child.on("message", this.#events.heard);
    // After the end of the process there may still be answers in the channel.
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
    this.#events.ended(this.#end ?? end);
  }

  async #checkMemory(limit: number): Promise<void> {
    const { pid } = this.#child;
    const bytes = pid === undefined ? undefined : await residentBytes(pid);
    if (bytes !== undefined && bytes > limit) this.kill({ kind: "memory" });
  }
}
