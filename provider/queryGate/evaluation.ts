import { pick } from "../../framework/compare";
import { hasSecretInput, logicalNameOf } from "../../framework/identity";
import { type AplResult, isApiError, type QueryStatus, warningsOf } from "../../sdk";
import { parseDuration } from "../../values/duration";
import { quoteForeignText } from "../../values/foreignText";
import type { Session } from "../account/connection";
import type { QueryGateInputs, QueryGateState } from "./definition";
import { describeExpectation, judge, noDataReason, type Verdict } from "./expectation";

/** How long a gate goes on, if nothing is declared. */
export const defaultLimit = "5m";

/** A duration that has been checked. */
const millisecondsOf = (text: string): number => parseDuration(text)?.milliseconds ?? 0;

/**
 * Runs the query until its value has held for long enough, within the gate's time. Queries and rate limits count.
 * @throws Error with the query, the last value and the bounds when the time is over, or at once for a query that the
 *   service refuses
 */
export async function evaluate(session: Session, inputs: QueryGateInputs): Promise<QueryGateState> {
  const every = millisecondsOf(inputs.every ?? "15s");
  const limit = millisecondsOf(inputs.for ?? defaultLimit);
  const settle = inputs.settle === undefined ? 0 : millisecondsOf(inputs.settle);
  const ends = session.elapsed() + limit;
  let slowest = 0; // the longest that an attempt took
  let since: number | undefined; // when the value began to hold
  let before: string | undefined; // what the attempt before had to say
  const shown = new Set<string>();
  for (let attempts = 1; ; attempts++) {
    const inform = (text: string) =>
      session.inform(`gate "${logicalNameOf(inputs.key)}", attempt ${attempts}: ${text}`);
    const started = session.elapsed();
    const verdict = await attempt(session, inputs, ends - started, attempts, shown);
    const now = session.elapsed();
    slowest = Math.max(slowest, now - started);
    since = verdict.reason === undefined && now <= ends ? (since ?? now) : undefined;
    const held = since === undefined ? 0 : now - since;
    if (since !== undefined && held >= settle) {
      await inform(`passed${disclose(inputs, describeValue(verdict))}`);
      return { ...inputs, ...pick(verdict, ["value"]), attempts, passedAt: session.now().toISOString() };
    }
    const progress = ` for ${describeTime(held)} of ${describeTime(settle)}${describeValue(verdict)}`;
    const problem = verdict.reason ?? `held${disclose(inputs, progress, ", but not for long enough")}`;
    // The last look comes late, but early enough for a query that takes twice as long as the slowest did.
    const left = ends - now - Math.max(2 * slowest, Math.min(1_000, limit / 10));
    const history = verdict.isLast && before ? `${problem}; before that, ${before}` : problem;
    if (verdict.isLast || left <= 0) throw new Error(describeFailure(inputs, attempts, history));
    const wait = Math.min(every, left, since === undefined ? every : settle - held);
    const next = `next attempt in ${describeTime(wait)}, ${describeTime(ends - now)} left`;
    await inform(`${problem}${disclose(inputs, `; expected ${describeExpectation(inputs.expect)}; ${next}`)}`);
    await session.sleep(wait).catch((cause) => {
      const gate = `gate "${logicalNameOf(inputs.key)}"`;
      throw new Error(`${gate}: the update was cancelled before the gate passed`, { cause });
    });
    before = problem;
  }
}

/**
 * Looks at the data once. A refusal is thrown: waiting does not help. Any other failure is an attempt that does not pass.
 * @param left how much time the gate has left, in milliseconds
 * @param shown the warnings that the user has seen
 * @returns with `isLast` if there is no time for another attempt
 */
