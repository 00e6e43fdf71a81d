import { setTimeout } from "node:timers/promises";
import { type Bounds, type Durations, evaluate, type GateProgress, judgeDurations } from "../gate";
import { expectation } from "../provider/nouns/queryGate/bounds";
import { defined } from "../values/defined";
import { parseDuration } from "../values/duration";
import type { Command, Io, Values } from "./command";
import { connect } from "./connection";
import { count, makeLinesVisible, makeVisible, say } from "./text";

/** Repeats a query until its value is within bounds. */
export const gate: Command<"gate"> = {
  async run(values, io, apl) {
    if (!apl) throw new Error('a query is missing: see "pulumi-event-datasets gate --help"');
    const { bounds, durations } = readOptions(values);
    await using client = connect(io, { watch: undefined });
    const title = "the gate";
    const outcome = await evaluate(
      {
        client,
        elapsed: () => performance.now(),
        timeout: (ms) => AbortSignal.timeout(Math.ceil(ms)),
        sleep: (ms) => setTimeout(ms),
        warn: async (message) => io.warn(makeVisible(message)),
        report: async (progress) => report(progress, io),
      },
      { title, apl, period, bounds, durations, noData: "fail", warnings: "show", isSecret: false },
    );
    io.progress?.(say``);
    if (outcome.passes) {
      io.print(makeVisible(`${title} ${outcome.text} (${count(outcome.attempts, "attempt")})`));
      return 0;
    }
    if (outcome.isJudged) {
      io.print(makeLinesVisible(outcome.text));
      return 1;
    }
    for (const line of outcome.text.split("\n")) io.warn(makeVisible(line));
    return 2;
  },
};

/** The last five minutes, worked out for each attempt: the documented interface does not show a form for relative times. */
function period() {
  const now = Date.now();
  return { startTime: new Date(now - 300_000).toISOString(), endTime: new Date(now).toISOString() };
}

/** A terminal shows the last attempt; a log gets a line only if something changed. */
function report({ attempts, text, isNews }: GateProgress, io: Io): void {
  const line = say`attempt ${attempts}: ${text}`;
  if (io.progress) io.progress(line);
  else if (isNews) io.warn(line);
}

/** @throws Error that names every unusable option */
function readOptions(values: Values<"gate">): { readonly bounds: Bounds; readonly durations: Durations } {
  const numberOf = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : Number(text.trim() || Number.NaN);
  const bounds = defined({
    column: values.column,
    min: numberOf(values.min),
    max: numberOf(values.max),
    equals: scalarOf(values.equals),
  });
  const durations = defined({
    every: values.every,
    for: values.for,
    settle: values.settle,
  });
  const unreadable = Object.entries(durations)
    .filter(([, text]) => !(parseDuration(text)?.milliseconds ?? 0) && !parseDuration(text)?.months)
    .map(([property]) => ({ property, reason: "must be a duration such as 15s, 5m or 1h" }));
  const ofBounds = expectation.judge(bounds).map(({ at, reason }) => ({ property: at, reason }));
  const ofDurations = unreadable.length > 0 ? unreadable : judgeDurations(durations);
  const problems = [...ofBounds, ...ofDurations].map(({ property, reason }) =>
    property === undefined ? "a bound is missing: --min, --max or --equals" : `--${property} ${reason}`,
  );
  if (problems.length > 0) throw new Error(`${problems.join("; ")}: see "pulumi-event-datasets gate --help"`);
  return { bounds, durations };
}

/** A number, true or false as such; any other text as it is, and in quotes also these. */
function scalarOf(text: string | undefined): string | number | boolean | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "number" || typeof value === "boolean" || typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}
