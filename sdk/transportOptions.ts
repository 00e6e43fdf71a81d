import { setTimeout } from "node:timers/promises";
import { suggestName } from "../values/nearestName";
import { type DeadlineKind, deadlineKinds, longestDeadline } from "./operations";

/**
 * Deadlines in milliseconds, from 1 to 3,600,000. Each covers one call with all its attempts and the whole response, but not
 * the time for which the service's rate limit makes it wait.
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
 * Options of a client that are not settings. A failure of `debug`, `watch` or `inform` changes
 * nothing about a call; Node.js prints one warning for it.
 */
export interface TransportOptions {
  /** How long calls may take. */
  readonly deadlines?: { readonly [Kind in DeadlineKind]?: number | undefined } | undefined;
  /** Receives one line an attempt: method, path, status, time. Never a header or a body. */
  readonly debug?: ((line: string) => void) | undefined;
  /** Is told of every attempt when it is sent, and what it gives back is called with the response when the attempt is over. */
  readonly watch?: ((call: string) => (response: Attempted) => void) | undefined;
  /** Receives one line when the service's rate limit makes requests wait. */
  readonly inform?: ((line: string) => void) | undefined;
  /** Waits, between attempts and for the rate limit. Default: a timer. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** This machine's clock: milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Spreads retries: a number from 0 to below 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** A finished attempt, as `watch` is told of it: no header but the service's clock, and no body. */
export interface Attempted {
  /** Undefined: no response arrived. */
  readonly status: number | undefined;
  /** The header `Date` of the response. */
  readonly date: string | undefined;
}

/** Options that were checked: every one is there, and none of the callbacks throws. */
export type ReadyOptions = { readonly [Key in keyof TransportOptions]-?: Exclude<TransportOptions[Key], undefined> } & {
  readonly deadlines: Deadlines;
};

type FunctionOption = Exclude<keyof TransportOptions, "deadlines">;

const functionOptions: Readonly<Record<FunctionOption, true>> = {
  debug: true,
  watch: true,
  inform: true,
  sleep: true,
  now: true,
  random: true,
};

/**
 * Finds the options that a transport could not work with. A deadline that no timer can keep would end every call at once,
 * or none.
 * @returns one sentence for each
 */
export function findProblems(options: TransportOptions): string[] {
  const deadlines = Object.entries(options.deadlines ?? {}).flatMap(([kind, deadline]) => {
    const option = `option deadlines.${kind} of EventDatasets`;
    if (!Object.hasOwn(deadlineKinds, kind))
      return [`${option} does not exist${suggestName(kind, Object.keys(deadlineKinds))}`];
    return deadline === undefined || isDeadline(deadline)
      ? []
      : [`${option} must be a number of milliseconds from 1 to ${longestDeadline}`];
  });
  const functions = (Object.keys(functionOptions) as FunctionOption[])
    .filter((name) => options[name] !== undefined && typeof options[name] !== "function")
    .map((name) => `option ${name} of EventDatasets must be a function`);
  return [...deadlines, ...functions];
}

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
    sleep: sleep ?? ((ms, signal) => setTimeout(ms, undefined, { signal })),
    now: now ?? Date.now,
    random: random ?? Math.random,
  };
}

/**
 * The same callback without its failures, whether it throws or its promise is rejected: it is called between a response and
 * its caller, who would lose a token's secret.
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

/** Names the callback only: the text of a failure can quote anything. */
function warnOnce(name: string): () => void {
  let isTold = false;
  return () => {
    if (!isTold) process.emitWarning(`the callback ${name} of EventDatasets failed; its call went on without it`);
    isTold = true;
  };
}
