import { type Description, describeDeployment, detectSurroundings } from "../provider/deployment";
import { annotationKeys, checkAnnotation } from "../provider/lifecycle/annotation/fields";
import { type AnnotationSpec, type EventDatasets, isApiError } from "../sdk";
import { defined } from "../sdk/values/defined";
import { canonicalInstant } from "../sdk/values/instant";
import { annotationLengths, shorten } from "../sdk/values/textLengths";
import { type Ending, runChild } from "./child";
import { type Command, type Io, textOf, type Values } from "./command";
import { connect } from "./connection";

/** Records a deployment that something else makes. */
export const annotate: Command = {
  async run(values, io, _argument, command = []) {
    await using client = connect(io);
    // Before the command runs: a deployment that could not be recorded for a mistake here should not start.
    const spec = specOf(values, client, describeDeployment(detectSurroundings(io.env, process.cwd()), undefined, []));
    if (command.length === 0) {
      const time = spec.time ?? new Date().toISOString();
      io.print(await record(client, { ...spec, time }));
      return 0;
    }
    if (spec.time !== undefined || spec.endTime !== undefined) {
      throw new Error("--time and --end-time: a command has its own time");
    }
    return await around(client, spec, command, io, values);
  },
};

async function around(
  client: EventDatasets,
  spec: AnnotationSpec,
  command: readonly string[],
  io: Io,
  values: Values,
): Promise<Ending> {
  const time = new Date().toISOString();
  const ending = await runChild(command).catch((failure: NodeJS.ErrnoException) => failure);
  if (ending instanceof Error) {
    io.warn(`the command could not be started (${ending.code}); nothing was recorded`);
    return ending.code === "ENOENT" ? 127 : 126;
  }
  const range = { time, endTime: new Date().toISOString() };
  try {
    const id = await record(client, { ...spec, ...range, ...outcomeOf(ending, spec, values) });
    io.warn(`recorded annotation ${id}`);
  } catch (failure) {
    io.warn(`the annotation was not recorded: ${(failure as Error).message}`);
    if (ending === 0 && values.required === true) return 2;
  }
  return ending;
}

/** The command's arguments are not told: they can hold secrets. */
function outcomeOf(ending: Ending, spec: AnnotationSpec, values: Values): AnnotationSpec {
  if (ending === 0) return {};
  const how = typeof ending === "number" ? `Failed with exit code ${ending}` : `Ended by ${ending}`;
  const own = textOf(values, "description") !== undefined;
  const description = own
    ? spec.description
    : shorten([how, spec.description].filter(Boolean).join("\n"), annotationLengths.description);
  return { type: `${spec.type}-failed`, ...defined({ description: description || undefined }) };
}

async function record(client: EventDatasets, spec: AnnotationSpec): Promise<string> {
  try {
    return (await client.annotations.create(spec)).id;
  } catch (e) {
    if (!isApiError(e) || e.outcome !== "unknown") throw e;
    throw new Error(`${e.message}. The annotation may exist; it was not sent again.`, { cause: e });
  }
}

/** @throws Error that names every unusable option */
function specOf(values: Values, client: EventDatasets, made: Description): AnnotationSpec {
  const datasets = Array.isArray(values.dataset) ? values.dataset.map(String) : [];
  const given = annotationKeys.map((key) => [key, textOf(values, optionOf(key))] as const);
  const own = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const spec: AnnotationSpec = { ...made, ...own, datasets };
  const failures = checkAnnotation({ ...spec }, client);
  if (failures.length > 0) {
    const reasons = failures.map(({ property, reason }) => `--${optionOf(property)} ${reason}`);
    throw new Error(`${reasons.join("; ")}: see "event-datasets annotate --help"`);
  }
  const { time, endTime, ...rest } = spec;
  return { ...rest, ...inUtc("time", time), ...inUtc("endTime", endTime) };
}

const inUtc = (key: "time" | "endTime", instant: string | undefined): AnnotationSpec =>
  instant === undefined ? {} : { [key]: canonicalInstant(instant) ?? instant };

const optionOf = (key: string): string => ({ datasets: "dataset", endTime: "end-time" })[key] ?? key;
