import { defined } from "../../values/defined";
import { isMarkedSecret, unknownText } from "../engineValues";
import type { Bag } from "../lifecycle";
import { providerKey } from "../package";
import { deleteDependents, deleteObject } from "./deletions";
import { type About, type Difference, PartialFailure, type Process, replacedByOption } from "./process";
import { type Declared, namesIn, type Options, resolve, secret } from "./program";
import type { Run } from "./run";
import type { Recorded } from "./state";

/** A resource of the program, as the engine has it before its step. */
interface Goal extends Pick<Recorded, "name" | "type" | "options" | "dependencies" | "sources"> {
  readonly process: Process;
  readonly about: About;
  /** As the program declares them. */
  readonly inputs: Bag;
  readonly old: Recorded | undefined;
}

/** Registers the resources of a program, each after the one before it. */
export async function registerAll(run: Run): Promise<void> {
  for (const [name, declared] of Object.entries(run.program)) await register(run, name, declared);
}

async function register(run: Run, name: string, declared: Declared): Promise<void> {
  const { options = {}, type } = declared;
  const { alias = "" } = options;
  const dependencies = namesIn(declared);
  for (const other of dependencies)
    if (!Object.keys(run.program).includes(other))
      throw new Error(`${name} depends on ${other}, which is not declared`);
  const old = run.state.find(name) ?? (Object.hasOwn(run.program, alias) ? undefined : run.state.find(alias));
  run.declared.add(name);
  if (old) run.declared.add(old.name);
  if (dependencies.some((other) => run.skipped.has(other))) return void run.skipped.add(name);
  const resolved = resolveInputs(run, declared);
  if (!run.isSelected(name)) return keepUnselected(run, name, old, resolved.inputs);
  const { process, about } = await run.about(name, type, options.provider);
  const goal = { name, type, options, dependencies, process, about, old, ...resolved };
  const inputs = process.declare(about, goal.inputs, options);
  await step(run, { ...goal, inputs });
}

/** The state of a resource that the command does not select stays, its name and options too. A new one is not created. */
function keepUnselected(run: Run, name: string, old: Recorded | undefined, inputs: Bag): void {
  run.outputs.set(name, old ? { ...old.outputs, id: old.id } : inputs);
  if (old) run.state.register(old, old);
  else run.uncreated.add(name);
}

function resolveInputs(run: Run, { args = {} }: Declared) {
  const find = (name: string, property: string) => {
    const outputs = run.outputs.get(name);
    return outputs?.[property] ?? (run.isPreview ? unknownText : undefined);
  };
  const resolved = Object.entries(args).map(([key, value]) => [key, resolve(value, find)] as const);
  const inputs = resolved.filter(([, { value }]) => value !== undefined).map(([key, { value }]) => [key, value]);
  return {
    inputs: Object.fromEntries(inputs) as Bag,
    sources: Object.fromEntries(resolved.map(([key, { names }]) => [key, names])),
  };
}

/** The decision of the engine about one resource (`continueStepsFromImport` and `continueStepsFromDiff`, 3.276). */
async function step(run: Run, goal: Goal): Promise<void> {
  const { name, old } = goal;
  const isRecreated = run.deleted.has(name);
  const isForced = run.command.replace?.includes(name) === true;
  const checked = await check(run, goal, isRecreated || isForced ? undefined : old);
  const inputs = defined(run.command.remediate?.(name, checked) ?? checked);
  // With `--exclude` engine 3.276 goes on, and breaks the state.
  const missing = goal.dependencies.find((other) => run.uncreated.has(other));
  const requireDependencies = () => {
    if (missing !== undefined) run.stop(`${name} depends on ${missing}, which the command does not create`);
  };
  if (!old || isRecreated) {
    requireDependencies();
    return create(run, goal, inputs, old);
  }
  const difference = isForced ? forced : await compare(run, goal, old, inputs);
  const isChanged = difference.changes || old.isMissing === true;
  if (isChanged && (difference.replaces.length > 0 || old.isMissing)) {
    const news = isForced ? inputs : await check(run, goal, undefined);
    requireDependencies();
    return replace(run, goal, old, news);
  }
  requireDependencies();
  if (isChanged || old.initErrors) return update(run, goal, old, inputs);
  keep(run, { ...recordOf(goal, inputs), id: old.id, outputs: old.outputs }, old);
}

const forced: Difference = { changes: true, replaces: ["id"], changed: [] };

