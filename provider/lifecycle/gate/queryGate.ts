import { randomBytes } from "node:crypto";
import { isApiError } from "../../../sdk";
import { parseDuration } from "../../../sdk/values/duration";
import { isObject } from "../../../sdk/values/json";
import { asJson, asText, changedKeys, pick } from "../compare";
import { type CheckFailure, hasUnknown, type Lifecycle, type Session, type Unchecked } from "../contract";
import { checkFields, duration, nonEmptyText, oneOf, ruleOf } from "../fields";
import { type Expectation, expectation, type GateValue, inWords, judge, type Verdict } from "./expectation";

/** What a gate is declared with. */
export interface QueryGateInputs {
  /** The resource's logical name, for messages: hooks are not told it. Never compared. */
  readonly name: string;
  readonly apl: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly expect: Expectation;
  /** How long to wait between two attempts, and how long to go on. */
  readonly every?: string;
  readonly for?: string;
  /** For how long the value must hold without a break. */
  readonly settle?: string;
  readonly noData?: "fail" | "pass";
  /** A change of any of these evaluates the gate again. */
  readonly triggers: Readonly<Record<string, string | number | boolean>>;
}

/** What is recorded of a gate that passed. */
export interface QueryGateState extends QueryGateInputs {
  readonly value?: GateValue;
  readonly attempts?: number;
  readonly passedAt?: string;
}

const defaults = { every: "15s", for: "5m" } as const;

const rules = {
  name: nonEmptyText,
  apl: nonEmptyText,
  startTime: nonEmptyText,
  endTime: nonEmptyText,
  expect: expectation,
  every: duration,
  for: duration,
  settle: duration,
  noData: oneOf("fail", "pass"),
  triggers: ruleOf(
    "must be an object of strings, numbers and booleans, with at least one: without a change a gate is not evaluated again",
    (value) => {
      const members = isObject(value) ? Object.values(value) : [];
      return members.length > 0 && members.every((member) => /^(string|number|boolean)$/.test(typeof member));
    },
  ),
};

const required = ["apl", "startTime", "endTime", "expect", "triggers"] as const;

/** What decides whether a gate passes; how often it looks does not. */
const comparisons = {
  apl: asText,
  startTime: asText,
  endTime: asText,
  expect: asJson,
  settle: asText,
  noData: (value: unknown) => (value === "fail" ? undefined : asText(value)),
  triggers: asJson,
} as const;

export const queryGate: Lifecycle<QueryGateInputs, QueryGateState> = {
  check(_olds, news) {
    const failures = checkFields(rules, news);
    for (const key of required) {
      if (news[key] === undefined || news[key] === null) failures.push({ property: key, reason: "is missing" });
    }
    if (failures.length === 0) failures.push(...durationFailures(news));
    return { inputs: news as unknown as QueryGateInputs, failures };
  },

  // In place: an evaluation that fails keeps the old state, which differs from the inputs, so the next update tries again.
  diff(_id, state, inputs) {
    return { changes: changedKeys(comparisons, state, inputs).length > 0 || hasUnknown(inputs), replaces: [] };
  },

  async create(session, inputs) {
    const state = await evaluate(session, inputs);
    return { id: `gate-${randomBytes(6).toString("hex")}`, state };
  },

  // There is nothing to look at: what is recorded is that it passed.
  async read(_session, id, state) {
    if (state.apl === undefined) throw new Error(`${id} is a gate, which cannot be looked up.`);
    return { state: state as QueryGateState };
  },

  update: (session, _id, _state, inputs) => evaluate(session, inputs),

  async delete() {},
};

/**
 * Runs the query until its value has held for long enough.
 * @throws Error with the query, the last value and the bounds when the time is over, or at once for a query that the
 *   service refuses
 */