async function attempt(
  session: Session,
  inputs: QueryGateInputs,
  left: number,
  attempts: number,
  shown: Set<string>,
): Promise<Verdict & { readonly isLast?: boolean }> {
  if (left <= 0) return { reason: "the time limit passed before the query could be sent", isLast: true };
  const signal = session.timeout(left);
  try {
    const result = await session.client.queries.apl(pick(inputs, ["apl", "startTime", "endTime"]), { signal });
    await showWarnings(session, inputs, result, shown);
    const verdict = judge(result, inputs.expect, inputs.noData ?? "fail");
    const reason = findDoubt(result.status, inputs, verdict) ?? describeReason(inputs, verdict.reason);
    return reason === undefined ? verdict : { ...verdict, reason };
  } catch (e) {
    if (!isApiError(e)) throw e;
    const late = `no response within the remaining ${disclose(inputs, describeTime(left), "time")}`;
    if (signal.aborted) return { reason: late, isLast: true };
    // 429 and 430 are a no to the moment (extended interface, "Errors and limits").
    if (e.outcome !== "refused" || e.status === 429 || e.status === 430) return { reason: e.message };
    throw new Error(describeFailure(inputs, attempts, e.message), { cause: e });
  }
}

/** One rule for all messages: with a secret argument they repeat nothing that an argument, or a response to it, says. */
const disclose = (inputs: QueryGateInputs, words: string, instead = ""): string =>
  hasSecretInput(inputs) ? instead : words;

const describeTime = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} s`;

/** Priorities of messages that say nothing against any response. The list of priorities is not documented, so no other passes. */
const harmless: ReadonlySet<string | undefined> = new Set(["trace", "debug", "info"]);

/** A warning can mean that rows are missing. A single value is not a list that can be cut; a column is, and so is no data. */
const isHarmless = (priority: string | undefined, mayWarn: boolean): boolean =>
  harmless.has(priority) || (priority === "warn" && mayWarn);

const leftOut = "the service says something with the result; its words are left out, as inputs are secret";

/** Shows each warning once: the value of a query on a misspelled field can pass. */
async function showWarnings(session: Session, inputs: QueryGateInputs, result: AplResult, shown: Set<string>) {
  for (const words of warningsOf(result)) {
    const warning = disclose(inputs, words, leftOut);
    if (!shown.has(warning)) await session.warn(`gate "${logicalNameOf(inputs.key)}": ${warning}`);
    shown.add(warning);
  }
}

/** Why a response cannot be relied on, whatever its value. */
function findDoubt(status: QueryStatus, inputs: QueryGateInputs, { value }: Verdict): string | undefined {
  const { expect } = inputs;
  if (status.isPartial) return "the result is partial";
  if (status.isEstimate) return "the result is an estimate";
  if (expect.column !== undefined && status.continuationToken) return "the result does not hold every row";
  const mayWarn = inputs.warnings !== "fail" && expect.column === undefined && value !== undefined;
  const message = status.messages.find(({ priority }) => !isHarmless(priority, mayWarn));
  if (message === undefined) return undefined;
  const words = `the service says "${quoteForeignText(message.msg ?? message.code ?? "")}" with the result`;
  return disclose(inputs, words, leftOut);
}

const describeFailure = (inputs: QueryGateInputs, attempts: number, problem: string): string => {
  const { key, apl, startTime, endTime, expect, for: limit = defaultLimit } = inputs;
  const tries = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}${disclose(inputs, ` in ${limit}`)}`;
  const asked = [
    `expected: ${describeExpectation(expect)}`,
    `query: ${apl.slice(0, 1_000)}`,
    `from ${startTime} to ${endTime}`,
  ];
  const details = disclose(inputs, asked.map((line) => `\n  ${line}`).join(""));
  return `gate "${logicalNameOf(key)}" did not pass (${tries}): ${problem}${details}`;
};

const describeValue = ({ value }: Verdict): string =>
  value === undefined ? "" : ` with ${JSON.stringify(value).slice(0, 100)}`;

const describeReason = (inputs: QueryGateInputs, reason: string | undefined): string | undefined =>
  reason === undefined || reason === noDataReason
    ? reason
    : disclose(inputs, reason, "the result does not pass; the reason is left out, as arguments are secret");
