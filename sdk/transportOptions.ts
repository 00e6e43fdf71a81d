import { setTimeout } from "node:timers/promises";
import { findUnknownNames } from "../values/nearestName";

/**
 * Options of a client that are not settings. A failing callback does not make a call fail: for `debug`, `watch` and `inform`,
 * Node.js prints one warning; after a failed `sleep`, a call is not retried. `now` and `random` must not fail.
 */
export interface TransportOptions {
  /** Receives one line for each attempt: method, path, status, time and trace id, never another header or a body. */
  readonly debug?: ((line: string) => void) | undefined;
  /**
   * Is called when an attempt is sent. The function that it returns is called with the response when the attempt is
   * over.
   */
  readonly watch?: ((call: string) => (response: Attempted) => void) | undefined;
  /** Receives one line when the service's rate limit makes requests wait. */
  readonly inform?: ((line: string) => void) | undefined;
  /** Waits, between attempts and for the rate limit. Default: a timer. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** This machine's clock: milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Spreads retries: returns a number from 0 to below 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** A finished attempt, for `watch`: no header except `Date`, and no body. */
export interface Attempted {
  /** Undefined if no response arrived. */
  readonly status: number | undefined;
  /** The header `Date` of the response. */
  readonly date: string | undefined;
}

/** Checked and complete options: `debug`, `watch` and `inform` never throw. */
export type ReadyOptions = { readonly [Key in keyof TransportOptions]-?: Exclude<TransportOptions[Key], undefined> };

const callbacks = ["debug", "watch", "inform", "sleep", "now", "random"] as const satisfies (keyof TransportOptions)[];

/**
 * Finds options that a client cannot use.
 * @param others the names of its other options
 * @param describe names an option
 * @returns one sentence for each
 */
export const findProblems = (
  options: TransportOptions,
  others: readonly string[],
  describe: (name: string) => string,
): string[] => [
  ...findUnknownNames(Object.keys(options), [...callbacks, ...others], describe),
  ...callbacks
    .filter((name) => options[name] !== undefined && typeof options[name] !== "function")
    .map((name) => `${describe(name)} must be a function`),
];

/** Completes options in which `findProblems` found nothing. */
export const completeOptions = ({ debug, watch, inform, sleep, now, random }: TransportOptions): ReadyOptions => ({
  debug: guard(debug, warnOnce("debug")),
  watch: guardWatch(watch),
  inform: guard(inform, warnOnce("inform")),
  // An async function, so that a failure is a rejection.
  sleep: async (ms, signal) => await (sleep ? sleep(ms, signal) : setTimeout(ms, undefined, { signal })),
  now: now ?? Date.now,
  random: random ?? Math.random,
});

/**
 * The same callback without its failures, whether it throws or its promise is rejected. It runs between the response
 * and the caller, who would otherwise lose a token's secret.
 */
function guard<Argument>(
  callback: ((argument: Argument) => unknown) | undefined,
  warn: () => void,
): (argument: Argument) => void {
  return (argument) => {
    try {
      Promise.resolve(callback?.(argument)).catch(warn);
    } catch {
      warn();
    }
  };
}

function guardWatch(watch: TransportOptions["watch"]): ReadyOptions["watch"] {
  const warn = warnOnce("watch");
  return (call) => {
    let end: ((response: Attempted) => void) | undefined;
    guard((label: string) => {
      end = watch?.(label);
      return typeof end === "function" ? undefined : end;
    }, warn)(call);
    return guard(typeof end === "function" ? end : undefined, warn);
  };
}

/** The warning names only the callback: the text of its failure could quote a secret. */
function warnOnce(name: string): () => void {
  let isTold = false;
  return () => {
    if (!isTold) process.emitWarning(`the callback ${name} of EventDatasets failed; the call continued without it`);
    isTold = true;
  };
}
