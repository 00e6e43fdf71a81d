import { selectTokens, type TokenFilter } from "../../sdk";
import { defined } from "../../values/defined";
import { textOf, type Values } from "../command";

type FilterKey = keyof TokenFilter;

/** The option of each part of a filter, and the message for an invalid value. */
const options = {
  name: ["name", "cannot be used"],
  namePrefix: ["name-prefix", "cannot be used"],
  capability: ["capability", "must be a capability such as apiTokens:create or web/query:read"],
  expiringWithin: ["expiring-within", "must be a duration such as 36h, 14d or P90D"],
  withoutExpiry: ["without-expiry", "cannot be used"],
  expired: ["expired", "cannot be used"],
} as const satisfies Record<FilterKey, readonly [option: string, problem: string]>;

/**
 * Builds the filter from the options. A token that is named by its id is selected even if it has expired.
 * @throws Error that names an invalid option
 */
export function filterOf(values: Values, isNamed: boolean): TokenFilter {
  const filter: TokenFilter = defined({
    name: textOf(values, options.name[0]),
    namePrefix: textOf(values, options.namePrefix[0]),
    capability: textOf(values, options.capability[0]),
    expiringWithin: textOf(values, options.expiringWithin[0]),
    withoutExpiry: values[options.withoutExpiry[0]] === true ? true : undefined,
    expired: values[options.expired[0]] === true || isNamed ? undefined : false,
  });
  for (const key of Object.keys(filter) as FilterKey[]) requireUsable(key, filter);
  return filter;
}

/** Validates with the client's rules, and names the option that the user typed. */
function requireUsable(key: FilterKey, filter: TokenFilter): void {
  try {
    selectTokens([], { [key]: filter[key] }, new Date());
  } catch {
    const [option, problem] = options[key];
    throw new Error(`--${option}: ${problem}`);
  }
}
