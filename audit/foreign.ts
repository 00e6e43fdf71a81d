import type { Bag } from "../framework/lifecycle";
import { hasUnknown, notKnown } from "../framework/unknown";
import { orgCapabilityKeys } from "../sdk";
import { defined } from "../values/defined";
import { isObject } from "../values/json";
import type { DeclaredToken, OtherResource, StackState } from "./declared";
import { readRecord } from "./recordedToken";

/** Whether this is the token of the bridged Terraform provider. */
export const isBridged = (type: string): boolean => /^axiom:index(\/\w+)?:Token$/.test(type);

/** A token that another tool declares, with the field names of that tool. */
export function foreignToken({ id, values, ...place }: ForeignValues): DeclaredToken {
  const { inputs, unknown } = readValues(values);
  return {
    ...place,
    id,
    inputs,
    outputs: {},
    record: readRecord({}),
    awaits: undefined,
    isRetained: false,
    unknownMembers: unknown,
  };
}

interface ForeignValues extends Pick<DeclaredToken, "id" | "declaration" | "provider"> {
  readonly values: Bag;
}

const texts = ["name", "description", "expiresAt"] as const;

/** The members without a counterpart in a live token. The secret is one of them. */
const ignored: readonly string[] = ["id", "token", "rotationGracePeriod"];

/** The lists of one dataset (`axiom_token`, 1.6.1). */
const datasetKeys: readonly string[] = [
  ...["data", "ingest", "query", "starredQueries", "trim", "vacuum", "virtualFields"],
];

const camelCase = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The service's name of a list. The bridge makes these names plural (pulumi/inflector 0.2.1). */
const listName = (key: string, known: readonly string[]): string => {
  const name = camelCase(key);
  return known.find((one) => [one, `${one}s`, one.replace(/y$/, "ies")].includes(name)) ?? name;
};