async function evaluate(session: Session, inputs: QueryGateInputs): Promise<QueryGateState> {
  const [every, limit] = [millisecondsOf(inputs.every ?? defaults.every), millisecondsOf(inputs.for ?? defaults.for)];
  const settle = inputs.settle === undefined ? 0 : millisecondsOf(inputs.settle);
  let elapsed = 0;
  let since: number | undefined; // when the value began to hold
  for (let attempts = 1; ; attempts++) {
    const verdict = await timed(() => attempt(session, inputs));
    elapsed += verdict.took;
    since = verdict.reason === undefined ? (since ?? elapsed) : undefined;
    const held = since === undefined ? 0 : elapsed - since;
    if (since !== undefined && held >= settle) {
      await session.inform(`gate "${inputs.name}", attempt ${attempts}: passed${shownValue(verdict)}`);
      const value = verdict.value === undefined ? {} : { value: verdict.value };
      return { ...inputs, ...value, attempts, passedAt: session.now().toISOString() };
    }
    const problem = verdict.reason ?? `held for ${seconds(held)} of ${seconds(settle)}${shownValue(verdict)}`;
    const left = limit - elapsed;
    if (left <= 0) throw new Error(complaint(inputs, attempts, problem));
    const wait = Math.min(every, left, since === undefined ? every : settle - held);
    await session.inform(
      `gate "${inputs.name}", attempt ${attempts}: ${problem}; expected ${inWords(inputs.expect)}; next attempt in ${seconds(wait)}, ${seconds(left)} left`,
    );
    elapsed += Math.max(wait, (await timed(() => session.sleep(wait).then(() => ({})))).took);
  }
}

/** One look at the data. A refusal is thrown: no waiting mends it. Any other failure is an attempt that does not pass. */
async function attempt({ client }: Session, inputs: QueryGateInputs): Promise<Verdict> {
  try {
    const result = await client.queries.apl(pick(inputs, ["apl", "startTime", "endTime"]));
    const verdict = judge(result, inputs.expect, inputs.noData ?? "fail");
    return result.status.isPartial ? { ...verdict, reason: "the result is partial" } : verdict;
  } catch (e) {
    if (!isApiError(e)) throw e;
    // 429 and 430 are a no to the moment (extended interface, "Errors and limits").
    if (e.outcome !== "refused" || e.status === 429 || e.status === 430) return { reason: e.message };
    throw new Error(complaint(inputs, 1, e.message), { cause: e });
  }
}

async function timed<T extends object>(run: () => Promise<T>): Promise<T & { took: number }> {
  const started = performance.now();
  return { ...(await run()), took: performance.now() - started };
}

const complaint = (inputs: QueryGateInputs, attempts: number, problem: string): string =>
  [
    `gate "${inputs.name}" did not pass (${attempts} ${attempts === 1 ? "attempt" : "attempts"} in ${inputs.for ?? defaults.for}): ${problem}`,
    `expected: ${inWords(inputs.expect)}`,
    `query: ${inputs.apl.slice(0, 1_000)}`,
    `from ${inputs.startTime} to ${inputs.endTime}`,
  ].join("\n  ");

const shownValue = ({ value }: Verdict): string =>
  value === undefined ? "" : ` with ${JSON.stringify(value).slice(0, 100)}`;

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} s`;

const millisecondsOf = (text: string): number => parseDuration(text)?.milliseconds ?? 0;

function durationFailures(news: Unchecked): CheckFailure[] {
  const failures: CheckFailure[] = [];
  const known = (key: "every" | "for" | "settle", otherwise: string) =>
    hasUnknown(news[key]) ? undefined : String(news[key] ?? otherwise);
  const [every, whole, settle] = [known("every", "0s"), known("for", defaults.for), known("settle", "0s")];
  for (const [property, text] of Object.entries({ every, for: whole, settle })) {
    if (text !== undefined && (parseDuration(text)?.months ?? 0) > 0) {
      failures.push({ property, reason: "must not be counted in months" });
    }
  }
  if (failures.length > 0 || whole === undefined) return failures;
  for (const [property, text] of Object.entries({ every, settle })) {
    if (text !== undefined && millisecondsOf(text) > millisecondsOf(whole)) {
      failures.push({ property, reason: `must not be longer than for${news.for === undefined ? ` (${whole})` : ""}` });
    }
  }
  return failures;
}
