import { existsSync } from "node:fs";
import { unpackFailure } from "./failure";
import type { EngineLimits, FromWorker, Job, JobName, Jobs, RunOptions } from "./jobs";
import { cancelledError, closedError, memoryError, startError, timeError } from "./stopErrors";
import { type End, WorkerProcess } from "./workerProcess";

/** A job that has no outcome yet. */
interface Pending {
  readonly id: number;
  readonly job: Job;
  readonly unlimited: boolean;
  readonly resolve: (output: Jobs[JobName]["output"]) => void;
  readonly reject: (failure: Error) => void;
  /** Why the job was told to stop. */
  stop: "limit" | "caller" | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Whether it ran when the database failed. It gets a second try. */
  wasBroken: boolean;
}

const closeMs = 5_000;

/**
 * Runs queries and ingests in a separate process. A job that exceeds its time is told to stop. If the process is too busy to
 * receive this message, it is killed, and all other jobs start again in a new process. A failure of the database also ends the
 * process, and the job that was running gets a second attempt. Repeating a job is safe: queries only read, and an ingest stores
 * each event once.
 */
export class Engine {
  readonly #dir: string;
  readonly #limits: EngineLimits;
  readonly #pending = new Map<number, Pending>();
  #worker: WorkerProcess | undefined;
  #opening: PromiseWithResolvers<void> | undefined;
  #isOpen = false;
  #isClosed = false;
  #names: readonly string[] = [];
  #lastId = 0;
  /** The job that computes on the thread that receives messages: meanwhile the process may receive none. */
  #computing: number | undefined;
  /** The job that caused the process to be killed. */
  #culprit: number | undefined;
  /** Whether the database failed. No job is to blame for that. */
  #isBroken = false;

  constructor(dir: string, limits: EngineLimits) {
    this.#dir = dir;
    this.#limits = limits;
  }

  /** The known names of the datasets. Kept here, so that they are available while a query keeps the process busy. */
  get names(): readonly string[] {
    return this.#names;
  }

