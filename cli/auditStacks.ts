import { availableParallelism } from "node:os";
import type { StackState } from "../audit";
import { isObject } from "../sdk/values/json";
import { exportedStack, parsed, stateFile } from "./auditSources";
import { type Io, textOf, textsOf, type Values } from "./command";
import { withProgress } from "./progress";
import { runPulumi } from "./pulumi";
import { count, visible } from "./reports/text";

/** @throws Error for options that contradict each other */
export function refuseMixtures(values: Values): void {
  const all = values["all-stacks"] === true;
  if (all && textsOf(values, "stack").length > 0)
    throw new Error("--stack: is one of --all-stacks; give one of the two");
  const filter = ["project", "organization"].find((option) => textOf(values, option) !== undefined);
  if (!all && filter !== undefined) throw new Error(`--${filter}: goes with --all-stacks`);
}

/**
 * What the stacks declare that the options name. One after the other: a large state is let go of before the next is read.
 * @throws Error that says what cannot be read
 */
export async function readStacks(values: Values, io: Io): Promise<StackState[]> {
  refuseMixtures(values);
  const cwd = textOf(values, "cwd");
  const [names, files] = [textsOf(values, "stack"), textsOf(values, "state")];
  const stacks: StackState[] = [];
  for (const file of files) {
    io.warn(`reading ${visible(file)}`);
    stacks.push(await stateFile(file));
  }
  if (values["all-stacks"] === true) {
    const [project, organization] = [textOf(values, "project"), textOf(values, "organization")];
    return [...stacks, ...(await allStacks({ project, organization, cwd }, stacks, io))];
  }
  for (const name of names.length + files.length === 0 ? [undefined] : names) {
    io.warn(`exporting ${name === undefined ? "the selected stack" : `stack ${visible(name)}`}`);
    stacks.push(await exportedStack(name, cwd, io, io.progress));
  }
  return stacks;
}

/** Which stacks are wanted of those that the Pulumi CLI can see; without members all. */
interface StackFilter {
  readonly project: string | undefined;
  readonly organization: string | undefined;
  readonly cwd: string | undefined;
}

/** The engine waits for its backend most of the time. */
const atOnce = Math.max(4, 2 * availableParallelism());

/**
 * Every stack that the Pulumi CLI lists, exported several at once.
 * @param given states that were read from files: they stand for stacks that cannot be exported
 * @throws Error that says how many could not be read, once each was told with what mends it
 */
async function allStacks(filter: StackFilter, given: readonly StackState[], io: Io): Promise<StackState[]> {
  const names = await listStacks(filter, io);
  io.warn(`exporting ${count(names.length, "stack")}`);
  const known = new Set(given.map(({ stack }) => stack));
  const stacks: StackState[] = [];
  const failures: string[] = [];
  let done = 0;
  const work = names.values();
  const exportSome = async () => {
    for (const name of work) {
      try {
        stacks.push(await exportedStack(name, filter.cwd, io, undefined));
      } catch (e) {
        // Listed as "organization/project/stack".
        if (!known.has(name.split("/").slice(-2).join("/"))) failures.push((e as Error).message);
      }
      done += 1;
      io.progress?.(`exported ${done} of ${count(names.length, "stack")}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, names.length) }, exportSome));
  io.progress?.("");
  if (failures.length === 0) return stacks;
  for (const failure of failures) io.warn(failure);
  throw new Error(
    [
      `${failures.length} of ${count(names.length, "stack")} could not be read: mend them, or give`,
      "the state of each with --state (pulumi stack export --stack NAME --file FILE, or a",
      "checkpoint of the backend). Nothing was audited.",
    ].join(" "),
  );
}

async function listStacks({ project, organization, cwd }: StackFilter, io: Io): Promise<string[]> {
  const filters = [
    ...(project === undefined ? [] : [`--project=${project}`]),
    ...(organization === undefined ? [] : [`--organization=${organization}`]),
  ];
  const label = "the list of stacks";
  const listed = runPulumi(["stack", "ls", "--all", "--json", ...filters], label, cwd, io);
  const list = parsed(await withProgress("listing the stacks", io.progress, listed), label);
  const names = Array.isArray(list) ? list.map((stack) => (isObject(stack) ? stack.name : undefined)) : [];
  if (!Array.isArray(list) || !names.every((name) => typeof name === "string" && name !== "")) {
    throw new Error(`${label}: not as the Pulumi CLI prints it`);
  }
  if (names.length === 0) {
    const where = [project && `of project ${visible(project)}`, organization && `in ${visible(organization)}`];
    throw new Error(
      `the Pulumi CLI lists no stack ${where.filter(Boolean).join(" ")}: is it logged in to the backend?`,
    );
  }
  return names as string[];
}
