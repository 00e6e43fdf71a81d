import { isObject } from "../values/json";
import { omit } from "./compare";
import { namesOf, type ResourceDefinition } from "./definition";
import type { Property } from "./facts";
import { type Hints, hasSecretInput, isSecretInput } from "./identity";
import type { Bag } from "./lifecycle";
import { providerKey } from "./package";

/** The name of the encrypted member of a state: the part of the record that derives from secret inputs. */
export const secretRecord = "secretRecord";

/** Properties, and the names of those that the engine must encrypt. */
export interface Split {
  readonly values: Bag;
  readonly secrets: readonly string[];
}

/** A state as it is stored. If any argument is secret, so is all that can derive from an argument. Ids and flags never are. */
export function split(definition: ResourceDefinition, state: Bag): Split {
  const { properties, migrations = [] } = definition;
  const hints = state as Partial<Hints>;
  const secrets = secretsOf(definition, state);
  const { record, [secretRecord]: _, [hiddenOf(definition)]: text, ...members } = state;
  if (!isObject(record)) return { values: state, secrets };
  const rest = hiddenOf(definition) === "" ? members : { ...members, key: [members.key, text].join("|") };
  const { plain = [] } = properties.record ?? {};
  const parts = Object.entries(migrations.length > 0 ? { ...record, version: migrations.length } : record);
  const isOpen = ([name]: [string, unknown]) => name === "version" || plain.includes(name);
  const hidden = hasSecretInput(hints) ? parts.filter((part) => !isOpen(part)) : [];
  const open = parts.filter((part) => !hidden.includes(part));
  // The engine's work grows with the number of values: an empty record is stored only where nothing else says that there is an object.
  const isStored = open.length > 0 || !holdsMore(definition, rest);
  return {
    values: {
      ...rest,
      ...(isStored && { record: Object.fromEntries(open) }),
      ...(hidden.length > 0 && { [secretRecord]: Object.fromEntries(hidden) }),
    },
    secrets: hidden.length > 0 ? [...secrets, secretRecord] : secrets,
  };
}

/** The names of the secret members of a state. */
function secretsOf({ properties }: ResourceDefinition, state: Bag): string[] {
  const hints = state as Partial<Hints>;
  return Object.keys(state).filter((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isSecret = name === secretRecord || isAlwaysSecret(property, state[name]);
    return isSecret || isDerived(property, hints) || isSecretInput(hints, name);
  });
}

/**
 * The name of the hidden text. A state has it behind its key, as in `token|TEXT`: the engine's work grows with the number of values,
 * and jumps where an object has more than eight.
 */
const hiddenOf = (definition: ResourceDefinition): string => namesOf(definition, "hidden")[0] ?? "";

/** Restores a member of the state from the hidden text of a stored state. */
export function unfold(definition: ResourceDefinition, stored: Bag): Bag {
  const name = hiddenOf(definition);
  if (name === "" || typeof stored.key !== "string") return stored;
  const { key: folded, ...rest } = stored as Bag & Pick<Hints, "key">;
  const end = folded.lastIndexOf("|");
  if (end < 0) return stored;
  const [key, text] = [folded.slice(0, end), folded.slice(end + 1)];
  return { ...rest, ...(key && { key }), ...(text && { [name]: text }) };
}

/** Whether a state has anything that no adapter adds. The state of an import is empty; that of a lookup has only hints. */
const holdsMore = (definition: ResourceDefinition, state: Bag): boolean =>
  Object.keys(state).some((name) => !namesOf(definition, "hint").includes(name));

function isDerived(property: Property | undefined, hints: Partial<Hints>): boolean {
  const { derives } = property ?? {};
  return typeof derives === "string" ? isSecretInput(hints, derives) : derives === true && hasSecretInput(hints);
}

/** Whether a value is secret even if the program declares it in plain text. */
export const isAlwaysSecret = (property: Property | undefined, value: unknown): boolean =>
  property?.secret === true || secretPartsOf(property, value).length > 0;

/** The members of an object that are secret even if the program declares them in plain text. */
export const secretPartsOf = (property: Property | undefined, value: unknown): string[] =>
  Object.entries(property?.parts ?? {}).flatMap(([name, kind]) =>
    kind === "secret" && isObject(value) && value[name] !== undefined ? [name] : [],
  );

/** A stored state as lifecycles use it: with its record in one piece, and without what only the engine or one form needs. */
export function join(definition: ResourceDefinition, stored: Bag): Bag {
  const { [providerKey]: _, [secretRecord]: hidden, ...others } = stored;
  const members = omit(others, namesOf(definition, "derived"));
  if (!definition.properties.record || (hidden === undefined && !holdsMore(definition, members))) return members;
  const rest = unfold(definition, members);
  const whole = { ...rest, record: { ...(isObject(rest.record) && rest.record), ...(isObject(hidden) && hidden) } };
  // The state of another provider, which an alias passes on, has no key, and no version of ours.
  return rest.key === undefined ? whole : migrate(definition, whole);
}

/** Whether a stored state is of the present version. */
export const isCurrent = ({ migrations = [] }: ResourceDefinition, { record }: Bag): boolean =>
  Number((isObject(record) && record.version) || 0) === migrations.length;

/**
 * A state as the present version knows it. It is recorded by the next refresh or update.
 * @throws Error for a state that a newer version recorded: this one would migrate it again
 */
function migrate({ name, migrations = [] }: ResourceDefinition, state: Bag & { readonly record: Bag }): Bag {
  const { version = 0, ...record } = state.record;
  if (Number(version) > migrations.length)
    throw new Error(`a newer version of this provider recorded the state of this ${name}: install that version`);
  return migrations
    .slice(Number(version))
    .reduce<Bag>((older, next) => next(older as never) as Bag, { ...state, record });
}
