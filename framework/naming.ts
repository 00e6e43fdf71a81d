import { createHash, randomBytes } from "node:crypto";
import { type Hints, logicalNameOf } from "./identity";
import type { Bag, Plan } from "./lifecycle";

type Naming = Pick<Plan, "seed" | "autonaming">;

/** The inputs of a resource whose name `check` generates unless the program chooses one. */
interface Named extends Pick<Hints, "key"> {
  readonly name: string;
  /** The program chose the name: other stacks and people may have it, so it proves nothing. */
  readonly chosenName?: true;
}

/** How a name is made from the logical name of a resource, where the service does not take every text. */
export type Form = (logicalName: string) => string;

const asItIs: Form = (logicalName) => logicalName;

/** Generates a name. Its random suffix proves the object of a create that got no response. */
function generateName(logicalName: string, { seed, autonaming }: Naming): string | undefined {
  if (autonaming !== undefined) return autonaming === "disabled" ? undefined : autonaming.proposedName;
  const suffix = seed?.length ? createHash("sha256").update(seed).digest("hex") : randomBytes(4).toString("hex");
  return `${logicalName}-${suffix.slice(0, 7)}`;
}

/** The logical name that a name was generated from, if it has the form of a generated one. */
export const generatedFrom = (name: string): string | undefined => /^(.*)-[0-9a-f]{7}$/s.exec(name)?.[1];

/** Whether a name was generated for this create, so that it proves whose object it is. A proposed name may prove nothing. */
export const isProof = ({ name, chosenName, key }: Named, form = asItIs): boolean =>
  chosenName === undefined && generatedFrom(name) === form(logicalNameOf(key));

/** Whether an alias gave the resource another key than the recorded one. The state of a hand-written provider has none. */
export const isRenamed = ({ key }: Partial<Hints>, inputs: Hints): boolean => key !== undefined && key !== inputs.key;

/**
 * The `name` of an object, and whether the program chose it. A generated name stays in later updates.
 * @param isTaken whether the resource takes an existing object over, which has a name of its own
 */
export function resolveName(
  olds: Bag | undefined,
  news: Bag,
  plan: Naming,
  isTaken: boolean,
  form = asItIs,
): { name?: unknown; chosenName?: true } {
  const generated = olds?.chosenName === undefined ? olds?.name : undefined;
  // The option `ignoreChanges` copies the earlier name into the new inputs: it is still a generated name.
  const isGenerated = !isTaken && (news.name ?? generated) === generated;
  if (isGenerated) return { name: generated ?? generateName(form(logicalNameOf(String(news.key))), plan) };
  return news.name === undefined ? {} : { name: news.name, chosenName: true };
}