/** @param old absent: it is created anew, from the inputs of the program alone */
async function check(run: Run, { name, process, about, inputs, options }: Goal, old: Recorded | undefined) {
  const news = old ? withIgnored(inputs, old.inputs, options) : inputs;
  const call = { hook: "check", name } as const;
  const checked = await run.call(call, () => process.check(about, old?.inputs, news)).catch(run.end);
  if (checked.reasons.length > 0) run.stop(checked.reasons.join("; "));
  return checked.inputs;
}

async function compare(run: Run, { name, process, about, options }: Goal, old: Recorded, inputs: Bag) {
  const found = await run.diff(name, old.id, () => process.diff(about, old, inputs)).catch(run.end);
  if (!found.changes && !old.initErrors) return found;
  return { ...found, replaces: [...new Set([...found.replaces, ...replacedByOption(found, options)])] };
}

/** `ignoreChanges`, of whole inputs. */
function withIgnored(inputs: Bag, olds: Bag, { ignoreChanges = [] }: Options): Bag {
  const isIgnored = (key: string) =>
    ignoreChanges.includes(key) || (ignoreChanges.includes("*") && key !== providerKey);
  const kept = Object.entries(inputs).filter(([key]) => !isIgnored(key));
  return Object.fromEntries([...kept, ...Object.entries(olds).filter(([key]) => isIgnored(key))]);
}

const recordOf = ({ name, type, options, dependencies, sources }: Goal, inputs: Bag) => ({
  name,
  type,
  options,
  dependencies,
  sources,
  inputs,
});

/** Records an object that the program gets the outputs of. */
function keep(run: Run, next: Recorded, instead?: Recorded): void {
  run.state.register(next, instead);
  if (instead && instead.name !== next.name) run.renamed.set(instead.name, next.name);
  run.outputs.set(next.name, { ...next.outputs, ...(next.id !== "" && { id: next.id }) });
}

/** @param missing an object that was deleted already, and that this one replaces */
async function create(run: Run, goal: Goal, inputs: Bag, missing?: Recorded, replaced?: Recorded): Promise<void> {
  const { name, process, about } = goal;
  const record = (id: string, outputs: Bag, more: Partial<Recorded> = {}) => {
    // Of several objects of one resource the last one stands for it.
    if (replaced) run.state.change(replaced, { ...replaced, isPending: true });
    keep(run, { ...recordOf(goal, inputs), id, outputs: markLeaked(inputs, outputs), ...more }, missing);
    if (replaced && replaced.name !== name) run.renamed.set(replaced.name, name);
  };
  try {
    const operation = { hook: "create", name, inputs } as const;
    const { id, outputs } = await run.operate(operation, undefined, async (partial) => {
      if (!partial) return process.create(about, inputs, run.isPreview);
      const { id, outputs } = partial;
      return { id, outputs: await process.update(about, { id, inputs, outputs }, inputs, run.isPreview) };
    });
    record(id, outputs);
  } catch (failure) {
    if (failure instanceof PartialFailure)
      record(failure.id, failure.outputs, { initErrors: [failure.message], inputs: failure.inputs ?? inputs });
    run.skipped.add(name);
    run.fail(failure, replaced ?? missing);
  }
}

async function update(run: Run, goal: Goal, old: Recorded, inputs: Bag): Promise<void> {
  const { name, process, about } = goal;
  const record = (outputs: Bag, more: Partial<Recorded> = {}) =>
    keep(run, { ...recordOf(goal, inputs), id: old.id, outputs: markLeaked(inputs, outputs), ...more }, old);
  try {
    const operation = { hook: "update", name, inputs } as const;
    record(await run.operate(operation, old.id, () => process.update(about, old, inputs, run.isPreview)));
  } catch (failure) {
    if (failure instanceof PartialFailure) record(failure.outputs, { initErrors: [failure.message] });
    run.skipped.add(name);
    run.fail(failure, old);
  }
}

async function replace(run: Run, goal: Goal, old: Recorded, inputs: Bag): Promise<void> {
  if (!goal.options.deleteBeforeReplace) {
    if (old.isMissing) return create(run, goal, inputs, old);
    return create(run, goal, inputs, undefined, old);
  }
  let missing = old;
  try {
    await deleteDependents(run, old.name);
    if (!old.isMissing) missing = await deleteObject(run, old, "for a replacement");
  } catch (failure) {
    run.skipped.add(goal.name);
    return run.fail(failure, old);
  }
  await create(run, goal, inputs, missing);
}

/** A secret input is a secret among the outputs, too. */
const markLeaked = (inputs: Bag, outputs: Bag): Bag =>
  Object.fromEntries(
    Object.entries(outputs).map(([key, value]) => {
      const isLeaked = isMarkedSecret(inputs[key]) && !isMarkedSecret(value);
      return [key, isLeaked ? secret(value) : value];
    }),
  );