/** The values by the names of the service. A field with a member that is not known is not known as a whole. */
function readValues(values: Bag): { inputs: Bag; unknown: string[] } {
  const inputs: Record<string, unknown> = {};
  const unknown: string[] = [];
  const readLists = (value: unknown, known: readonly string[], path: string): unknown => {
    if (!isObject(value)) return value ?? undefined;
    const members = Object.entries(value).map(([key, list]) => [listName(key, known), list] as const);
    const strange = members.filter(([key, list]) => !known.includes(key) && !isEmpty(list));
    unknown.push(...strange.map(([key]) => `${path}.${key}`));
    return strange.length > 0 ? notKnown : Object.fromEntries(members.filter(([, list]) => !isEmpty(list)));
  };
  for (const [key, value] of Object.entries(values)) {
    const name = camelCase(key);
    if (texts.some((one) => one === name)) inputs[name] = value ?? undefined;
    else if (name === "orgCapabilities") inputs[name] = readLists(value, orgCapabilityKeys, name);
    else if (name === "datasetCapabilities") {
      const datasets = Object.entries(isObject(value) ? value : {}).map(([dataset, lists]) => [
        dataset,
        readLists(lists, datasetKeys, name),
      ]);
      inputs[name] = hasUnknown(value) ? notKnown : Object.fromEntries(datasets);
    } else if (!ignored.includes(name) && !name.startsWith("__") && !isEmpty(value)) unknown.push(name);
  }
  // A member that is not known can grant anything.
  const isOpen = unknown.some((path) => !path.includes("."));
  if (isOpen)
    Object.assign(inputs, { orgCapabilities: notKnown, datasetCapabilities: notKnown, viewCapabilities: notKnown });
  return { inputs, unknown };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** The type of a token in the Terraform provider `axiomhq/axiom`. */
const tokenType = "axiom_token";

/** A resource instance, in the form that both kinds of file have in common. */
interface Instance {
  readonly address: string;
  readonly provider: string;
  readonly values: Bag;
  /** The attributes with a sensitive part. */
  readonly sensitive: readonly string[];
  /** Terraform replaced it, and did not delete it. */
  readonly isDeposed: boolean;
}

/**
 * Reads the tokens of a Terraform or OpenTofu state: a state file (version 4), or the output of `show -json`. No secret is read.
 * @param source the file
 * @throws Error for every other file. The error says what the file is, and quotes nothing of it
 */
export function readTerraformState(state: unknown, source: string): StackState {
  const { lineage, serial } = isObject(state) ? state : {};
  return {
    identity: {},
    source,
    origin: "terraform",
    ...defined({
      lineage: typeof lineage === "string" ? lineage : undefined,
      serial: typeof serial === "number" ? serial : undefined,
    }),
    tokens: [],
    pending: [],
    lookups: [],
    withoutId: [],
    others: instancesOf(state, source).map((instance) => otherOf(instance, source)),
  };
}

function otherOf({ address, provider, values, sensitive, isDeposed }: Instance, source: string): OtherResource {
  const { id } = values;
  if (typeof id !== "string" || id === "") throw unreadable(source, `${tokenType} without an id`);
  const hidden = Object.fromEntries(sensitive.map((key) => [key, notKnown]));
  const declaration = { stack: "terraform", urn: address, source };
  const token = foreignToken({ id, declaration, provider, values: { ...values, ...hidden } });
  return { declaration, type: tokenType, id, ...(isDeposed ? {} : { token }) };
}

function instancesOf(state: unknown, source: string): Instance[] {
  if (!isObject(state)) throw unreadable(source, "not a JSON object");
  const { version, resources, values } = state;
  if (version === 4 && Array.isArray(resources)) return resources.flatMap((one) => stored(one, source));
  if (isObject(values) && isObject(values.root_module)) return shown(values.root_module, source);
  if ("encrypted_data" in state) throw unreadable(source, "OpenTofu encrypted it");
  if ("resource_changes" in state || "planned_values" in state) throw unreadable(source, "a plan");
  if ("format_version" in state) throw unreadable(source, "empty");
  throw unreadable(source, "neither a version 4 state nor the output of show -json");
}

const listOf = (value: unknown, source: string): Bag[] => {
  if (!Array.isArray(value) || !value.every(isObject)) throw unreadable(source, "damaged");
  return value;
};

const isToken = ({ mode, type }: Bag): boolean => mode === "managed" && type === tokenType;

/** A resource of a state file: `count` and `for_each` make several instances. */
function stored(resource: unknown, source: string): Instance[] {
  if (!isObject(resource)) throw unreadable(source, "damaged");
  if (!isToken(resource)) return [];
  const { module, type, name, provider, instances } = resource;
  const address = [module, type, name].filter((part) => part !== undefined).join(".");
  return listOf(instances, source).map(({ attributes, index_key: key, sensitive_attributes: paths, deposed }) => ({
    address: key === undefined ? address : `${address}[${JSON.stringify(key)}]`,
    provider: String(provider),
    values: isObject(attributes) ? attributes : {},
    // A path of steps; the first one names the attribute.
    sensitive: (Array.isArray(paths) ? paths : []).flatMap((path) =>
      Array.isArray(path) && isObject(path[0]) ? [String(path[0].value)] : [],
    ),
    isDeposed: deposed !== undefined,
  }));
}

/** A module of `show -json`, with those in it. */
function shown(module: Bag, source: string): Instance[] {
  const tokens = listOf(module.resources ?? [], source).filter(isToken);
  const inner = listOf(module.child_modules ?? [], source).flatMap((child) => shown(child, source));
  const own = tokens.map(
    ({ address, provider_name: provider, values, sensitive_values: marks, deposed_key: deposed }) => ({
      address: String(address),
      provider: String(provider),
      values: isObject(values) ? values : {},
      sensitive: Object.entries(isObject(marks) ? marks : {}).flatMap(([key, mark]) => (isMarked(mark) ? [key] : [])),
      isDeposed: deposed !== undefined,
    }),
  );
  return [...own, ...inner];
}

const isMarked = (mark: unknown): boolean =>
  mark === true || (typeof mark === "object" && mark !== null && Object.values(mark).some(isMarked));

const unreadable = (source: string, reason: string): Error =>
  new Error(`${source}: not a readable Terraform state: ${reason}`);
