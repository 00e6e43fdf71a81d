import { availableParallelism } from "node:os";
import type { StackState } from "../audit";
import { isObject } from "../sdk/values/json";
import { exportedStack, parsed } from "./auditSources";
import type { Io } from "./command";
import { runPulumi } from "./pulumi";
import { count, visible } from "./reports/text";

/** Which stacks are wanted of those that the Pulumi CLI can see; without members all. */
export interface StackFilter {
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
export async function allStacks(filter: StackFilter, given: readonly StackState[], io: Io): Promise<StackState[]> {
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
        stacks.push(await exportedStack(name, filter.cwd, io));
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
    `${failures.length} of ${count(names.length, "stack")} could not be read: mend them, or give the state of each with --state (pulumi stack export --stack NAME --file FILE, or a checkpoint of the backend). Nothing was audited.`,
  );
}

async function listStacks({ project, organization, cwd }: StackFilter, io: Io): Promise<string[]> {
  const filters = [
    ...(project === undefined ? [] : [`--project=${project}`]),
    ...(organization === undefined ? [] : [`--organization=${organization}`]),
  ];
  const label = "the list of stacks";
  const list = parsed(await runPulumi(["stack", "ls", "--all", "--json", ...filters], label, cwd, io), label);
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
