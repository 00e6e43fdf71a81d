import { setTimeout } from "node:timers/promises";
import { isObject } from "../values/json";
import { suggestName } from "../values/nearestName";
import { type DeadlineKind, deadlineKinds, longestDeadline } from "./operations";

/**
 * Deadlines in milliseconds, from 1 to 3,600,000. Each covers one call with all its attempts and the whole response,
 * but not the wait for its turn: for the service's rate limit, or for earlier calls of the client while the service
 * responds to them. A call whose turn does not come because the service is silent ends at its deadline, unsent.
 */
export interface Deadlines extends Readonly<Record<DeadlineKind, number>> {
  /** A call on one object. Default 30,000. */
  readonly call: number;
  /** A call that lists everything. Default 120,000. */
  readonly list: number;
  /** A query. Default 120,000. */
  readonly query: number;
}

/**
 * Options of a client that are not settings. A callback that fails does not fail a call: Node.js prints one warning
 * for `debug`, `watch` and `inform`; after a failed `sleep`, a call is not retried. `now` and `random` must not fail.
 */
export interface TransportOptions {
  /** How long calls may take. */
  readonly deadlines?: { readonly [Kind in DeadlineKind]?: number | undefined } | undefined;
  /** Receives one line an attempt: method, path, status, time. Never a header or a body. */
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
  /** Undefined: no response arrived. */
  readonly status: number | undefined;
  /** The header `Date` of the response. */
  readonly date: string | undefined;
}

/** Checked and complete options: no callback throws. */
export type ReadyOptions = { readonly [Key in keyof TransportOptions]-?: Exclude<TransportOptions[Key], undefined> } & {
  readonly deadlines: Deadlines;
};

type FunctionOption = Exclude<keyof TransportOptions, "deadlines">;

const functionOptions: readonly string[] = [
  "debug",
  "watch",
  "inform",
  "sleep",
  "now",
  "random",
] satisfies FunctionOption[];

/**
 * Finds the options that a transport cannot use: unknown ones, and deadlines that no timer can keep, which would end
 * every call at once or never.
 * @param others the names of the client's other options, to suggest
 * @returns one sentence for each
 */
export function findProblems(options: TransportOptions, others: readonly string[]): string[] {
  const { deadlines, ...functions } = options;
  const names = [...functionOptions, "deadlines", ...others];
  const problems = Object.entries(functions).flatMap(([name, value]) => {
    if (!functionOptions.includes(name)) return [describe(name, `does not exist${suggestName(name, names)}`)];
    return value === undefined || typeof value === "function" ? [] : [describe(name, "must be a function")];
  });
  return [...findDeadlineProblems(deadlines), ...problems];
}

function findDeadlineProblems(deadlines: unknown): string[] {
  if (deadlines === undefined) return [];
  if (!isObject(deadlines)) return [describe("deadlines", "must be an object")];
  return Object.entries(deadlines).flatMap(([kind, deadline]) => {
    const option = `deadlines.${kind}`;
    if (!Object.hasOwn(deadlineKinds, kind))
      return [describe(option, `does not exist${suggestName(kind, Object.keys(deadlineKinds))}`)];
    if (deadline === undefined || isDeadline(deadline)) return [];
    return [describe(option, `must be a number of milliseconds from 1 to ${longestDeadline}`)];
  });
}

const describe = (option: string, problem: string): string => `option ${option} of EventDatasets ${problem}`;

const isDeadline = (value: unknown): boolean => typeof value === "number" && value >= 1 && value <= longestDeadline;

/** Completes options in which `findProblems` found nothing. */
export function completeOptions(options: TransportOptions): ReadyOptions {
  const { deadlines = {}, debug, watch, inform, sleep, now, random } = options;
  const limitOf = (kind: DeadlineKind) => deadlines[kind] ?? deadlineKinds[kind].limit;
  return {
    deadlines: { call: limitOf("call"), list: limitOf("list"), query: limitOf("query") },
    debug: guard(debug, warnOnce("debug")),
    watch: guardWatch(watch),
    inform: guard(inform, warnOnce("inform")),
    // An async function, so that a failure is a rejection.
    sleep: async (ms, signal) => await (sleep ? sleep(ms, signal) : setTimeout(ms, undefined, { signal })),
    now: now ?? Date.now,
    random: random ?? Math.random,
  };
}

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
