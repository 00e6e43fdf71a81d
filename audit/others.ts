import type { Bag } from "../framework/lifecycle";
import { hasUnknown, notKnown } from "../framework/unknown";
import { orgCapabilityKeys } from "../sdk";
import { isObject } from "../values/json";
import type { DeclaredToken } from "./declared";
import { readRecord } from "./recordedToken";

/** Whether this is the token of the bridged Terraform provider. */
export const isBridged = (type: string): boolean => /^axiom:index(\/\w+)?:Token$/.test(type);

/** A token that another tool declares, by the names of that tool. */
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
