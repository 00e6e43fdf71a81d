import { isSecretInput } from "../../../framework/identity";
import type { Bag } from "../../../framework/lifecycle";
import { hasUnknown } from "../../../framework/unknown";
import type { Profile } from "../../../sdk";
import { type Actions, capabilityRules, crud } from "../../../sdk/resources/capabilityRules";
import { isObject } from "../../../values/json";
import { suggestName } from "../../../values/nearestName";

/**
 * Warns about declared capabilities that the profile does not know. The service decides, because it may have new ones. There is
 * no warning about a secret, because it could not say what is wrong.
 * @param inputs well-formed
 */
export function warnOfCapabilities(inputs: Bag, profile: Profile): string[] {
  const rules = capabilityRules[profile];
  const membersOf = (property: string) => (isSecretInput(inputs, property) ? [] : listMembers(inputs[property]));
  const findByName = (property: string, table: Actions | undefined) =>
    membersOf(property).flatMap(([name, value]) => findUnknown(`${property}.${name}`, listMembers(value), table));
  const found = [
    ...findUnknown("orgCapabilities", membersOf("orgCapabilities"), rules.org),
    ...findByName("datasetCapabilities", rules.dataset),
    ...findByName("viewCapabilities", rules.view),
  ];
  return found.map((words) => `${words}; it is sent anyway`);
}

/** The keys and actions of one object of capabilities that a table lacks, in words. */
function findUnknown(property: string, members: readonly [string, unknown][], table: Actions | undefined): string[] {
  if (!table) return [];
  return members.flatMap(([key, actions]) => judgeActions(`${property}.${key}`, key, actions, table) ?? []);
}

/** Where any action is allowed, only a misspelled one is reported. */
function judgeActions(path: string, key: string, actions: unknown, table: Actions): string | undefined {
  const keys = Object.keys(table);
  if (!keys.includes(key))
    return `${path} is not known${suggestName(key, keys) || ";"} the keys are ${keys.join(", ")}`;
  const allowed = table[key] ?? crud;
  const others = Array.isArray(actions) ? actions.filter((action) => !allowed.includes(action)) : [""];
  const [suggestion = ""] = others.map((action) => suggestName(String(action), allowed)).filter(Boolean);
  if (table[key]) return others.length > 0 ? `${path} must be a list of ${allowed.join(", ")}${suggestion}` : undefined;
  return suggestion ? `${path} contains an action that is not documented${suggestion}` : undefined;
}

const listMembers = (value: unknown): [string, unknown][] =>
  isObject(value) && !hasUnknown(value) ? Object.entries(value) : [];
