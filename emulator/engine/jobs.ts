import type { AplRequest, DatasetSize, IngestResult, LegacyRequest } from "../apl";
import type { Place, QueryErrorKind } from "../apl/errors";
import type { Profile } from "../profiles";

interface Query {
  readonly now: Date;
  /** The datasets that the caller may read; undefined: all of them. */
  readonly readable: readonly string[] | undefined;
}

/** Events as text from a request, or as parsed values. */
export type Events =
  | { readonly kind: "rows"; readonly rows: readonly unknown[] }
  | { readonly kind: "json" | "ndjson"; readonly bytes: Uint8Array }
  | {
      readonly kind: "csv";
      readonly bytes: Uint8Array;
      readonly delimiter?: string | undefined;
      readonly fields?: readonly string[] | undefined;
    };

/** The jobs of the engine's process: the input and the output of each. */
export interface Jobs {
  /** The result is JSON text, written by the process that computed it. */
  readonly apl: {
    readonly input: Query & {
      readonly request: AplRequest;
      readonly format: "legacy" | "tabular";
      /** In the documented profile, a response has no `format`. */
      readonly profile: Profile;
    };
    readonly output: Uint8Array;
  };
  readonly legacy: {
    readonly input: Query & { readonly dataset: string; readonly request: LegacyRequest };
    readonly output: Uint8Array;
  };
  readonly ingest: {
    readonly input: {
      readonly now: Date;
      readonly dataset: string;
      readonly events: Events;
      /** Names the ingest, so that it can be repeated without storing an event twice. */
      readonly write: string;
      readonly timeField?: string | undefined;
      readonly timeFormat?: string | undefined;
      readonly labels?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly output: IngestResult;
  };
  readonly load: {
    readonly input: {
      readonly now: Date;
      readonly dataset: string;
      readonly files: readonly string[];
      readonly timeField?: string | undefined;
    };
    readonly output: { readonly rows: number };
  };
  /** Creates a dataset without events. */
  readonly create: { readonly input: { readonly now: Date; readonly dataset: string }; readonly output: undefined };
  /** Removes the events before an instant; without an instant, removes the dataset. */
  readonly remove: {
    readonly input: { readonly dataset: string; readonly before?: Date };
    readonly output: undefined;
  };
  readonly measure: { readonly input: object; readonly output: readonly DatasetSize[] };
}

export type JobName = keyof Jobs;

export type Job = { readonly [N in JobName]: { readonly name: N; readonly input: Jobs[N]["input"] } }[JobName];

export interface EngineLimits {
  /** How long a request may keep the engine busy, from the start of its work. */
  readonly timeoutMs: number;
  /** How long a job may take to stop after it was told to. After that, its process is killed. */
  readonly graceMs: number;
  /** How much of the machine's memory the engine's process may use. */
  readonly memoryBytes: number;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** No time limit. */
  readonly unlimited?: boolean;
}

/** A failure as a plain object, because messages between processes do not preserve classes. */
export interface Failure {
  readonly kind: QueryErrorKind | "internal";
  readonly reason: string;
  readonly at?: Place | undefined;
}

export type ToWorker =
  | { readonly kind: "open"; readonly dir: string }
  | { readonly kind: "job"; readonly id: number; readonly job: Job }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "close" };

export type FromWorker =
  | { readonly kind: "opened" }
  | { readonly kind: "refused"; readonly failure: Failure }
  /** The current datasets. Sent before the result of a job that created one. */
  | { readonly kind: "names"; readonly names: readonly string[] }
  /** The job waits for others of its kind, begins after it has waited, or begins to compute outside the database. */
  | { readonly kind: "waits" | "begins" | "computes"; readonly id: number }
  | { readonly kind: "done"; readonly id: number; readonly output: Jobs[JobName]["output"] }
  | { readonly kind: "failed"; readonly id: number; readonly failure: Failure }
  /** The database cannot be used any more. The process exits after this message, and reports no other job. */
  | { readonly kind: "broken"; readonly id: number; readonly failure: Failure };
