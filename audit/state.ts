import { apiTokenTypes } from "../provider/dynamic/strings";
import { unknown } from "../provider/lifecycle/contract";
import { logicalNameOf } from "../provider/lifecycle/token/names";
import { defined } from "../sdk/values/defined";
import { isObject } from "../sdk/values/json";
import type { Declaration } from "./findings";

type Bag = Readonly<Record<string, unknown>>;

/** What a state says of one token. A value that is encrypted, however deep it lies, is the `unknown` of the lifecycles. */
export interface DeclaredToken {
  readonly declaration: Declaration;
  readonly id: string;
  readonly inputs: Bag;
  readonly outputs: Bag;
  /** It was replaced, and the next update deletes it. */
  readonly awaitsDeletion: boolean;
}

/** A create that the engine began and of which it never learned the end. */
export interface PendingCreate {
  readonly declaration: Declaration;
  readonly inputs: Bag;
  /** Its name was generated, so no other create gave it to a token. One that a program chose can be anybody's. */
  readonly isNameOwn: boolean;
  /** It was to take over a live token: it made none. */
  readonly isAdoption: boolean;
}

/** What one stack says. */
export interface StackState {
  /** Project and stack, as `web/prod`; absent for a stack without resources. */
  readonly stack?: string;
  readonly source: string;
  readonly tokens: readonly DeclaredToken[];
  readonly pending: readonly PendingCreate[];
}

/** Marks an encrypted value, or another one that is no plain JSON, in the engine's states. */
const signature = "4dabf18193072939515e22adb298388d";

/** Version 4 is version 3 and a list of features that must be known to deploy, not to read. */
const versions: readonly unknown[] = [3, 4];

/**
 * The tokens of a state: of what `pulumi stack export` prints, or of a checkpoint file of a self-managed backend. Reads
 * what it knows and ignores the rest, so that newer states can be read.
 *
 * @param state the parsed JSON
 * @param source what to call it: the stack's or the file's name
 * @throws Error if this is no state. It quotes nothing of it
 */
export function readState(state: unknown, source: string): StackState {
  const resources = listOf(deploymentOf(state, source), "resources", source);
  const operations = listOf(deploymentOf(state, source), "pending_operations", source);
  return {
    ...defined({ stack: resources.map(stackOf).find((stack) => stack !== undefined) }),
    source,
    tokens: resources.filter(isManagedToken).map((resource) => tokenOf(resource, source)),
    pending: operations
      .filter(({ type }) => type === "creating")
      .map(({ resource }) => resource)
      .filter((resource) => isObject(resource) && isManagedToken(resource))
      .map((resource) => pendingOf(resource as Bag, source)),
  };
}

interface ReplacedRecord {
  readonly id: string;
  /** Its secret never arrived. */
  readonly isLost: boolean;
  readonly allowed: Bag;
}

/**
 * The tokens that one replaced, as it recorded them when it was created, and what each was allowed. A name that looks like
 * one proves nothing. Whatever of the record is encrypted or of another shape allows nothing.
 */
export function* replacedTokens({ outputs }: DeclaredToken): Generator<ReplacedRecord> {
  if (!Array.isArray(outputs.replaced)) return;
  // What was declared as a secret is left out of the record: that it is not there does not say that there was none.
  const secret = Array.isArray(outputs.secretInputs)
    ? outputs.secretInputs.map((field) => [String(field), unknown])
    : [];
  const hidden = Object.fromEntries(secret);
  for (const record of outputs.replaced) {
    if (!isObject(record) || typeof record.id !== "string" || record.id === "") continue;
    const { id, lost, ...allowed } = record;
    yield { id, isLost: lost === true, allowed: { ...hidden, ...allowed } };
  }
}

/** A stack that was never deployed has no deployment in its checkpoint yet. */
function deploymentOf(state: unknown, source: string): Bag {
  if (!isObject(state)) throw noState(source, "it is not a JSON object");
  const { version, deployment, checkpoint } = state;
  const found = isObject(checkpoint) ? (checkpoint.latest ?? {}) : deployment;
  if (!isObject(found)) throw noState(source, 'it has neither a "deployment" nor a "checkpoint"');
  if (!versions.includes(version)) throw noState(source, `only versions ${versions.join(" and ")} of states are known`);
  return found;
}

function listOf(deployment: Bag, key: string, source: string): readonly Bag[] {
  const list = deployment[key] ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) throw noState(source, `its "${key}" is not a list of objects`);
  return list;
}

/** A token that was only looked up (`ApiToken.get`) is declared elsewhere, or nowhere. */
const isManagedToken = ({ type, external }: Bag): boolean =>
  apiTokenTypes.some((one) => one === type) && external !== true;

function tokenOf(resource: Bag, source: string): DeclaredToken {
  if (typeof resource.id !== "string" || resource.id === "") throw noState(source, "a token in it has no id");
  return {
    declaration: declarationOf(resource, source),
    id: resource.id,
    inputs: withoutSecrets(resource.inputs),
    outputs: withoutSecrets(resource.outputs),
    awaitsDeletion: resource.delete === true,
  };
}

function pendingOf(resource: Bag, source: string): PendingCreate {
  const inputs = withoutSecrets(resource.inputs);
  const { name, autoName, adopt } = inputs;
  return {
    declaration: declarationOf(resource, source),
    inputs,
    isNameOwn: typeof name === "string" && logicalNameOf(name) !== undefined && logicalNameOf(name) === autoName,
    isAdoption: adopt !== undefined && adopt !== null,
  };
}

function declarationOf(resource: Bag, source: string): Declaration {
  const stack = stackOf(resource);
  if (stack === undefined) throw noState(source, "a token in it has no URN");
  return { stack, urn: String(resource.urn), source };
}

/** Project and stack of a resource. */
const stackOf = ({ urn }: Bag): string | undefined => (typeof urn === "string" ? stackOfUrn(urn) : undefined);

/** Project and stack, as `web/prod`; undefined for what is not a URN. */
export function stackOfUrn(urn: string): string | undefined {
  const [, stack, project] = /^urn:pulumi:(.*?)::(.*?)::/.exec(urn) ?? [];
  return stack === undefined ? undefined : `${project}/${stack}`;
}

/** The members that matter here: all but the secret and the stored provider. */
function withoutSecrets(properties: unknown): Bag {
  if (!isObject(properties)) return {};
  const { token: _, __provider, ...rest } = properties;
  return readable(rest) as Bag;
}

/** A copy in which every encrypted part is unknown, and the others can be read. */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, signature)) return unknown;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, readable(member)]));
}

const noState = (source: string, reason: string): Error =>
  new Error(`${source}: not the state of a stack: ${reason}. Nothing was audited.`);
