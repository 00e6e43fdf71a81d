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

/** What is true of one operation. */
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

/**
 * Whether a profile offers an operation, a field or a setting: whatever says in a `profile` which one it takes at least.
 * The one place that compares profiles.
 */
export const offers = (profile: Profile, wanted: { readonly profile: Profile }): boolean =>
  profiles.indexOf(wanted.profile) <= profiles.indexOf(profile);

/** Whether a profile has an operation. */
export const hasOperation = (profile: Profile, name: OperationName): boolean => offers(profile, operations[name]);
