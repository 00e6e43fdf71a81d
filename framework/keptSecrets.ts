import { asJson, isSame } from "./compare";
import type { ResourceDefinition } from "./definition";
import { secretCandidates, secretsOfAll } from "./identity";
import type { Bag } from "./lifecycle";

/** Whether a hint is not to be kept for the present values: the program declares them, in plain text as far as the form can tell. */
export type IsPlain = (hint: string, present: Candidates) => boolean;

/**
 * Adds the hints of earlier secrets that the inputs still hold. The program's own hints do not name them: the option
 * `ignoreChanges` copies a value that the program declares otherwise or no longer, and `check` keeps a generated name.
 */
export function keepSecrets<Inputs extends Bag>(
  definition: ResourceDefinition,
  olds: Bag | undefined,
  inputs: Inputs,
  isPlain: IsPlain = () => false,
  more: readonly unknown[] = [],
): Inputs {
  const { secretInputs: before = [] } = secretsOfAll(olds ?? {});
  if (before.length === 0) return inputs;
  const recorded = before.flatMap((hint) => more.map((value): [string, unknown] => [hint, value]));
  const earlier = [...candidatesOf(definition, olds ?? {}), ...recorded];
  const present = candidatesOf(definition, inputs);
  const isKept = (hint: string): boolean => !isPlain(hint, present) && sharesHint(hint, earlier, present);
  return { ...inputs, ...secretsOfAll(inputs, { secretInputs: before.filter(isKept) }) };
}

/**
 * A state after an update in place, with the hints of earlier secrets that it holds and the inputs do not: a lifecycle can keep a
 * value that is not declared any more. Of what the inputs hold, their own hints say whether it is secret.
 */
export function keepStateSecrets(definition: ResourceDefinition, before: Bag, inputs: Bag, after: Bag): Bag {
  const isDeclared: IsPlain = (hint, present) => sharesHint(hint, candidatesOf(definition, inputs), present);
  // A declared value can be in the record only, and come back from there.
  const members = Object.values(isContainer(before.record) ? before.record : {});
  const recorded = members.flatMap((member) => [member, ...(isContainer(member) ? Object.values(member) : [])]);
  return keepSecrets(definition, before, after, isDeclared, recorded);
}

type Candidates = ReturnType<typeof secretCandidates>;

/** Whether the values of a hint share a part. */
const sharesHint = (hint: string, some: Candidates, others: Candidates): boolean =>
  some.some(([from, one]) => from === hint && others.some(([to, other]) => to === hint && sharesPart(one, other)));

const candidatesOf = (definition: ResourceDefinition, inputs: Bag): Candidates =>
  secretCandidates(definition, inputs, () => false);

/** Whether a value, or a part of it at the same place, is the earlier one: `ignoreChanges` can name a part. */
function sharesPart(old: unknown, value: unknown): boolean {
  if (old === undefined || value === undefined) return false;
  if (isSame(asJson, old, value)) return true;
  if (!isContainer(old) || !isContainer(value)) return false;
  return Object.keys(old).some((key) => Object.hasOwn(value, key) && sharesPart(old[key], value[key]));
}

const isContainer = (value: unknown): value is Bag => typeof value === "object" && value !== null;
