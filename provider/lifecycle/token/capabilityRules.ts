import { orgCapabilityKeys, type Profile } from "../../../sdk";
import { type CheckFailure, hasUnknown, type Unchecked } from "../contract";

/** For each key the allowed actions; undefined: any. */
type Actions = Readonly<Record<string, readonly string[] | undefined>>;

interface CapabilityRules {
  /** Keys of `orgCapabilities`. */
  readonly org: Actions;
  /** Keys within each dataset of `datasetCapabilities`; undefined: its inner structure is open. */
  readonly dataset: Actions | undefined;
  /** Keys within each view of `viewCapabilities`; undefined: there is no such field. */
  readonly view: Actions | undefined;
  /** Whether a key or action outside the tables is an error. Where the interface leaves the list open, it is a warning. */
  readonly closed: boolean;
}

const crud = ["create", "read", "update", "delete"] as const;
const share = ["create", "read", "delete"] as const;
const each = (keys: readonly string[], actions: readonly string[] | undefined): Actions =>
  Object.fromEntries(keys.map((key) => [key, actions]));

/** What each profile knows of capabilities: documented interface, 2.1; extended interface, "Tokens". */
export const capabilityRules: Readonly<Record<Profile, CapabilityRules>> = {
  documented: { org: each(orgCapabilityKeys, undefined), dataset: undefined, view: undefined, closed: false },
  extended: {
    org: {
      ...each([...orgCapabilityKeys, "views"], crud),
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
    closed: true,
  },
};

export interface CapabilityFindings {
  readonly failures: readonly CheckFailure[];
  readonly warnings: readonly string[];
}

/** What a profile does not know of the declared capabilities. `inputs` are well-formed. */
export function checkCapabilities(inputs: Unchecked, profile: Profile): CapabilityFindings {
  const rules = capabilityRules[profile];
  const found = [
    ...outside("orgCapabilities", inputs.orgCapabilities, rules.org),
    ...members(inputs.datasetCapabilities).flatMap(([name, value]) =>
      outside(`datasetCapabilities.${name}`, value, rules.dataset),
    ),
    ...members(inputs.viewCapabilities).flatMap(([name, value]) =>
      outside(`viewCapabilities.${name}`, value, rules.view),
    ),
  ];
  const missing = inputs.viewCapabilities !== undefined && !rules.view;
  const failures = missing ? [{ property: "viewCapabilities", reason: "needs the profile extended" }] : [];
  if (rules.closed) return { failures: [...failures, ...found], warnings: [] };
  return { failures, warnings: found.map(({ property, reason }) => `${property} ${reason}; it is passed on as it is`) };
}

/** The keys and actions of one object of capabilities that a table lacks. */
function outside(property: string, value: unknown, table: Actions | undefined): CheckFailure[] {
  if (!table || hasUnknown(value)) return [];
  return members(value).flatMap(([key, actions]): CheckFailure[] => {
    if (!Object.hasOwn(table, key)) {
      return [
        { property: `${property}.${key}`, reason: `is not known; the keys are ${Object.keys(table).join(", ")}` },
      ];
    }
    const allowed = table[key];
    if (!allowed) return [];
    const wellFormed = Array.isArray(actions) && actions.every((action) => allowed.includes(action));
    return wellFormed ? [] : [{ property: `${property}.${key}`, reason: `must be a list of ${allowed.join(", ")}` }];
  });
}

const members = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null && !hasUnknown(value) ? Object.entries(value) : [];
