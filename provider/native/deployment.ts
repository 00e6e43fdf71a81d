import { defined } from "../../sdk/values/defined";
import {
  describeDeployment,
  detectSurroundings,
  onlyTrigger,
  onlyTriggerWarning,
  type Per,
  type Surroundings,
  triggerOf,
} from "../deployment";
import { hasUnknown, unknown } from "../lifecycle/contract";
import type { Place } from "./place";
import type { Bag } from "./values";

/** The engine starts the plugin with the program: the range of a deployment begins here. */
const startedAt = new Date(performance.timeOrigin).toISOString();

/** What is wrong with the arguments that the lifecycle does not get, a sentence each. */
export const problemsOf = ({ commit, per }: Bag): string[] => [
  ...(isAbsent(commit) || hasUnknown(commit) || typeof commit === "string" ? [] : ["commit must be a string"]),
  ...(isAbsent(per) || hasUnknown(per) || per === "commit" || per === "run" ? [] : ["per must be one of commit, run"]),
];

/** What is made of `commit` and `per`, and as secret as they are. */
export const madeOfCommit = ["title", "description", "url", "trigger"] as const;

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Looked at once a process: it asks git. */
let found: Surroundings | undefined;

/**
 * The inputs of a deployment's marker. What a program leaves out is made up here, from the environment and the folder that the
 * engine started the plugin in: those of the program. A marker whose inputs the engine copied is of what it was of.
 */
export async function makeMarker({ commit, per, ...declared }: Bag, place: Place): Promise<Bag> {
  const { title, description, type, url } = declared;
  const base = { startedAt, ...declared, type: type ?? "deploy" };
  if (declared.trigger !== undefined) return base;
  if (hasUnknown([commit, per])) {
    return {
      ...base,
      title: title ?? unknown,
      description: description ?? unknown,
      url: url ?? unknown,
      trigger: unknown,
    };
  }
  found ??= detectSurroundings(process.env, process.cwd());
  const at = commit ? { ...found, commit: commit as string } : found;
  const { project, stack, warn } = place;
  const texts = describeDeployment(at, `${project} to ${stack}`, [`Pulumi stack ${project}/${stack}`]);
  const trigger = triggerOf(at, (per as Per | undefined) ?? "commit", startedAt);
  if (trigger === onlyTrigger) await warn(onlyTriggerWarning);
  const made = defined({
    title: title ?? texts.title,
    description: description ?? texts.description,
    url: url ?? texts.url,
  });
  return { ...base, ...made, trigger };
}
