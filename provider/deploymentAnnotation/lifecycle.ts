import { randomBytes } from "node:crypto";
import { asText, changedKeys, pick } from "../../framework/compare";
import type { StackContext } from "../../framework/host";
import { isSecretInput, secretsOfAll } from "../../framework/identity";
import { type Bag, PartialCreate } from "../../framework/lifecycle";
import { boolean, dropNulls, hintRules, instant, nonEmptyText, type Rule } from "../../framework/rules";
import { hasUnknown, notKnown } from "../../framework/unknown";
import { type AnnotationSpec, type ApiError, isApiError } from "../../sdk";
import { defined } from "../../values/defined";
import { isAfter } from "../../values/instant";
import type { Lifecycle, Session } from "../account/connection";
import { host } from "../account/hosted";
import { checkAnnotation, describePossibleAnnotation, requestOf } from "../annotation/fields";
import { defaultType, Runs, type Sources } from "./complete";
import { deploymentAnnotationDefinition } from "./definition";
import type { DeploymentAnnotationInputs, DeploymentAnnotationState } from "./model";

const rules = {
  startedAt: instant,
  trigger: nonEmptyText,
  required: boolean,
  ...hintRules,
} as const satisfies Record<Exclude<keyof DeploymentAnnotationInputs, keyof AnnotationSpec>, Rule>;

const hooks: Lifecycle<DeploymentAnnotationInputs, DeploymentAnnotationState> = {
  // The inputs of a recorded marker stay: another run, or another person, may deploy the same commit.
  check(olds, news, plan) {
    const failures = checkAnnotation(news, plan, rules);
    const marked = olds?.trigger !== undefined && olds.trigger === news.trigger;
    const inputs: Bag = marked
      ? { ...withoutRequired(olds), ...pick(news, ["required", "key"]), ...secretsOfAll(olds, news) }
      : news;
    return { inputs: inputs as unknown as DeploymentAnnotationInputs, failures };
  },

  diff(_id, state, inputs, plan) {
    const replaces = changedKeys({ trigger: asText }, state, inputs);
    const waiting = state.recorded === false;
    return {
      changes: replaces.length > 0 || waiting,
      replaces,
      notice:
        waiting && plan.isUpdate ? `${describeMarker(state)} is not recorded yet: this update sends it.` : undefined,
    };
  },

  async create(session, inputs) {
    const { startedAt: time } = inputs;
    const now = session.now().toISOString();
    // The clock may have been set back meanwhile.
    const endTime = isAfter(time, now) ? time : now;
    const state = { ...inputs, time, endTime, record: session.account.see() };
    const sent = await send(session, state);
    const id = sent.recorded === true ? sent.id : makePlaceholder();
    return { id, state: await recordOutcome(session, sent, id, state, "not") };
  },

  // A marker is history: that somebody removed it is no reason to make another, so it is not looked up in any profile.
  async read(_session, id, state) {
    if (state.record === undefined) throw new Error(`${id} is the marker of a deployment, which cannot be looked up.`);
    return { state: state as DeploymentAnnotationState };
  },

  async update(session, id, state, inputs) {
    const { key, required, secretInputs } = inputs;
    const { required: _, ...kept } = state;
    const next: DeploymentAnnotationState = { ...kept, key, ...defined({ required, secretInputs }) };
    if (state.recorded !== false) return next;
    requireSameAccount(session, state);
    const sent = await send(session, state);
    const record = session.account.see(state.record);
    return await recordOutcome(session, sent, id, sent.recorded === true ? { ...next, record } : next, "still not");
  },

  // History stays. A marker that is still waiting when the next one takes its place is sent now, or it would be lost.
  async delete(session, _id, state) {
    if (state.recorded !== false) return;
    const sending = async () => {
      requireSameAccount(session, state);
      return await send(session, state);
    };
    const problem = await sending().then(
      (sent) => (sent.recorded === true ? undefined : describeFailure(sent, notRecorded)),
      (e: Error) => e.message,
    );
    if (problem) await session.warn(`${describeMarker(state)} is forgotten now. ${problem}`);
  },
};

