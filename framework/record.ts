import { namesWhere, type Property, type ResourceDefinition } from "./definition";
import { type Hints, isSecretInput } from "./identity";
import type { Bag } from "./lifecycle";
import { withoutProvider } from "./package";

/** The encrypted member of a state: the part of the record that derives from secret inputs. */
export const secretRecord = "secretRecord";

/** Properties, and the names of those that the engine must encrypt. */
export interface Split {
  readonly values: Bag;
  readonly secrets: readonly string[];
}

/** A state as it is stored. The definition's table alone says which member of its record derives from which input. */
export function split({ properties }: ResourceDefinition, state: Bag): Split {
  const hints = state as Partial<Hints>;
  const derived = (from: readonly string[] | undefined) => isSecretInput(hints, ...(from ?? []));
  const secrets = Object.keys(state).filter((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isAlwaysSecret(property, state[name]) || derived(property?.derivesFrom) || isSecretInput(hints, name);
  });
  const { record, [secretRecord]: _, ...rest } = state;
  if (typeof record !== "object" || record === null) return { values: state, secrets };
  const { members = {} } = properties.record ?? {};
  const parts = Object.entries(record);
  const hidden = parts.filter(([name]) => derived(Object.hasOwn(members, name) ? members[name] : undefined));
  if (hidden.length === 0) return { values: { ...rest, record }, secrets };
  const open = parts.filter((part) => !hidden.includes(part));
  return {
    values: { ...rest, record: Object.fromEntries(open), [secretRecord]: Object.fromEntries(hidden) },
    secrets: [...secrets, secretRecord],
  };
}

/** Whether a value is secret even if the program declares it in plain text. */
export const isAlwaysSecret = (property: Property | undefined, value: unknown): boolean =>
  property?.secret === true || hasMember(value, property?.secretWith);

const hasMember = (value: unknown, name: string | undefined): boolean =>
  name !== undefined && typeof value === "object" && value !== null && (value as Bag)[name] !== undefined;

/** A stored state as lifecycles know it: its record in one piece, without what only the engine or one form needs. */
export function join(definition: ResourceDefinition, stored: Bag): Bag {
  const derived = namesWhere(definition, ({ kind }) => kind === "derived");
  const own = Object.entries(withoutProvider(stored)).filter(([name]) => !derived.includes(name));
  const { [secretRecord]: hidden, ...rest } = Object.fromEntries(own);
  const { otherwise } = definition.properties.record ?? {};
  const isForeign = Object.keys(rest).length > 0 && rest.record === undefined && hidden === undefined;
  if (isForeign) return { ...rest, ...(otherwise ? { record: otherwise } : {}) };
  return typeof hidden === "object" && hidden !== null
    ? { ...rest, record: { ...(rest.record as object | undefined), ...hidden } }
    : rest;
}
