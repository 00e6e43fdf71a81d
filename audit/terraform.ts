import type { Bag } from "../framework/lifecycle";
import { notKnown } from "../framework/unknown";
import { defined } from "../values/defined";
import { isObject } from "../values/json";
import type { OtherResource, StackState } from "./declared";
import { foreignToken } from "./others";

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
 * Reads the tokens of a state of Terraform or OpenTofu: a state file (version 4), or the output of `show -json`. No secret is read.
 * @param source the file
 * @throws Error for every other file, which says what it is. It quotes nothing of the file
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
  throw unreadable(source, "neither a state of version 4 nor the output of show -json");
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
  new Error(`${source}: not a readable state of Terraform: ${reason}`);