  /**
   * The names of all datasets. The process is not started if no dataset has ever been used.
   * @throws QueryError "unavailable" if they cannot be opened
   */
  async listNames(): Promise<readonly string[]> {
    if (existsSync(this.#dir)) await this.open();
    return this.#names;
  }

  /**
   * Starts the process, unless it is running.
   * @throws QueryError "unavailable" if the datasets cannot be opened
   */
  open(): Promise<void> {
    if (this.#opening) return this.#opening.promise;
    this.#opening = Promise.withResolvers();
    const worker = new WorkerProcess(this.#limits.memoryBytes, {
      onMessage: (message) => this.#hear(message),
      onEnd: (end) => {
        if (this.#worker === worker) this.#recover(end);
      },
    });
    this.#worker = worker;
    worker.send({ kind: "open", dir: this.#dir });
    return this.#opening.promise;
  }

  /** @throws QueryError, "limit" if the job was stopped */
  run<N extends JobName>(name: N, input: Jobs[N]["input"], options: RunOptions = {}): Promise<Jobs[N]["output"]> {
    const { signal, unlimited = false } = options;
    return new Promise<Jobs[JobName]["output"]>((resolve, reject) => {
      if (this.#isClosed) throw closedError();
      if (signal?.aborted) throw cancelledError();
      this.#lastId += 1;
      const job = { name, input } as Job;
      const pending: Pending = {
        id: this.#lastId,
        job,
        unlimited,
        resolve,
        reject,
        stop: undefined,
        timer: undefined,
        wasBroken: false,
      };
      this.#pending.set(pending.id, pending);
      signal?.addEventListener("abort", () => this.#tellToStop(pending, "caller"), { once: true });
      if (this.#isOpen) this.#begin(pending);
      else this.open().catch(() => undefined); // its failure is that of the job
    }) as Promise<Jobs[N]["output"]>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.close(closeMs);
  }

  #begin(pending: Pending): void {
    try {
      this.#worker?.send({ kind: "job", id: pending.id, job: pending.job });
      this.#startClock(pending);
    } catch (failure) {
      // The input cannot be cloned, now or for the next process.
      this.#settle(pending.id)?.reject(failure as Error);
    }
  }

  #startClock(pending: Pending): void {
    clearTimeout(pending.timer);
    if (pending.unlimited) return;
    pending.timer = setTimeout(() => {
      if (this.#isBlocked(pending)) {
        this.#startClock(pending);
        return;
      }
      this.#tellToStop(pending, "limit");
      pending.timer = setTimeout(() => this.#insist(pending), this.#limits.graceMs);
    }, this.#limits.timeoutMs);
  }

  #tellToStop(pending: Pending, why: "limit" | "caller"): void {
    pending.stop ??= why;
    this.#worker?.send({ kind: "cancel", id: pending.id });
  }

  /** Whether another job blocks this one. Meanwhile, the time of this job does not count. */
  #isBlocked({ id }: Pending): boolean {
    return this.#computing !== undefined && this.#computing !== id;
  }

  /** Kills the process for a job that does not stop. */
  #insist(pending: Pending): void {
    if (this.#isBlocked(pending)) pending.timer = setTimeout(() => this.#insist(pending), this.#limits.graceMs);
    else {
      this.#culprit = pending.id;
      this.#worker?.kill();
    }
  }

  #hear(message: FromWorker): void {
    switch (message.kind) {
      case "opened":
        this.#isOpen = true;
        this.#opening?.resolve();
        for (const pending of this.#pending.values()) this.#begin(pending);
        break;
      case "refused":
        this.#worker?.kill();
        this.#worker = undefined;
        this.#failOpening(unpackFailure(message.failure));
        break;
      case "names":
        this.#names = message.names;
        break;
      case "waits":
        clearTimeout(this.#pending.get(message.id)?.timer);
        break;
      case "computes":
      case "begins": {
        const pending = this.#pending.get(message.id);
        if (message.kind === "computes") this.#computing = message.id;
        if (pending) this.#startClock(pending);
        break;
      }
      case "done":
        this.#settle(message.id)?.resolve(message.output);
        break;
      case "broken": {
        const pending = this.#pending.get(message.id);
        this.#isBroken = true;
        if (pending?.wasBroken) this.#settle(message.id)?.reject(unpackFailure(message.failure));
        else if (pending) pending.wasBroken = true;
        break;
      }
      case "failed": {
        const pending = this.#settle(message.id);
        const { failure } = message;
        const isLimit = failure.kind === "cancelled" && pending?.stop === "limit";
        pending?.reject(isLimit ? timeError(pending.job, this.#limits.timeoutMs) : unpackFailure(failure));
      }
    }
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    clearTimeout(pending?.timer);
    this.#pending.delete(id);
    if (this.#computing === id) this.#computing = undefined;
    return pending;
  }

  /** Handles the end of the process: at most one job is to blame and fails; the others start again. */
  #recover(end: End): void {
    const culprit = this.#isBroken
      ? undefined
      : (this.#culprit ?? this.#computing ?? this.#pending.keys().next().value);
    const isTime = this.#culprit !== undefined;
    const wasOpen = this.#isOpen;
    this.#worker = undefined;
    this.#isOpen = false;
    this.#computing = undefined;
    this.#culprit = undefined;
    this.#isBroken = false;
    const refusal = this.#isClosed ? closedError() : wasOpen ? undefined : startError(end);
    if (refusal) {
      this.#failOpening(refusal);
      return;
    }
    this.#opening = undefined;
    const blamed = culprit === undefined ? undefined : this.#settle(culprit);
    const { timeoutMs, memoryBytes } = this.#limits;
    blamed?.reject(isTime ? timeError(blamed.job, timeoutMs) : memoryError(blamed.job, memoryBytes, end));
    for (const pending of [...this.#pending.values()]) {
      clearTimeout(pending.timer);
      if (pending.stop === "caller") this.#settle(pending.id)?.reject(cancelledError());
      pending.stop = undefined;
    }
    if (this.#pending.size > 0) this.open().catch(() => undefined); // its failure is that of the jobs
  }

  #failOpening(failure: Error): void {
    const opening = this.#opening;
    this.#opening = undefined;
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(failure);
    // If nobody waits for it, the jobs reported the failure.
    opening?.promise.catch(() => undefined);
    opening?.reject(failure);
  }
}
