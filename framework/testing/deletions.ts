import { unknownText } from "../engineValues";
import { replacedByOption } from "./process";
import type { Run } from "./run";
import type { Recorded } from "./state";

/** Deletes the objects that were replaced, and those that the program does not declare: `GenerateDeletes` of the engine (3.276). */
export async function deleteRest(run: Run): Promise<void> {
  const { target, exclude } = run.command;
  const { state } = run;
  const allowed = target && state.withDependents(target);
  const kept = exclude && state.withDependencies(exclude);
  const going = state.before.filter(({ name, isPending }) => {
    const isOver = isPending || !run.declared.has(name);
    return isOver && (allowed?.has(name) ?? true) && !kept?.has(name);
  });
  const unnamed = going.find(({ name }) => target && !target.includes(name));
  if (unnamed) run.stop(`${unnamed.name} would be deleted, and is no target`);
  for (const layer of layersOf(going)) {
    const protectedOnes = new Set(run.failed.flatMap((one) => [...dependenciesOf(run, one)]));
    for (const one of layer) if (!protectedOnes.has(one)) await deleteOne(run, one);
  }
}

/** The objects that others depend on are deleted after these; those of one layer do not depend on each other. */
function layersOf(going: readonly Recorded[]): readonly (readonly Recorded[])[] {
  const layers: Recorded[][] = [];
  for (let rest = going; rest.length > 0; ) {
    const open = rest;
    const layer = open.filter((one, index) =>
      open.slice(0, index).every(({ name }) => !one.dependencies.includes(name)),
    );
    rest = open.filter((one) => !layer.includes(one));
    layers.unshift(layer.reverse());
  }
  return layers;
}

/** The objects that one whose step failed may still need, as the old state of a consumer needs the object before its replacement. */
function dependenciesOf({ state }: Run, { dependencies }: Recorded): readonly Recorded[] {
  const names = state.withDependencies(dependencies);
  const hasPresent = (name: string) => state.before.some((one) => one.name === name && !one.isPending);
  return state.before.filter(({ name, isPending }) => names.has(name) && !(isPending && hasPresent(name)));
}

async function deleteOne(run: Run, one: Recorded): Promise<void> {
  try {
    await deleteObject(run, one);
  } catch (failure) {
    run.fail(failure, one);
  }
}

/**
 * Deletes an object, and removes it from the state.
 * @param isReplaced it stays in the state without its object until its replacement is created
 */
export async function deleteObject(run: Run, one: Recorded, isReplaced?: "for a replacement"): Promise<Recorded> {
  const { name, type, options, inputs, isMissing } = one;
  if (!options.retainOnDelete && !isMissing && !run.isPreview) {
    const { process, about } = await run.about(name, type, options.provider);
    await run.operate({ hook: "delete", name, inputs }, one.id, () => process.delete(about, one));
  }
  const next = { ...one, isMissing: true };
  if (isReplaced) run.state.change(one, next);
  else run.state.remove(one);
  return next;
}

/**
 * Deletes the resources that have to be replaced along with one that is deleted first: those whose diff says so once the inputs that
 * derive from it are unknown (`calculateDependentReplacements` of the engine).
 */
export async function deleteDependents(run: Run, root: string): Promise<void> {
  const replaced = new Set([root]);
  const dependents = run.state.withDependents([root]);
  const going: Recorded[] = [];
  for (const one of run.state.before) {
    const isOpen = dependents.has(one.name) && one.name !== root && !run.declared.has(one.name);
    if (!isOpen || !(await isReplacedWith(run, one, replaced))) continue;
    replaced.add(one.name);
    going.push(one);
  }
  for (const one of going.reverse()) {
    if (one.isMissing) continue;
    run.deleted.add(one.name);
    await deleteObject(run, one, one.isPending ? undefined : "for a replacement");
  }
}

async function isReplacedWith(run: Run, one: Recorded, replaced: ReadonlySet<string>): Promise<boolean> {
  const { name, id, type, inputs, sources, options } = one;
  const isOpen = (key: string) => sources[key]?.some((source) => replaced.has(source)) === true;
  if (!Object.keys(inputs).some(isOpen)) return false;
  const open = Object.entries(inputs).map(([key, value]) => [key, isOpen(key) ? unknownText : value]);
  const { process, about } = await run.about(name, type, options.provider);
  const news = Object.fromEntries(open);
  const found = await run.diff(name, id, () => process.diff(about, one, news)).catch(run.end);
  return found.replaces.length > 0 || replacedByOption(found, options).length > 0;
}
