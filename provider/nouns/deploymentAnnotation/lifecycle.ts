import { randomBytes } from "node:crypto";
import { pick } from "../../../framework/compare";
import { host } from "../../../framework/host";
import { isSecretInput, secretsOfAll } from "../../../framework/identity";
import { type Bag, type Checked, UncertainCreate } from "../../../framework/lifecycle";
import { hasUnknown, notKnown } from "../../../framework/unknown";
import { isApiError } from "../../../sdk";
import { defined } from "../../../values/defined";
import { isAfter } from "../../../values/instant";
import { connect, type Plan } from "../../shared/account/connection";
import { describeDeployment, detectSurroundings, type Surroundings } from "../../shared/deployment";
import { checkAnnotation, describePossibleAnnotation, requestOf } from "../annotation/fields";
import {
  type DeploymentAnnotationInputs,
  type DeploymentAnnotationState,
  deploymentAnnotationDefinition,
  type Per,
  type Target,
} from "./definition";

/** The engine starts the plugin with the update: the range of a deployment begins here, unless the program says when it started. */
const processStart = new Date(performance.timeOrigin).toISOString();

/** Asks git, so it is looked at when needed, and then once. */
let surroundings: Surroundings | undefined;

export const hostedDeploymentAnnotation = host(connect, deploymentAnnotationDefinition, {
  check: checkDeployment,

  /**
   * Sends the annotation once. If this fails, only a required annotation is sent later, because the deployment has gone on.
   */
  async create({ client, warn, now }, inputs) {
    const time = inputs.startedAt ?? processStart;
    // The clock may have been set back meanwhile.
    const endTime = isAfter(time, now().toISOString()) ? time : now().toISOString();
    const state = { ...inputs, time, endTime };
    try {
      const { id } = await client.annotations.create(requestOf(state));
      return { id, state: { ...state, recorded: true, annotationId: id } };
    } catch (e) {
      if (!isApiError(e)) throw e;
      const isPossible = e.outcome === "unknown";
      // Too many requests is a no to the moment, not to the annotation.
      const isUnsent = e.outcome === "not sent" || e.status === 429;
      if (!isPossible && !isUnsent) throw e;
      const id = `unrecorded-${randomBytes(6).toString("hex")}`;
      const next: DeploymentAnnotationState = { ...state, recorded: isPossible ? "unknown" : false };
      const message = isPossible ? describePossibleAnnotation(e) : `${e.message}. The annotation was not recorded.`;
      // Nothing is recorded, so the next update creates it. This update sends it only once, even if a hook `onError` repeats the create.
      if (inputs.required && isPossible) throw new UncertainCreate(message, { cause: e });
      if (inputs.required) throw new Error(message, { cause: e });
      await warn(`${describeMarked(state)} is not recorded, and will not be sent again. ${message}`);
      return { id, state: next };
    }
  },

  // Nothing is read: an annotation is history, and that somebody removed it is no reason to create another.
  async update(_session, _id, state, { key, required, secretInputs }) {
    const { required: _, ...kept } = state;
    return { ...kept, key, ...defined({ required, secretInputs }) };
  },

  // History stays.
  async delete() {},
});

const describeMarked = (state: DeploymentAnnotationState): string => {
  const isSecret = isSecretInput(state, "trigger", "commit", "per");
  return `the annotation of the deployment${isSecret ? "" : ` of ${state.trigger}`} (${state.time} to ${state.endTime})`;
};

/** Completes the texts. The inputs of a recorded annotation stay: another run, or another person, may deploy the same commit. */
function checkDeployment(olds: Bag | undefined, news: Bag, plan: Plan): Checked<DeploymentAnnotationInputs> {
  const { texts, warnings } = complete(news, plan);
  const declared: Bag = { type: "deploy", ...texts, ...news };
  const isMarked = olds?.trigger !== undefined && olds.trigger === declared.trigger;
  const { required: _, ...kept } = olds ?? {};
  const inputs = isMarked ? { ...kept, ...pick(news, ["required", "key"]), ...secretsOfAll(kept, news) } : declared;
  return {
    inputs: inputs as unknown as DeploymentAnnotationInputs,
    failures: checkAnnotation(declared, plan),
    warnings,
  };
}

const unknownTexts = { title: notKnown, description: notKnown, url: notKnown, trigger: notKnown };

function complete(news: Bag, plan: Plan): { readonly texts: Bag; readonly warnings: string[] } {
  const { commit, per = "commit", startedAt, ...declared } = news as Partial<DeploymentAnnotationInputs>;
  // Inputs that the engine copied belong to the deployment that they were completed for.
  if (declared.trigger !== undefined) return { texts: {}, warnings: [] };
  if (hasUnknown([commit, per])) return { texts: unknownTexts, warnings: [] };
  surroundings ??= detectSurroundings(process.env, process.cwd());
  const at = commit ? { ...surroundings, commit } : surroundings;
  const target: Target | undefined = declared.target ?? plan.stack;
  const name = [target?.organization, target?.project, target?.stack].filter(Boolean).join("/");
  const texts = describeDeployment(at, target && `${target.project} to ${target.stack}`, [`Pulumi stack ${name}`]);
  // Without a CI run the trigger is the start, which a preview does not know.
  const isOpen = hasUnknown(startedAt) && per === "run" && at.run === undefined;
  const trigger = isOpen ? notKnown : triggerOf(at, per, startedAt ?? processStart);
  return { texts: { ...texts, trigger }, warnings: trigger === onlyTrigger ? [onlyTriggerWarning] : [] };
}

/** The trigger where nothing says what is deployed: it never changes. */
const onlyTrigger = "this stack";

/** The text whose change creates another annotation. */
function triggerOf({ commit, run, system }: Surroundings, per: Per, startedAt: string): string {
  const ofRun = run && `${system} run ${run.id}`;
  if (per === "run") return ofRun ?? `this stack at ${startedAt}`;
  return commit ? `commit ${commit}` : (ofRun ?? onlyTrigger);
}

/** The warning for that trigger. */
const onlyTriggerWarning =
  "neither git nor a CI system names a commit, so there will be only one annotation: set the argument commit";
