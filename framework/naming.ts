import { createHash, randomBytes } from "node:crypto";
import { type Hints, logicalNameOf } from "./identity";
import type { Bag, Plan } from "./lifecycle";
import type { Choice } from "./shapes";

type Naming = Pick<Plan, "seed" | "autonaming">;

/** The inputs of a resource whose name `check` generates unless the program chooses one. */
interface Named extends Pick<Hints, "key"> {
  readonly name: string;
  /** The name was chosen: other stacks and people may have it, so it proves nothing. */
  readonly chosenName?: Choice;
}

/** How to derive a name from the logical name of a resource, if the service does not accept every character. */
export type Form = (logicalName: string) => string;

const asItIs: Form = (logicalName) => logicalName;

/**
 * Generates a name. Its random suffix proves the object of a create that got no response. A pattern can end like one and never change,
 * such as one that ends in a stack named by a commit: a proposed name proves nothing.
 */
function generateName(
  logicalName: string,
  { seed, autonaming }: Naming,
): { name: string | undefined; chosenName?: Choice } {
  if (autonaming === "disabled") return { name: undefined };
  if (autonaming !== undefined) return { name: autonaming.proposedName, chosenName: "proposed" };
  const suffix = seed?.length ? createHash("sha256").update(seed).digest("hex") : randomBytes(4).toString("hex");
  return { name: `${logicalName}-${suffix.slice(0, 7)}` };
}

/** The logical name from which a name was generated, if it has the form of a generated name. */
export const generatedFrom = (name: string): string | undefined => /^(.*)-[0-9a-f]{7}$/s.exec(name)?.[1];

/** Whether a name was generated for this create, so that it proves who owns the object. */
export const isProof = ({ name, chosenName, key }: Named, form = asItIs): boolean =>
  chosenName === undefined && generatedFrom(name) === form(logicalNameOf(key));

/**
 * Whether an alias gave the resource a key that differs from the recorded one. The state of a hand-written provider has no key.
 */
export const isRenamed = ({ key }: Partial<Hints>, inputs: Hints): boolean => key !== undefined && key !== inputs.key;

/**
 * The `name` of an object, and who chose it. Later updates keep a generated or proposed name.
 * @param isTaken whether the resource takes an existing object over, which has a name of its own
 */
export function resolveName(
  olds: Bag | undefined,
  news: Bag,
  plan: Naming,
  isTaken: boolean,
  form = asItIs,
): { name?: unknown; chosenName?: Choice } {
  const generated = olds?.chosenName === true ? undefined : olds?.name;
  // The option `ignoreChanges` copies the earlier name into the new inputs: it is still a generated name.
  const isGenerated = !isTaken && (news.name ?? generated) === generated;
  if (isGenerated && generated === undefined) return generateName(form(logicalNameOf(String(news.key))), plan);
  if (isGenerated) return { name: generated, ...(olds?.chosenName === "proposed" && { chosenName: "proposed" }) };
  return news.name === undefined ? {} : { name: news.name, chosenName: true };
}
