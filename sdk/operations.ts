/** `documented`: only what the documented interface names. `extended`: what the public service offers beyond it. */
export const profiles = ["documented", "extended"] as const;

export type Profile = (typeof profiles)[number];

const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * The default deadline of each kind of call in milliseconds, and the part of it for which the service may stay
 * silent. A query may compute until its deadline before it responds.
 */
export const deadlineKinds = {
  call: { limit: 30_000, silence: 1 / 3 },
  list: { limit: 120_000, silence: 1 / 3 },
  query: { limit: 120_000, silence: 1 },
} as const;

export type DeadlineKind = keyof typeof deadlineKinds;

/** The longest deadline that can be set, in milliseconds. */
export const longestDeadline = 3_600_000;

/** The facts that every operation has. */
interface AnyOperation {
  /** The smallest profile that has it. */
  readonly profile: Profile;
  /** Whether a request that may have been carried out can be retried. A repeated create makes a second object. */
  readonly repeatable: boolean;
  /** Whether it changes nothing at the service, so that an earlier attempt does not matter. */
  readonly reads?: true;
  readonly deadline: DeadlineKind;
  /** Largest response, in bytes. */
  readonly maxBytes: number;
}

/** An operation whose request has no body. */
interface Fetching extends AnyOperation {
  readonly method: "GET" | "DELETE";
}

/** An operation whose request has a body. */
interface Sending extends AnyOperation {
  readonly method: "POST" | "PUT";
  /** Largest body of a request, in bytes. */
  readonly maxRequest: number;
}

/**
 * A response repeats the request, and JSON can escape a character of one byte in six bytes. The limit for requests
 * therefore keeps every response readable: if a create's response is not read, its token is lost.
 */
const object = { deadline: "call", maxBytes: 16 * MiB } as const;
const sentObject = { ...object, maxRequest: MiB } as const;
const list = { deadline: "list", maxBytes: 64 * MiB } as const;
const nothing = { deadline: "call", maxBytes: 64 * KiB } as const;
const result = { deadline: "query", maxBytes: 64 * MiB, maxRequest: 16 * MiB } as const;

/** Every operation, with its facts. No other code branches on the profile's name. */
export const operations = {
  "tokens.create": { method: "POST", profile: "documented", repeatable: false, ...sentObject },
  "tokens.get": { method: "GET", profile: "documented", repeatable: true, reads: true, ...object },
  "tokens.list": { method: "GET", profile: "documented", repeatable: true, reads: true, ...list },
  "tokens.regenerate": { method: "POST", profile: "extended", repeatable: false, ...sentObject },
  "tokens.delete": { method: "DELETE", profile: "extended", repeatable: true, ...nothing },
  "annotations.create": { method: "POST", profile: "documented", repeatable: false, ...sentObject },
  "annotations.get": { method: "GET", profile: "extended", repeatable: true, reads: true, ...object },
  "annotations.list": { method: "GET", profile: "extended", repeatable: true, reads: true, ...list },
  "annotations.update": { method: "PUT", profile: "extended", repeatable: true, ...sentObject },
  "annotations.delete": { method: "DELETE", profile: "extended", repeatable: true, ...nothing },
  // POST, but reads.
  "queries.apl": { method: "POST", profile: "documented", repeatable: true, reads: true, ...result },
  "queries.dataset": { method: "POST", profile: "documented", repeatable: true, reads: true, ...result },
} as const satisfies Record<string, Fetching | Sending>;

export type OperationName = keyof typeof operations;

/** The operations whose requests have a body. */
export type SendingOperation = {
  [Name in OperationName]: (typeof operations)[Name] extends Sending ? Name : never;
}[OperationName];

/**
 * Whether a profile offers an operation, a field or a setting, whose `profile` is the smallest one that has it. The
 * only place that compares profiles.
 */
export const offers = (profile: Profile, wanted: { readonly profile: Profile }): boolean =>
  profiles.indexOf(wanted.profile) <= profiles.indexOf(profile);

/** Whether a profile has an operation. */
export const hasOperation = (profile: Profile, name: OperationName): boolean => offers(profile, operations[name]);
