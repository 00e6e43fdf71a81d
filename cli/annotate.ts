import { liveAnnotation } from "../provider/nouns/annotation/definition";
import { describePossibleAnnotation, judgeAnnotation, requestOf } from "../provider/nouns/annotation/fields";
import {
  type Description,
  describeDeployment,
  detectSurroundings,
  withoutCredentials,
} from "../provider/shared/deployment";
import type { AnnotationSpec, EventDatasets } from "../sdk";
import { isOutcomeUnknown } from "../sdk/errors";
import { longestText } from "../sdk/resources/annotationFields";
import { defined } from "../values/defined";
import { isAfter } from "../values/instant";
import { shorten } from "../values/shorten";
import { type Ending, runChild } from "./child";
import type { Command, Io, Values } from "./command";
import { connect } from "./connection";
import { say } from "./text";

/** Records a deployment; with a command, runs it and records when it ran. */
export const annotate: Command<"annotate"> = {
  async run(values, io, _argument, command = []) {
    await using client = connect(io);
    // Before the command runs: a deployment that could not be recorded for a mistake here should not start.
    const described = describeSurroundings(values, io);
    const hasCommand = command.length > 0;
    const time = hasCommand ? {} : { time: new Date().toISOString() };
    const spec = specOf(values, client, { ...described, ...time }, hasCommand, io);
    if (!hasCommand) {
      io.print(say`${await record(client, spec)}`);
      return 0;
    }
    if (spec.time !== undefined || spec.endTime !== undefined) {
      throw new Error("--time and --end-time cannot be used with a command: its own start and end are recorded");
    }
    return await recordCommand(client, spec, command, io, values);
  },
};

/** The texts that the CI system or git have; `--commit` replaces the commit, as for a rollback. */
function describeSurroundings(values: Values<"annotate">, io: Io): Description {
  const found = detectSurroundings(io.env, process.cwd());
  const commit = values.commit ?? found.commit;
  if (commit === undefined && values.title === undefined)
    io.warn(say`no commit was found in the variables of a CI system or with git: give --commit or --title`);
  return describeDeployment({ ...found, commit }, undefined, []);
}

/** Runs a command and records the time that it took. */
async function recordCommand(
  client: EventDatasets,
  spec: AnnotationSpec,
  command: readonly string[],
  io: Io,
  values: Values<"annotate">,
): Promise<Ending> {
  const time = new Date().toISOString();
  const ending = await runChild(command).catch((failure: NodeJS.ErrnoException) => failure);
  if (ending instanceof Error) {
    const isMissing = ending.code === "ENOENT";
    const why = isMissing ? "it was not found on PATH" : (ending.code ?? ending.message);
    io.warn(say`"${command[0] ?? ""}" could not be started (${why}); nothing was recorded`);
    return isMissing ? 127 : 126;
  }
  const range = { time, endTime: new Date().toISOString() };
  try {
    const id = await record(client, { ...spec, ...range, ...outcomeOf(ending, spec, values) });
    io.warn(say`recorded annotation ${id}`);
  } catch (failure) {
    io.warn(say`the annotation was not recorded: ${(failure as Error).message}`);
    if (ending === 0 && values.required) return 2;
  }
  return ending;
}

/** Says nothing of the command's arguments: they can hold secrets. */
function outcomeOf(ending: Ending, spec: AnnotationSpec, values: Values<"annotate">): AnnotationSpec {
  if (ending === 0) return {};
  const how = typeof ending === "number" ? `Failed with exit code ${ending}` : `Ended by ${ending}`;
  const own = values.description !== undefined;
  const description = own
    ? spec.description
    : shorten([how, spec.description].filter(Boolean).join("\n"), longestText("description"));
  return { type: typeOfFailed(spec), ...defined({ description: description || undefined }) };
}

async function record(client: EventDatasets, spec: AnnotationSpec): Promise<string> {
  try {
    return (await client.annotations.create(spec)).id;
  } catch (e) {
    if (!isOutcomeUnknown(e)) throw e;
    throw new Error(describePossibleAnnotation(e), { cause: e });
  }
}

const failed = "-failed";

const typeOfFailed = ({ type }: AnnotationSpec): string => `${type}${failed}`;

/** @throws Error that names every unusable option, also of the annotation of a command that fails */
function specOf(
  values: Values<"annotate">,
  client: EventDatasets,
  described: Description & Pick<AnnotationSpec, "time">,
  hasCommand: boolean,
  io: Io,
): AnnotationSpec {
  const names = values.dataset.flatMap((text) => text.split(","));
  const datasets = [...new Set(names.map((name) => name.trim()).filter((name) => name !== ""))];
  const texts = liveAnnotation.keys.map((key) => [key, shortenOption(values, key, hasCommand, io)] as const);
  const own = Object.fromEntries(texts.filter(([, text]) => text !== undefined));
  const spec: AnnotationSpec = { ...described, ...own, ...(datasets.length > 0 ? { datasets } : {}) };
  const found = findProblems(spec, client);
  const ofFailed = hasCommand ? findProblems({ ...spec, type: typeOfFailed(spec) }, client) : [];
  const problems = found.length > 0 ? found : ofFailed.map((problem) => `with "-failed" added, ${problem}`);
  if (problems.length > 0) throw new Error(`${problems.join("; ")}: see "pulumi-event-datasets annotate --help"`);
  return requestOf(spec);
}

/** The text of an option. One that is too long, such as the message of a commit, must not keep a deployment from its start. */
function shortenOption(
  values: Values<"annotate">,
  key: keyof AnnotationSpec,
  hasCommand: boolean,
  io: Io,
): string | undefined {
  const option = optionsOf[key];
  const given = option === "dataset" ? undefined : values[option];
  const text = key === "url" ? hideCredentials(given, io) : given;
  if (text === undefined) return text;
  const most = longestText(key);
  const room = key === "type" && hasCommand ? most - failed.length : most;
  if ([...text].length <= room) return text;
  io.warn(say`--${option} is longer than ${room} characters: it is ${key === "url" ? "left out" : "shortened"}`);
  if (key === "url") return undefined;
  return key === "type" ? text.slice(0, room) : shorten(text, room);
}

/** An annotation is for many eyes. An address in another form is judged as it is. */
function hideCredentials(address: string | undefined, io: Io): string | undefined {
  const hidden = withoutCredentials(address);
  if (address === undefined || hidden === undefined || new URL(address).href === hidden) return address;
  io.warn(say`--url has a user name or password: both are left out`);
  return hidden;
}

function findProblems(spec: AnnotationSpec, client: EventDatasets): string[] {
  if (isAfter(spec.time ?? "", spec.endTime ?? "")) return ["--end-time must not be before --time (default: now)"];
  return judgeAnnotation(spec, client).map(
    ({ property, reason }) => `--${optionsOf[property as keyof AnnotationSpec]} ${reason}`,
  );
}

/** The options of the fields of an annotation. */
const optionsOf = {
  title: "title",
  description: "description",
  type: "type",
  url: "url",
  time: "time",
  endTime: "end-time",
  datasets: "dataset",
} as const satisfies Record<keyof AnnotationSpec, keyof Values<"annotate">>;
