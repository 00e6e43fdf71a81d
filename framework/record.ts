import { isObject } from "../values/json";
import { namesWhere, type Property, type ResourceDefinition, withoutHints } from "./definition";
import { type Hints, hasSecretInput, isSecretInput } from "./identity";
import type { Bag } from "./lifecycle";
import { withoutProvider } from "./package";

/** The encrypted member of a state: the part of the record that derives from secret inputs. */
export const secretRecord = "secretRecord";

/** Properties, and the names of those that the engine must encrypt. */
export interface Split {
  readonly values: Bag;
  readonly secrets: readonly string[];
}

/**
 * A state as it is stored. One rule: if any argument is secret, so is everything that can derive from an argument. Ids and flags
 * never are.
 */
export function split({ properties, migrations = [] }: ResourceDefinition, state: Bag): Split {
  const hints = state as Partial<Hints>;
  const secrets = Object.keys(state).filter((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isAlwaysSecret(property, state[name]) || isDerived(property, hints) || isSecretInput(hints, name);
  });
  const { record, [secretRecord]: _, ...rest } = state;
  if (!isObject(record)) return { values: state, secrets };
  const { plain = [] } = properties.record ?? {};
  const parts = Object.entries(migrations.length > 0 ? { ...record, version: migrations.length } : record);
  const isOpen = ([name]: [string, unknown]) => name === "version" || plain.includes(name);
  const hidden = hasSecretInput(hints) ? parts.filter((part) => !isOpen(part)) : [];
  const open = parts.filter((part) => !hidden.includes(part));
  const stored = [["record", open] as const, [secretRecord, hidden] as const].filter(
    ([, members]) => members.length > 0,
  );
  return {
    // The engine's work grows with the number of values: an empty record is not stored.
    values: { ...rest, ...Object.fromEntries(stored.map(([name, members]) => [name, Object.fromEntries(members)])) },
    secrets: hidden.length > 0 ? [...secrets, secretRecord] : secrets,
  };
}

function isDerived(property: Property | undefined, hints: Partial<Hints>): boolean {
  const { derives } = property ?? {};
  return typeof derives === "string" ? isSecretInput(hints, derives) : derives === true && hasSecretInput(hints);
}

/** Whether a value is secret even if the program declares it in plain text. */
export const isAlwaysSecret = (property: Property | undefined, value: unknown): boolean =>
  property?.secret === true ||
  Object.entries(property?.parts ?? {}).some(
    ([name, kind]) => kind === "secret" && isObject(value) && value[name] !== undefined,
  );

/** A stored state as lifecycles know it: its record in one piece, without what only the engine or one form needs. */
export function join(definition: ResourceDefinition, stored: Bag): Bag {
  const derived = namesWhere(definition, ({ kind }) => kind === "derived");
  const own = Object.entries(withoutProvider(stored)).filter(([name]) => !derived.includes(name));
  const { [secretRecord]: hidden, ...rest } = Object.fromEntries(own);
  if (!definition.properties.record || !isRecorded(definition, rest)) return rest;
  const record = { ...(isObject(rest.record) && rest.record), ...(isObject(hidden) && hidden) };
  return migrate(definition, { ...rest, record });
}

/** Whether a state is that of an object: for an import it is empty, and for a lookup inputs are missing that never are. */
export function isRecorded(definition: ResourceDefinition, state: Bag): boolean {
  const needed = namesWhere(definition, ({ required, always }) => required !== undefined || always === true);
  const isEmpty = Object.keys(withoutHints(definition, state)).length === 0;
  return !isEmpty && needed.every((name) => state[name] !== undefined);
}

/**
 * A state as the present version knows it. It is recorded by the next refresh or update.
 * @throws Error for a state that a newer version recorded: this one would migrate it again
 */
function migrate({ name, migrations = [] }: ResourceDefinition, state: Bag & { readonly record: Bag }): Bag {
  const { version = 0, ...record } = state.record;
  if (Number(version) > migrations.length)
    throw new Error(`a newer version of this provider recorded the state of this ${name}: install that version`);
  return migrations.slice(Number(version)).reduce((older, next) => next(older), { ...state, record } as Bag);
}
