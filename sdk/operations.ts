import { offers, type Profile } from "./profiles";
import { aplRequestFields, datasetRequestFields } from "./queries/request";
import { annotationFields } from "./resources/annotationFields";
import { datasetChanges, datasetFields } from "./resources/datasetFields";
import { regenerationFields, tokenFields } from "./resources/tokenFields";

const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * The default deadline of each kind of call in milliseconds, and the part of it for which the service may stay silent, unless
 * the call is a create. A query may compute until its deadline before it responds. A deadline covers a call with all its
 * attempts and the whole response, but not the wait for its turn: for the rate limit, or for earlier calls while the service
 * responds to them. If a call never gets its turn because the service does not respond, it ends at its deadline, unsent.
 */
export const deadlineKinds = {
  call: { limit: 30_000, silence: 1 / 3 },
  list: { limit: 120_000, silence: 1 / 3 },
  query: { limit: 120_000, silence: 1 },
} as const;

export type DeadlineKind = keyof typeof deadlineKinds;

/** The longest deadline that can be set, in milliseconds. */
export const longestDeadline = 3_600_000;

/** A field of a request's body. */
export interface BodyField {
  /** The smallest profile whose requests may contain it. */
  readonly profile: Profile;
  /** The fields of the value, if the value is an object whose fields are known. */
  readonly fields?: BodyFields;
}

export type BodyFields = Readonly<Record<string, BodyField>>;

/** The facts of an operation. */
type Operation = Facts & (Sending | { readonly [Key in keyof Sending]?: never });

interface Facts {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The capability that it needs. */
  readonly needs: string;
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

/** The facts that only an operation has whose request has a body. */
interface Sending {
  /** The fields that the body may hold. */
  readonly body: BodyFields;
  /** Largest body, in bytes. */
  readonly maxRequest: number;
}

/**
 * A response repeats the request, and JSON can escape a character of one byte in six bytes. The limit for requests
 * therefore keeps every response readable: if a create's response is not read, its token is lost.
 */
const create = { method: "POST", repeatable: false, deadline: "call", maxBytes: 16 * MiB, maxRequest: MiB } as const;
const change = { ...create, method: "PUT", repeatable: true } as const;
const get = { method: "GET", repeatable: true, reads: true, deadline: "call", maxBytes: 16 * MiB } as const;
const list = { ...get, deadline: "list", maxBytes: 64 * MiB } as const;
const remove = { method: "DELETE", repeatable: true, deadline: "call", maxBytes: 64 * KiB } as const;
// POST, but reads.
const query = {
  ...list,
  method: "POST",
  deadline: "query",
  maxRequest: 16 * MiB,
  needs: "query: read on each dataset",
} as const;

const newDataset = { ...datasetFields, ...datasetChanges };

/** Every operation, with its facts. */
export const operations = {
  "tokens.create": { ...create, profile: "documented", needs: "apiTokens: create", body: tokenFields },
  "tokens.get": { ...get, profile: "documented", needs: "apiTokens: read" },
  "tokens.list": { ...list, profile: "documented", needs: "apiTokens: read" },
  "tokens.regenerate": { ...create, profile: "extended", needs: "apiTokens: update", body: regenerationFields },
  "tokens.delete": { ...remove, profile: "extended", needs: "apiTokens: delete" },
  "annotations.create": { ...create, profile: "documented", needs: "annotations: create", body: annotationFields },
  "annotations.get": { ...get, profile: "extended", needs: "annotations: read" },
  "annotations.list": { ...list, profile: "extended", needs: "annotations: read" },
  "annotations.update": { ...change, profile: "extended", needs: "annotations: update", body: annotationFields },
  "annotations.delete": { ...remove, profile: "extended", needs: "annotations: delete" },
  "datasets.create": { ...create, profile: "extended", needs: "datasets: create", body: newDataset },
  "datasets.get": { ...get, profile: "extended", needs: "datasets: read" },
  "datasets.list": { ...list, profile: "extended", needs: "datasets: read" },
  "datasets.update": { ...change, profile: "extended", needs: "datasets: update", body: datasetChanges },
  "datasets.delete": { ...remove, profile: "extended", needs: "datasets: delete" },
  "queries.apl": { ...query, profile: "documented", body: aplRequestFields },
  "queries.dataset": { ...query, profile: "documented", body: datasetRequestFields },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** The operations whose requests have a body. */
export type SendingOperation = {
  [Name in OperationName]: (typeof operations)[Name] extends Sending ? Name : never;
}[OperationName];

/** Whether a profile has an operation. */
export const hasOperation = (profile: Profile, name: OperationName): boolean => offers(profile, operations[name]);
