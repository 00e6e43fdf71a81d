import { randomBytes } from "node:crypto";
import { pick } from "../../framework/compare";
import { host } from "../../framework/host";
import { isSecretInput, secretsOfAll } from "../../framework/identity";
import { type Bag, PartialCreate, type StackContext } from "../../framework/lifecycle";
import { dropNulls } from "../../framework/shapes";
import { hasUnknown, notKnown } from "../../framework/unknown";
import { isApiError } from "../../sdk";
import { defined } from "../../values/defined";
import { isAfter } from "../../values/instant";
import type { Planning, Service } from "../account/connection";
import { checkAnnotation, describePossibleAnnotation, requestOf } from "../annotation/fields";
import { defaultType, Runs, type Sources } from "./complete";
import {
  type DeploymentAnnotationInputs,
  type DeploymentAnnotationState,
  deploymentAnnotationDefinition,
} from "./definition";

/** The engine starts this process with the update: the range of a deployment begins here. */
const runs = new Runs(new Date(performance.timeOrigin).toISOString());

export const hostedDeploymentAnnotation = host<
  DeploymentAnnotationInputs,
  DeploymentAnnotationState,
  Planning,
  Service,
  unknown
>(deploymentAnnotationDefinition, {
  complete,

  // The inputs of a recorded annotation stay: another run, or another person, may deploy the same commit.
  check(olds, news, plan) {
    const failures = checkAnnotation(news, plan);
    const marked = olds?.trigger !== undefined && olds.trigger === news.trigger;
    const inputs: Bag = marked
      ? { ...withoutRequired(olds), ...pick(news, ["required", "key"]), ...secretsOfAll(olds, news) }
      : news;
    return { inputs: inputs as unknown as DeploymentAnnotationInputs, failures };
  },

  /** Sends the annotation once. One that was not recorded is over, unless it is required: the deployment went on. */
  async create({ client, warn, now }, inputs) {
    const time = inputs.startedAt ?? runs.startedAt;
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
      // One that may exist is kept, or the next update would send it again.
      if (inputs.required && isPossible) throw new PartialCreate(message, id, next, { cause: e });
      if (inputs.required) throw new Error(message, { cause: e });
      await warn(`${describeDeployment(state)} is not recorded, and will not be sent again. ${message}`);
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

const withoutRequired = ({ required: _, ...rest }: Bag): Bag => rest;

const describeDeployment = (state: DeploymentAnnotationState): string => {
  const isSecret = isSecretInput(state, "trigger", "commit", "per");
  return `the annotation of the deployment${isSecret ? "" : ` of ${state.trigger}`} (${state.time} to ${state.endTime})`;
};

const unknownTexts = { title: notKnown, description: notKnown, url: notKnown, trigger: notKnown };

async function complete({ commit, per, ...declared }: Bag, { project, stack, warn }: StackContext): Promise<Bag> {
  const args = dropNulls(declared);
  // Inputs that the engine copied belong to the deployment that they were completed for.
  if ("trigger" in args) return args;
  if (hasUnknown([commit, per])) return { type: defaultType, ...unknownTexts, ...args };
  const { texts, warning } = runs.complete({ commit, per } as Sources, { project, stack });
  if (warning !== undefined) await warn(warning);
  return { type: defaultType, ...texts, ...args };
}
