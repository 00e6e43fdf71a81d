/** `documented`: only what the documented interface names. `extended`: what the public service offers beyond it. */
export const profiles = ["documented", "extended"] as const;

export type Profile = (typeof profiles)[number];

const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * How long a call may take unless its client says otherwise, in milliseconds, and for what part of that the service may
 * stay silent before it counts as gone. A query can compute for all of its time before it answers.
 */
export const deadlineKinds = {
  call: { limit: 30_000, silence: 1 / 3 },
  list: { limit: 120_000, silence: 1 / 3 },
  query: { limit: 120_000, silence: 1 },
} as const;

export type DeadlineKind = keyof typeof deadlineKinds;

interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The smallest profile that has it. */
  readonly profile: Profile;
  /** Whether a request that may have been carried out can be sent again. A repeated create makes a second object. */
  readonly repeatable: boolean;
  readonly deadline: DeadlineKind;
  /** Largest answer, in bytes. */
  readonly maxBytes: number;
}

/** Every operation there is and what is true of it. Nothing else branches on the profile's name. */
export const operations = {
  "tokens.create": { method: "POST", profile: "documented", repeatable: false, deadline: "call", maxBytes: MiB },
  "tokens.get": { method: "GET", profile: "documented", repeatable: true, deadline: "call", maxBytes: MiB },
  "tokens.list": { method: "GET", profile: "documented", repeatable: true, deadline: "list", maxBytes: 64 * MiB },
  "tokens.delete": { method: "DELETE", profile: "extended", repeatable: true, deadline: "call", maxBytes: 64 * KiB },
  "annotations.create": { method: "POST", profile: "documented", repeatable: false, deadline: "call", maxBytes: MiB },
  "annotations.get": { method: "GET", profile: "extended", repeatable: true, deadline: "call", maxBytes: MiB },
  "annotations.list": { method: "GET", profile: "extended", repeatable: true, deadline: "list", maxBytes: 64 * MiB },
  "annotations.update": { method: "PUT", profile: "extended", repeatable: true, deadline: "call", maxBytes: MiB },
  "annotations.delete": {
    method: "DELETE",
    profile: "extended",
    repeatable: true,
    deadline: "call",
    maxBytes: 64 * KiB,
  },
  // POST, but reads.
  "queries.apl": { method: "POST", profile: "documented", repeatable: true, deadline: "query", maxBytes: 64 * MiB },
  "queries.dataset": { method: "POST", profile: "documented", repeatable: true, deadline: "query", maxBytes: 64 * MiB },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** Whether a profile has an operation. */
export const hasOperation = (profile: Profile, name: OperationName): boolean =>
  profiles.indexOf(operations[name].profile) <= profiles.indexOf(profile);

/** Fields of request bodies that the documented interface does not name. */
export const extendedFields = {
  "queries.apl": ["cursor", "includeCursor", "variables", "queryOptions"],
  "queries.dataset": ["virtualFields"],
} as const satisfies Partial<Record<OperationName, readonly string[]>>;

/**
 * Refuses a body field that the profile does not have.
 * @throws Error that names the field
 */
export function requireFields(profile: Profile, name: keyof typeof extendedFields, body: object): void {
  if (profile === "extended") return;
  const given = new Map(Object.entries(body));
  const extra = extendedFields[name].find((field) => given.get(field) !== undefined);
  if (extra !== undefined)
    throw new Error(
      `${name}: the field ${extra} is not part of the documented interface: it needs the profile extended`,
    );
}

/**
 * The query parameter with the values `legacy` and `tabular`. The documented interface has it but does not show its name
 * (4.4), so there the name is a setting; in the extended one it is `format`, and required.
 * @throws Error if a format is asked for and the parameter's name is not known
 */
export function formatQuery(
  profile: Profile,
  configuredName: string | undefined,
  format: string | undefined,
): Record<string, string> {
  if (profile === "extended") return { format: format ?? "legacy" };
  if (format === undefined) return {};
  if (configuredName !== undefined) return { [configuredName]: format };
  throw new Error(
    `the format ${format} cannot be asked for: the documented interface does not show the name of that query parameter. Set formatParameter (EVENT_DATASETS_FORMAT_PARAMETER, event-datasets:formatParameter), or use the profile extended`,
  );
}
