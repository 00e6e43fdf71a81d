import { type Description, describeDeployment, detectSurroundings } from "../provider/deployment";
import { annotationKeys, checkAnnotation } from "../provider/lifecycle/annotation/fields";
import { type AnnotationSpec, type EventDatasets, isApiError } from "../sdk";
import { canonicalInstant } from "../sdk/values/instant";
import { annotationLengths, shorten } from "../sdk/values/textLengths";
import { type Ending, runChild } from "./child";
import { type Command, type Io, textOf, type Values } from "./command";
import { connect } from "./connection";

const help = `Usage: event-datasets annotate --dataset <name>… [options] [-- <command> [arguments]]

Runs a command, such as "pulumi up --yes", and records an annotation over the time that it took: of type <type> if it
succeeded, else of type <type>-failed. The command's output, signals and exit code are passed through as they are; all
that this adds goes to standard error. Without a command it records one annotation and prints its id.

What you leave out is filled in from the CI system, or from git: commit, branch, actor, run and pull request.

Options:
  --dataset <name>      a dataset to annotate; may be repeated
  --title <text>        default: repository and commit
  --description <text>  default: commit, branch, actor, run, pull request, and how the command failed
  --type <name>         default: deploy
  --url <address>       default: the CI run, or the commit's page
  --time <instant>      without a command: when it applies, such as 2027-01-31T12:00:00Z (default: now)
  --end-time <instant>  without a command: the end of a range
  --required            exit code 2 if the command succeeded but was not recorded. Otherwise that is a warning
  --help                prints this

The connection is set by EVENT_DATASETS_BASE_URL and EVENT_DATASETS_ACCESS_TOKEN.

Exit codes: the command's; 127 if it was not found; without a command 0, or 2 if nothing was recorded.`;

/** Records a deployment that something else makes. */
export const annotate: Command = {
  help,
  takesCommand: true,
  options: {
    dataset: { type: "string", multiple: true },
    title: { type: "string" },
    description: { type: "string" },
    type: { type: "string", default: "deploy" },
    url: { type: "string" },
    time: { type: "string" },
    "end-time": { type: "string" },
    required: { type: "boolean", default: false },
  },

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
  return { type: `${spec.type}-failed`, ...(description ? { description } : {}) };
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
