import { mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, jest } from "@jest/globals";

/**
 * Opens something before the tests of a suite, or of a part of it, and closes it after them. What is returned has its members; they can
 * be used once the tests begin.
 */
export function openForTests<Opened extends AsyncDisposable>(open: () => Promise<Opened>): Opened {
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(async () => opened?.[Symbol.asyncDispose]());
  const required = (): Opened => {
    if (!opened) throw new Error("it is not open before the tests");
    return opened;
  };
  return new Proxy({} as Opened, {
    get: (_, name) => Reflect.get(required(), name),
    set: (_, name, value) => Reflect.set(required(), name, value),
  });
}

const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** Makes a folder, which goes after the tests of the suite. Its path has no links. */
export function makeFolder(): string {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), "event-datasets-test-"));
  folders.push(folder);
  return folder;
}

const step = 1_000;

/**
 * Stops the clock of a test file, or of a part of it. Deadlines and silences then last as long as a test wants, however busy
 * the machine is. Sockets, promises and Jest's own limits go on as usual.
 */
export function stopTime(): void {
  beforeAll(() => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "clearImmediate", "hrtime"] });
    // The one clock that Jest does not replace.
    jest.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      const limit = new AbortController();
      setTimeout(() => limit.abort(new DOMException("the time is over", "TimeoutError")), ms);
      return limit.signal;
    });
  });
  afterAll(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
}

/** The time of one test: it passes only while each request under way is held by a silent service. */
export class TestTime {
  #underWay = 0;
  #held = 0;
  /** Continues `passDuring` after a change. */
  #wake = () => {};

  /** For the client: counts its requests that are under way. */
  readonly watch = () => {
    this.#underWay += 1;
    this.#wake();
    return ({ status }: { readonly status: number | undefined }) => {
      this.#underWay -= 1;
      if (status === undefined && this.#held > 0) this.#held -= 1;
      this.#wake();
    };
  };

  /** A service that answers late or never, as the one that requests wait for. */
  readonly hold =
    <Args extends unknown[]>(behave: (...args: Args) => void | Promise<void>) =>
    async (...args: Args): Promise<void> => {
      await behave(...args);
      this.#held += 1;
      this.#wake();
    };

  /** Lets time pass until the call is over. */
  async passDuring<T>(call: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
      this.#wake();
    };
    call.then(end, end);
    while (!isOver) {
      if (this.#held > 0 && this.#held === this.#underWay) await this.#passStep();
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return call;
  }

  async #passStep(): Promise<void> {
    jest.advanceTimersByTime(step);
    // The bytes that a slow service has just written arrive in the meantime.
    for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
  }
}
