import { isSecretInput, pathWithin } from "../../framework/identity";
import type { Bag, CheckFailure } from "../../framework/lifecycle";
import { hasUnknown } from "../../framework/unknown";
import { orgCapabilityKeys, type Profile } from "../../sdk";
import { suggestName } from "../../values/nearestName";

/** For each key the allowed actions; undefined: any. */
type Actions = Readonly<Record<string, readonly string[] | undefined>>;

interface CapabilityRules {
  /** Keys of `orgCapabilities`. */
  readonly org: Actions;
  /** Keys within each dataset of `datasetCapabilities`; undefined: its inner structure is open. */
  readonly dataset: Actions | undefined;
  /** Keys within each view of `viewCapabilities`; undefined: there is no such field. */
  readonly view: Actions | undefined;
}

const crud = ["create", "read", "update", "delete"] as const;
const share = ["create", "read", "delete"] as const;
const assignActions = (keys: readonly string[], actions: readonly string[] | undefined): Actions =>
  Object.fromEntries(keys.map((key) => [key, actions]));

/** The capabilities that each profile knows: documented interface, 2.1; extended interface, "Tokens". */
export const capabilityRules: Readonly<Record<Profile, CapabilityRules>> = {
  documented: { org: assignActions(orgCapabilityKeys, undefined), dataset: undefined, view: undefined },
  extended: {
    org: {
      ...assignActions([...orgCapabilityKeys, "views"], crud),
      auditLog: ["read"],
      billing: ["read", "update"],
      sharedAccessKeys: ["read", "update"],
    },
    dataset: {
      ingest: ["create"],
      query: ["read"],
      share,
      starredQueries: crud,
      trim: ["update"],
      vacuum: ["update"],
      data: ["delete"],
      virtualFields: crud,
    },
    view: { query: ["read"], share },
  },
};

/**
 * Warns of declared capabilities that the profile does not know. The service decides: it can have got new ones.
 * @param inputs well-formed
 */
export function warnOfCapabilities(inputs: Bag, profile: Profile): string[] {
  const rules = capabilityRules[profile];
  const isSecret = (property: string) => isSecretInput(inputs, property);
  const findByName = (property: string, table: Actions | undefined) =>
    listMembers(inputs[property]).flatMap(([name, value]) =>
      findUnknown(pathWithin(property, name, isSecret(property)), value, table, isSecret(property)),
    );
  const found = [
    ...findUnknown("orgCapabilities", inputs.orgCapabilities, rules.org, isSecret("orgCapabilities")),
    ...findByName("datasetCapabilities", rules.dataset),
    ...findByName("viewCapabilities", rules.view),
  ];
  return found.map(({ property, reason }) => `${property} ${reason}; it is passed on as it is`);
}

/** The keys and actions of one object of capabilities that a table lacks. */
function findUnknown(property: string, value: unknown, table: Actions | undefined, isSecret: boolean): CheckFailure[] {
  if (!table || hasUnknown(value)) return [];
  const keys = Object.keys(table);
  return listMembers(value).flatMap(([key, actions]): CheckFailure[] => {
    const reason = Object.hasOwn(table, key)
      ? judgeActions(actions, table[key], isSecret)
      : describeUnknownKey(key, keys, isSecret);
    return reason === undefined ? [] : [{ property: pathWithin(property, key, isSecret), reason }];
  });
}

const describeUnknownKey = (key: string, keys: readonly string[], isSecret: boolean): string =>
  `${isSecret ? "has a key that is not known;" : `is not known${suggestName(key, keys) || ";"}`} the keys are ${keys.join(", ")}`;

/** Judges a list of actions. Where any action is allowed, only a misspelled one is reported. */
function judgeActions(actions: unknown, allowed: readonly string[] | undefined, isSecret: boolean): string | undefined {
  const known = allowed ?? crud;
  const isList = Array.isArray(actions);
  const others = isList ? actions.filter((action) => !known.includes(action)) : [];
  if (isList && others.length === 0) return undefined;
  const [suggestion] = others.map((action) => suggestName(String(action), known)).filter(Boolean);
  const advice = isSecret ? "" : suggestion;
  if (allowed)
    return `${isSecret ? "has a key whose value " : ""}must be a list of ${allowed.join(", ")}${advice ?? ""}`;
  return suggestion === undefined ? undefined : `holds an action that is not documented${advice}`;
}

const listMembers = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null && !hasUnknown(value) ? Object.entries(value) : [];
