import { readGit } from "./git";
import { type Environment, readSystem, type Surroundings } from "./systems";

export { type Description, describeDeployment } from "./describe";
export type { Environment, Surroundings } from "./systems";

/** Where a deployment runs: what the CI system says, completed by the checkout; the checkout alone outside CI. */
export function detectSurroundings(env: Environment, folder: string): Surroundings {
  const found = readSystem(env);
  if (!found) return readGit(folder);
  const commit = isCommit(found.commit) ? found.commit : undefined;
  if (commit && found.branch && found.repository) return found;
  const checkout = readGit(folder);
  return {
    ...found,
    commit: commit ?? checkout.commit,
    branch: found.branch ?? checkout.branch,
    repository: found.repository ?? checkout.repository,
  };
}

/** Some systems put a symbolic name such as HEAD in the commit's place. */
const isCommit = (text: string | undefined): boolean => text !== undefined && /^[0-9a-f]{7,64}$/i.test(text);

/** When a deployment gets an annotation of its own: once a commit, or in every run. */
export type Per = "commit" | "run";

/** The trigger where nothing says what is deployed: it never changes. */
export const onlyTrigger = "this stack";

/** The text whose change creates another annotation. */
export function triggerOf({ commit, run, system }: Surroundings, per: Per, startedAt: string): string {
  const ofRun = run && `${system} run ${run.id}`;
  if (per === "run") return ofRun ?? `this stack at ${startedAt}`;
  return commit ? `commit ${commit}` : (ofRun ?? onlyTrigger);
}

/** The warning for that trigger. */
export const onlyTriggerWarning =
  "neither git nor a CI system says what is deployed, so there will be one annotation and no more: set the argument commit";
