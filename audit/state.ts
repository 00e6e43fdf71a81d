import type { Bag } from "../framework/lifecycle";
import { isProof } from "../framework/naming";
import { apiTokenTypes } from "../provider/nouns/apiToken/definition";
import { defined } from "../values/defined";
import { isObject } from "../values/json";
import { groupProviders } from "./account";
import type { DeclaredToken, OtherResource, PendingCreate, ResourceWithoutId, StackState } from "./declared";
import type { Declaration } from "./findings";
import { foreignToken, isBridged } from "./foreign";
import { mergeIdentities, placeOfUrn, type StackIdentity, stackOfUrn } from "./identity";
import { readRecord, withoutSecrets } from "./recordedToken";

/** Version 4 adds a list of features to version 3. Readers can ignore it. */
const versions: readonly unknown[] = [3, 4];

/**
 * Reads the tokens of a state: the output of `pulumi stack export`, or a checkpoint file of a self-managed backend. It ignores
 * unknown members, so that newer states can be read.
 *
 * @param state the parsed JSON
 * @param source name of the stack or the file
 * @param known parts that the state does not contain: an exported state does not name its organization
 * @throws Error for an invalid state, and for the state of another stack. It quotes no value of a resource
 */
export function readState(state: unknown, source: string, known: StackIdentity = {}): StackState {
  const deployment = deploymentOf(state, source);
  const resources = listOf(deployment, "resources", source);
  const creates = listOf(deployment, "pending_operations", source).flatMap(({ type, resource }) =>
    type === "creating" && isObject(resource) && isManagedToken(resource) ? [resource] : [],
  );
  const tokens = resources.filter(isManagedToken);
  for (const resource of [...tokens, ...creates]) requireShallow(resource, source);
  const providerOf = groupProviders(resources);
  const placeOf = (resource: Bag): Place => ({
    declaration: declarationOf(resource, source),
    provider: providerOf(resource),
    inputs: withoutSecrets(resource.inputs),
  });
  const withoutId = new Map<Bag, ResourceWithoutId>();
  for (const resource of resources.filter(lacksId)) {
    const isNeeded = resources.some((one) => one !== resource && namesUrn(one, resource.urn));
    withoutId.set(resource, { declaration: declarationOf(resource, source), isNeeded });
  }
  const unfinished = [...creates, ...tokens.filter(lacksId)];
  const successors = resources.filter((one) => one.delete !== true);
  return {
    identity: mergeIdentities(identityOf(state, resources), known, source),
    source,
    origin: "file",
    ...defined({ time: timeOf(deployment) }),
    tokens: tokens
      .filter((resource) => !lacksId(resource))
      .map((resource) => ({ ...placeOf(resource), ...tokenOf(resource, successors, source) })),
    pending: unfinished.map((resource) => pendingOf(placeOf(resource), withoutId.get(resource))),
    others: resources.filter(isOther).map((resource) => otherOf(resource, declarationOf(resource, source), placeOf)),
    // The id may not have been known when the state was written.
    lookups: resources
      .filter(({ type, external, id }) => isTokenType(type) && external === true && typeof id === "string" && id !== "")
      .map((resource) => ({ declaration: declarationOf(resource, source), id: String(resource.id) })),
    withoutId: [...withoutId.values()],
  };
}

/** The engine accepts a resource without an id if it is about to delete it. */
const lacksId = ({ custom, id, delete: isOld }: Bag): boolean =>
  custom === true && (id === undefined || id === "") && isOld !== true;

/** Whether a resource has the URN of another one, or depends on it. */
function namesUrn(resource: Bag, urn: unknown): boolean {
  const { parent, dependencies, propertyDependencies, deletedWith, replaceWith } = resource;
  const perProperty = Object.values((propertyDependencies ?? {}) as Bag);
  return [resource.urn, parent, deletedWith, dependencies, replaceWith, perProperty].flat(2).includes(urn);
}

/** The parts that everything of a state has. */
type Place = Pick<DeclaredToken, "declaration" | "provider" | "inputs">;

/** A checkpoint names its stack in full. The URNs of an exported state contain project and name only. */
function identityOf(state: unknown, resources: readonly Bag[]): StackIdentity {
  const checkpoint = isObject(state) && isObject(state.checkpoint) ? state.checkpoint.stack : undefined;
  const parts = typeof checkpoint === "string" ? checkpoint.split("/") : [];
  if (parts.length === 3) return { organization: parts[0], project: parts[1], stack: parts[2] };
  return resources.map(({ urn }) => placeOfUrn(urn)).find((place) => place !== undefined) ?? {};
}

