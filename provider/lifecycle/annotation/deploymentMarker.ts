import { randomBytes } from "node:crypto";
import { type AnnotationSpec, type ApiError, isApiError } from "../../../sdk";
import { defined } from "../../../sdk/values/defined";
import { canonicalInstant, compareInstants } from "../../../sdk/values/instant";
import { asText, changedKeys, pick } from "../compare";
import { hasUnknown, type Lifecycle, PartialCreate, type Session, type Unchecked } from "../contract";
import { boolean, instant, nonEmptyText, nonEmptyTextList, type Rule } from "../fields";
import { checkAnnotation, describePossibleAnnotation, requestOf } from "./fields";

/** What the marker of a deployment is declared with. */
export interface DeploymentMarkerInputs extends Omit<AnnotationSpec, "time" | "endTime"> {
  readonly datasets: readonly string[];
  /** When the program started. Another one at every run, so it is never compared; the one of the marker's run is kept. */
  readonly startedAt: string;
  /** What was deployed. Only a change of it makes another marker; all else is what was true at the time. */
  readonly trigger: string;
  /** Whether a marker that cannot be recorded fails the update. */
  readonly required?: boolean;
  /** The inputs that were declared as secrets: they are shown nowhere. */
  readonly secretInputs?: readonly string[];
}

/** What is recorded of the marker of a deployment. */
export interface DeploymentMarkerState extends DeploymentMarkerInputs {
  /** The range. */
  readonly time?: string;
  readonly endTime?: string;
  /** `false`: nothing was sent, the next update sends it. `"unknown"`: it may have arrived and is never sent again. */
  readonly recorded?: boolean | "unknown";
  readonly annotationId?: string;
  readonly baseUrl?: string;
}

/** What each input beside an annotation's own fields must be. */
const rules = {
  startedAt: instant,
  trigger: nonEmptyText,
  required: boolean,
  secretInputs: nonEmptyTextList,
} as const satisfies Record<Exclude<keyof DeploymentMarkerInputs, keyof AnnotationSpec>, Rule>;

export const deploymentMarker: Lifecycle<DeploymentMarkerInputs, DeploymentMarkerState> = {
  // A marker is never edited. For what is marked already the inputs of that time stay, so that nothing looks changed when
  // another run, or another person, deploys the same commit.
  check(olds, news, plan) {
    const failures = checkAnnotation(news, plan, rules);
    const marked = olds?.trigger !== undefined && olds.trigger === news.trigger;
    const inputs: Unchecked = marked
      ? { ...withoutRequired(olds), ...pick(news, ["required"]), ...secretsOfBoth(olds, news) }
      : news;
    return { inputs: inputs as unknown as DeploymentMarkerInputs, failures };
  },

  diff(_id, state, inputs, plan) {
    const replaces = changedKeys({ trigger: asText }, state, inputs);
    const waiting = state.recorded === false;
    return {
      changes: replaces.length > 0 || waiting || hasUnknown(inputs),
      replaces,
      notice:
        waiting && plan.updating ? `${describeMarker(state)} is not recorded yet: this update sends it.` : undefined,
    };
  },

  async create(session, inputs) {
    const endTime = pickLater(inputs.startedAt, session.now().toISOString());
    const state = { ...inputs, time: inputs.startedAt, endTime, baseUrl: session.client.baseUrl };
    const sent = await send(session, state);
    if (sent.recorded === true) return { id: sent.id, state: { ...state, recorded: true, annotationId: sent.id } };
    const [id, next] = [makePlaceholder(), { ...state, recorded: sent.recorded }];
    if (inputs.required) throw failureOf(sent, id, next);
    await session.warn(`${describeMarker(state)} is not recorded. ${explainOutcome(sent)}`);
    return { id, state: next };
  },

  // A marker is history: that somebody removed it is no reason to make another, so it is not looked up in any profile.
  async read(_session, id, state) {
    if (state.baseUrl === undefined) throw new Error(`${id} is the marker of a deployment, which cannot be looked up.`);
    return { state: state as DeploymentMarkerState };
  },

  async update(session, id, state, inputs) {
    const next = { ...state, ...defined({ required: inputs.required }) };
    if (state.recorded !== false) return next;
    const sent = await send(session, state);
    const { baseUrl } = session.client;
    if (sent.recorded === true) return { ...next, baseUrl, recorded: true, annotationId: sent.id };
    const tried = { ...next, recorded: sent.recorded };
    if (inputs.required) throw failureOf(sent, id, tried);
    await session.warn(`${describeMarker(state)} is still not recorded. ${explainOutcome(sent)}`);
    return tried;
  },

  // History stays. A marker that is still waiting when the next one takes its place is sent now, or it would be lost.
  async delete(session, _id, state) {
    if (state.recorded !== false) return;
    const problem = await send(session, state).then(
      (sent) => (sent.recorded === true ? undefined : describeFailure(sent)),
      (e: Error) => e.message,
    );
    if (problem) await session.warn(`${describeMarker(state)} is forgotten now. ${problem}`);
  },
};

const withoutRequired = ({ required: _, ...rest }: Unchecked): Unchecked => rest;

/** What was secret when the inputs that stay were declared, and what is by now. */
function secretsOfBoth(...inputs: readonly Unchecked[]): Unchecked {
  const keys = inputs.flatMap(({ secretInputs }) => (Array.isArray(secretInputs) ? secretInputs : []));
  return keys.length > 0 ? { secretInputs: [...new Set(keys)].sort() } : {};
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
async function send({ client }: Session, state: DeploymentMarkerState): Promise<Sent> {
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
 * The failure of a required marker. What may have arrived is kept, or the next update would send it again; that update
 * then goes on.
 */
const failureOf = (sent: Unsent, id: string, state: DeploymentMarkerState): Error => {
  const [message, options] = [describeFailure(sent), { cause: sent.failure }];
  return sent.recorded === "unknown" ? new PartialCreate(message, id, state, options) : new Error(message, options);
};

const describeFailure = ({ recorded, failure }: Unsent): string =>
  recorded === "unknown" ? describePossibleAnnotation(failure) : `${failure.message}. The annotation was not recorded.`;

const explainOutcome = ({ recorded, failure }: Unsent): string =>
  recorded === "unknown" ? describePossibleAnnotation(failure) : `${failure.message}. The next "pulumi up" sends it.`;

const describeMarker = ({ trigger, secretInputs, time, endTime }: DeploymentMarkerState): string =>
  `the annotation of the deployment${secretInputs?.includes("trigger") ? "" : ` of ${trigger}`} (${time} to ${endTime})`;

/** The later of two instants: the clock may have been set back meanwhile. */
function pickLater(a: string, b: string): string {
  const [x, y] = [canonicalInstant(a), canonicalInstant(b)];
  return x && y && compareInstants(x, y) > 0 ? a : b;
}

/** The engine wants an id of every resource. */
const makePlaceholder = (): string => `unrecorded-${randomBytes(6).toString("hex")}`;
