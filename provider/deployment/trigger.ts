import type { Surroundings } from "./systems";

/** When a deployment gets an annotation of its own: once a commit, or in every run. */
export type Per = "commit" | "run";

/** The trigger where nothing says what is deployed: it never changes. */
export const onlyTrigger = "this stack";

/** What is deployed, as the text whose change makes another annotation. */
export function triggerOf({ commit, run, system }: Surroundings, per: Per, startedAt: string): string {
  const ofRun = run && `${system} run ${run.id}`;
  if (per === "run") return ofRun ?? `this stack at ${startedAt}`;
  return commit ? `commit ${commit}` : (ofRun ?? onlyTrigger);
}

/** What to tell a user of a deployment with that trigger. */
export const onlyTriggerWarning =
  "neither git nor a CI system says what is deployed, so there will be one annotation and no more: set the argument commit";