/**
 * The resources of a state, as the engine wrote them: with secrets if the state was exported with them.
 * @throws Error for an invalid state
 */
export const readResources = (state: unknown, source: string): readonly Bag[] =>
  listOf(deploymentOf(state, source), "resources", source);

const timeOf = ({ manifest }: Bag): string | undefined =>
  isObject(manifest) && typeof manifest.time === "string" && !Number.isNaN(Date.parse(manifest.time))
    ? manifest.time
    : undefined;

/** Capabilities and durations are not nested deeper. Deeper values would exhaust the stack of their reader. */
const deepest = 200;

/** @throws Error that names the file, which the error of an exhausted stack does not */
function requireShallow(resource: Bag, source: string): void {
  let level: unknown[] = [resource];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) throw noState(source, `a token in it is nested more than ${deepest} levels deep`);
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
}

/** The checkpoint of a stack that was never deployed has no deployment. */
function deploymentOf(state: unknown, source: string): Bag {
  if (!isObject(state)) throw noState(source, "it is not a JSON object");
  const { version, deployment, checkpoint } = state;
  const found = isObject(checkpoint) ? (checkpoint.latest ?? {}) : deployment;
  if (!isObject(found)) throw noState(source, 'it has neither a "deployment" nor a "checkpoint"');
  if (!versions.includes(version)) throw noState(source, `only state versions ${versions.join(" and ")} are supported`);
  return found;
}

function listOf(deployment: Bag, key: string, source: string): readonly Bag[] {
  const list = deployment[key] ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) throw noState(source, `its "${key}" is not a list of objects`);
  return list;
}

/** A token that was only looked up (`ApiToken.get`) is not declared by this stack. */
const isManagedToken = ({ type, external }: Bag): boolean => isTokenType(type) && external !== true;

/** Whether this is the type of our token, in either form of the provider. */
export const isTokenType = (type: unknown): boolean => apiTokenTypes.some((one) => one === type);

function tokenOf(resource: Bag, successors: readonly Bag[], source: string): Omit<DeclaredToken, keyof Place> {
  if (typeof resource.id !== "string" || resource.id === "") throw noState(source, "a token in it has no id");
  const outputs = withoutSecrets(resource.outputs);
  const awaits = awaitedStep(resource);
  const since = awaits === "deletion" ? successors.find(({ urn }) => urn === resource.urn)?.created : undefined;
  return {
    id: resource.id,
    outputs,
    record: readRecord(outputs),
    awaits,
    ...(typeof since === "string" && !Number.isNaN(Date.parse(since)) ? { since } : {}),
    isRetained: resource.retainOnDelete === true,
  };
}

function awaitedStep(resource: Bag): DeclaredToken["awaits"] {
  if (resource.delete === true) return "deletion";
  return resource.pendingReplacement === true ? "successor" : undefined;
}

function pendingOf(place: Place, recorded: ResourceWithoutId | undefined): PendingCreate {
  const { name, key, chosenName, adopt } = place.inputs;
  return {
    ...place,
    ...defined({ recorded }),
    isNameOwn:
      typeof name === "string" &&
      typeof key === "string" &&
      isProof({ name, key, ...(chosenName === undefined ? {} : { chosenName: true }) }),
    isAdoption: adopt !== undefined && adopt !== null,
  };
}

/** A resource of another type. A lookup declares nothing, nor does a resource that only awaits its deletion. */
const isOther = ({ custom, external, delete: isOld, ...resource }: Bag): boolean =>
  custom === true &&
  external !== true &&
  isOld !== true &&
  !isTokenType(resource.type) &&
  [resource.id, resource.type].every((text) => typeof text === "string" && text !== "");

/** The engine has deleted a resource whose replacement is pending: nothing is compared with it. */
function otherOf(resource: Bag, declaration: Declaration, placeOf: (resource: Bag) => Place): OtherResource {
  const own = { declaration, type: String(resource.type), id: String(resource.id) };
  if (resource.pendingReplacement === true || !isBridged(own.type)) return own;
  const { inputs, ...place } = placeOf(resource);
  return { ...own, token: foreignToken({ ...place, id: own.id, values: inputs }) };
}

function declarationOf(resource: Bag, source: string): Declaration {
  const stack = stackOfUrn(resource.urn);
  if (stack === undefined) throw noState(source, "a token in it has no URN");
  return { stack, urn: String(resource.urn), source };
}

const noState = (source: string, reason: string): Error =>
  new Error(`${source}: not the state of a stack: ${reason}. Nothing was audited.`);
