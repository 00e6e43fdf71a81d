import { type AplResult, type EventDatasets, isApiError, rows } from "../sdk";
import { defined } from "../values/defined";
import { type Durations, readDurations, usualDurations } from "./durations";
import { type Bounds, describeExpectation, type GateValue, judge, noDataReason, type Verdict } from "./expectation";
import { findDoubt, remarksOf } from "./messages";

/** A query with the bounds for its value, and the time limits. */
export interface GateQuestion {
  /** The name of the gate in messages, such as `gate "errors"`. */
  readonly title: string;
  readonly apl: string;
  /** Called for each attempt, so that the caller can compute relative times. */
  readonly period: () => { readonly startTime: string; readonly endTime: string };
  readonly bounds: Bounds;
  readonly durations: Durations;
  readonly noData: "fail" | "pass";
  readonly warnings: "show" | "fail";
  /** Whether an argument is secret. If so, messages quote neither arguments nor responses. */
  readonly isSecret: boolean;
}

/** A line about an attempt. */
export interface GateProgress {
  readonly attempts: number;
  readonly text: string;
  /** Whether the line has news: the gate passed, or the problem or the value changed since the previous attempt. */
  readonly isNews: boolean;
}

/** The parts that a gate works with: the clock, the client and the user. */
export interface GateHost {
  readonly client: Pick<EventDatasets, "queries">;
  /** Milliseconds by a monotonic clock. */
  readonly elapsed: () => number;
  /** A signal that aborts after this many milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
  readonly sleep: (ms: number) => Promise<void>;
  readonly warn: (message: string) => Promise<void>;
  readonly report: (progress: GateProgress) => Promise<void>;
}

/** The end of a gate. */
export type GateOutcome =
  | { readonly passes: true; readonly value?: GateValue; readonly attempts: number; readonly text: string }
  /** `isJudged`: whether a response, or its last value, is why the gate does not pass; otherwise the gate could not find out. */
  | { readonly passes: false; readonly isJudged: boolean; readonly text: string; readonly cause?: Error };

interface Look extends Verdict {
  /** Whether the service answered the query, or refused one of its fields. */
  readonly isJudged: boolean;
  /** Whether there is no time for another attempt, or no use in it. */
  readonly isLast?: boolean;
  readonly cause?: Error;
  /** Equal for attempts that say the same; absent: the reason. */
  readonly sameAs?: string;
}

/**
 * Runs the query until its value has passed for long enough, within the gate's time limit. Queries and waits for rate limits
 * count towards this time. A query that the service refuses ends the gate at once, except for a rate limit and for an unknown
 * field: the deployment may bring that field with its first event.
 */
export async function evaluate(host: GateHost, question: GateQuestion): Promise<GateOutcome> {
  const { bounds } = question;
  const { every, limit, settle } = readDurations(question.durations);
  const ends = host.elapsed() + limit;
  let slowest = 0; // the longest that an attempt took
  let since: number | undefined; // when the value began to hold
  let before: string | undefined; // the words about the attempt before
  let said: string | undefined;
  let isOut = false; // whether the last value that arrived was out of bounds
  const shown = new Set<string>();
  for (let attempts = 1; ; attempts++) {
    const started = host.elapsed();
    const look = await attempt(host, question, ends - started, shown);
    const now = host.elapsed();
    slowest = Math.max(slowest, now - started);
    if (look.isJudged) isOut = look.reason !== undefined;
    since = look.reason === undefined && now <= ends ? (since ?? now) : undefined;
    const held = since === undefined ? 0 : now - since;
    const value = disclose(question, describeValue(look));
    if (since !== undefined && held >= settle) {
      const text = `passed${value}`;
      await host.report({ attempts, text, isNews: true });
      return { passes: true, ...defined({ value: look.value }), attempts, text };
    }
    const progress = ` for ${describeTime(held)} of ${describeTime(settle)}${value}`;
    const problem = look.reason ?? `held${disclose(question, progress, ", but not for long enough")}`;
    // The last look comes late, but early enough for a query that takes twice as long as the slowest did.
    const left = ends - now - Math.max(2 * slowest, Math.min(1_000, limit / 10));
    const isEnd = look.isLast === true || left <= 0;
    if (isEnd) {
      const history = look.isLast && before ? `${problem}; before that, ${before}` : problem;
      const text = describeFailure(question, attempts, history);
      return { passes: false, isJudged: look.isJudged || isOut, text, ...defined({ cause: look.cause }) };
    }
    const wait = Math.min(every, left, since === undefined ? every : settle - held);
    const next = `next attempt in ${describeTime(wait)}, ${describeTime(ends - now)} left`;
    const text = `${problem}${disclose(question, `; expected ${describeExpectation(bounds)}; ${next}`)}`;
    const saying = look.sameAs ?? look.reason ?? `held${value}`;
    await host.report({ attempts, text, isNews: saying !== said });
    await host.sleep(wait);
    [before, said] = [problem, saying];
  }
}

/**
 * Looks at the data once.
 * @param left how much time the gate has left, in milliseconds
 * @param shown the warnings that the user has seen
 */
async function attempt(host: GateHost, question: GateQuestion, left: number, shown: Set<string>): Promise<Look> {
  if (left <= 0)
    return { reason: "the time limit passed before the query could be sent", isLast: true, isJudged: false };
  const { apl, bounds, noData } = question;
  const signal = host.timeout(left);
  try {
    const result = await host.client.queries.apl({ apl, ...question.period() }, { signal });
    await showRemarks(host, question, result, shown);
    const verdict = judge(result, bounds, noData);
    const reason = describeDoubt(result, question) ?? describeReason(question, verdict.reason);
    return { ...verdict, isJudged: true, ...defined({ reason }) };
  } catch (e) {
    if (!isApiError(e)) throw e;
    const late = `no response within the remaining ${disclose(question, describeTime(left), "time")}`;
    if (signal.aborted) return { reason: late, isLast: true, isJudged: false };
    const { invalidField } = e;
    if (invalidField !== undefined) return { reason: disclose(question, invalidField, refusedField), isJudged: true };
    const failed = { reason: e.message, isJudged: false, sameAs: `${e.status ?? e.outcome}` };
    // 429 and 430 are a no to the moment (extended interface, "Errors and limits").
    const mayPass = e.outcome !== "refused" || e.status === 429 || e.status === 430;
    return mayPass ? failed : { ...failed, isLast: true, cause: e };
  }
}

const disclose = ({ isSecret }: GateQuestion, words: string, instead = ""): string => (isSecret ? instead : words);

const describeTime = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} s`;

const leftOut = "the service returned a warning, which is hidden because an argument is secret";
const refusedField = "the service refuses a field; its name is hidden because an argument is secret";

/** Shows each remark once. */
async function showRemarks(host: GateHost, question: GateQuestion, result: AplResult, shown: Set<string>) {
  for (const words of remarksOf(result)) {
    const warning = disclose(question, words, leftOut);
    if (!shown.has(warning)) await host.warn(`${question.title}: ${warning}`);
    shown.add(warning);
  }
}

function describeDoubt(result: AplResult, question: GateQuestion): string | undefined {
  const { bounds, warnings } = question;
  if (bounds.column != null && result.status.continuationToken) return "the result does not contain every row";
  const doubt = findDoubt(result, rows(result).length, warnings);
  return doubt === undefined ? undefined : disclose(question, doubt, leftOut);
}

function describeFailure(question: GateQuestion, attempts: number, problem: string): string {
  const { title, apl, bounds, durations } = question;
  const { startTime, endTime } = question.period();
  const tries = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}${disclose(question, ` in ${durations.for ?? usualDurations.for}`)}`;
  const asked = [
    `expected: ${describeExpectation(bounds)}`,
    `query: ${apl.slice(0, 1_000)}`,
    `from ${startTime} to ${endTime}`,
  ];
  const details = disclose(question, asked.map((line) => `\n  ${line}`).join(""));
  return `${title} did not pass (${tries}): ${problem}${details}`;
}

const describeValue = ({ value }: Verdict): string =>
  value === undefined ? "" : ` with ${JSON.stringify(value).slice(0, 100)}`;

const describeReason = (question: GateQuestion, reason: string | undefined): string | undefined =>
  reason === undefined || reason === noDataReason
    ? reason
    : disclose(question, reason, "the result does not pass; the reason is hidden because an argument is secret");
