/** `documented`: only what the documented interface names. `extended`: what the public service offers beyond it. */
export const profiles = ["documented", "extended"] as const;

export type Profile = (typeof profiles)[number];

const KiB = 1024;
const MiB = 1024 * KiB;

interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The smallest profile that has it. */
  readonly profile: Profile;
  /** Whether a request that may have been carried out can be sent again. A repeated create makes a second object. */
  readonly repeatable: boolean;
  readonly deadline: "call" | "list";
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
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** Whether a profile has an operation. */
export const hasOperation = (profile: Profile, name: OperationName): boolean =>
  profiles.indexOf(operations[name].profile) <= profiles.indexOf(profile);
