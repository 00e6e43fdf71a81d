import { cancelledByCaller } from "./failures";

/** The calls with one signal. */
class Calls extends Set<AbortController> {
  readonly handleEvent = (): void => {
    for (const call of this) call.abort(cancelledByCaller);
  };
}

/**
 * Aborts the calls of a client when the signals of their callers abort. The calls with one signal share one listener, because
 * Node.js searches all listeners of a signal when one is added or removed. The last call removes the listener: a signal can
 * live as long as the process.
 */
export class Callers {
  readonly #callsOf = new Map<AbortSignal, Calls>();

  /**
   * Aborts the call when the signal does.
   * @returns ends that; call it when the call is over
   */
  follow(signal: AbortSignal | undefined, call: AbortController): () => void {
    if (signal?.aborted) call.abort(cancelledByCaller);
    if (!signal || signal.aborted) return () => undefined;
    const calls = this.#callsOf.get(signal) ?? new Calls();
    if (calls.size === 0) signal.addEventListener("abort", calls);
    this.#callsOf.set(signal, calls.add(call));
    return () => {
      calls.delete(call);
      if (calls.size > 0) return;
      signal.removeEventListener("abort", calls);
      this.#callsOf.delete(signal);
    };
  }
}