const withoutRequired = ({ required: _, ...rest }: Bag): Bag => rest;

/** @throws Error for an annotation that waits for another account, or for one that may be another */
function requireSameAccount({ account }: Session, state: DeploymentAnnotationState): void {
  if (account.isProbablySame(state.record)) return;
  throw new Error(
    [
      `${describeMarker(state)} waits to be sent to ${state.record.baseUrl}, and the present settings are those of`,
      `${account.here.baseUrl}: use the settings of its own account, or remove it from the state with "pulumi state`,
      `delete".`,
    ].join(" "),
  );
}

interface Unsent {
  readonly recorded: false | "unknown";
  readonly failure: ApiError;
}

type Sent = { readonly recorded: true; readonly id: string } | Unsent;

/**
 * Sends the annotation once.
 * @throws ApiError if the service refused it: waiting does not mend that
 */
async function send({ client }: Session, state: DeploymentAnnotationState): Promise<Sent> {
  try {
    const { id } = await client.annotations.create(requestOf(state));
    return { recorded: true, id };
  } catch (e) {
    if (!isApiError(e)) throw e;
    if (e.outcome === "unknown") return { recorded: "unknown", failure: e };
    // Too many requests is a no to the moment, not to the annotation.
    if (e.outcome === "not sent" || e.status === 429) return { recorded: false, failure: e };
    throw e;
  }
}

/**
 * The state after an attempt, with a warning if the annotation is not recorded.
 * @throws Error for a required one. One that may have arrived is kept, or the next update would send it again; that update
 *   then goes on.
 */
async function recordOutcome(
  session: Session,
  sent: Sent,
  id: string,
  state: DeploymentAnnotationState,
  not: string,
): Promise<DeploymentAnnotationState> {
  const { recorded } = sent;
  if (recorded === true) return { ...state, recorded, annotationId: sent.id };
  const next = { ...state, recorded };
  const [message, options] = [describeFailure(sent, notRecorded), { cause: sent.failure }];
  if (state.required)
    throw recorded === false ? new Error(message, options) : new PartialCreate(message, id, next, options);
  const reason = describeFailure(sent, 'The next "pulumi up" sends it.');
  await session.warn(`${describeMarker(state)} is ${not} recorded. ${reason}`);
  return next;
}

const notRecorded = "The annotation was not recorded.";

const describeFailure = ({ recorded, failure }: Unsent, consequence: string): string =>
  recorded === "unknown" ? describePossibleAnnotation(failure) : `${failure.message}. ${consequence}`;

const describeMarker = (state: DeploymentAnnotationState): string => {
  const { trigger, time, endTime } = state;
  const isSecret = isSecretInput(state, "trigger", ...deploymentAnnotationDefinition.properties.trigger.derivesFrom);
  return `the annotation of the deployment${isSecret ? "" : ` of ${trigger}`} (${time} to ${endTime})`;
};

const makePlaceholder = (): string => `unrecorded-${randomBytes(6).toString("hex")}`;

const unknownTexts = { title: notKnown, description: notKnown, url: notKnown, trigger: notKnown };

/** The engine starts the plugin with the program: the range of a deployment begins here, in the folder of the program. */
const runs = new Runs(new Date(performance.timeOrigin).toISOString());

async function complete({ commit, per, ...declared }: Bag, { project, stack, warn }: StackContext): Promise<Bag> {
  const args = { startedAt: runs.startedAt, ...dropNulls(declared) };
  // Inputs that the engine copied belong to the deployment that they were completed for.
  if ("trigger" in args) return args;
  if (hasUnknown([commit, per])) return { type: defaultType, ...unknownTexts, ...args };
  const { texts, warning } = runs.complete({ commit, per } as Sources, { project, stack });
  if (warning !== undefined) await warn(warning);
  return { type: defaultType, ...texts, ...args };
}

export const { lifecycle: deploymentAnnotation, hosted: hostedDeploymentAnnotation } = host(
  deploymentAnnotationDefinition,
  hooks,
  { create: "annotations.create", objects: "none", complete },
);
