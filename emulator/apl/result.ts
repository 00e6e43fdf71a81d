/** The engine's results, in the form of the two query endpoints' bodies. */
export interface FieldMeta {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly description: string;
  readonly hidden: boolean;
}

export interface Aggregation {
  /** The alias, or the aggregation's natural name. */
  readonly op: string;
  readonly value: unknown;
}

export interface Group {
  /** The same for one group in every interval and in the totals. */
  readonly id: number;
  readonly group: Readonly<Record<string, unknown>>;
  readonly aggregations: readonly Aggregation[];
}

export interface Interval {
  readonly startTime: string;
  readonly endTime: string;
  readonly groups: readonly Group[];
}

export interface Buckets {
  readonly series: readonly Interval[];
  readonly totals: readonly Group[];
}

export interface Match {
  readonly _rowId: string;
  readonly _sysTime: string;
  readonly _time: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly code: string;
  readonly count: number;
  readonly msg: string;
  readonly priority: string;
}

export interface Status {
  readonly blocksExamined: number;
  readonly cacheStatus: number;
  /** Continues a list of events that a limit cut; empty when there are no more. */
  readonly continuationToken?: string;
  /** Microseconds. */
  readonly elapsedTime: number;
  readonly isEstimate: boolean;
  readonly isPartial: boolean;
  readonly minBlockTime: string;
  readonly maxBlockTime: string;
  readonly minCursor?: string;
  readonly maxCursor?: string;
  readonly numGroups: number;
  readonly rowsExamined: number;
  readonly rowsMatched: number;
  readonly messages: readonly Message[];
}

export interface LegacyResult {
  readonly buckets: Buckets;
  readonly matches: readonly Match[];
  readonly status: Status;
  readonly fieldsMeta: readonly FieldMeta[];
}

/** What both forms of a result of the query language have. */
interface AplFacts {
  readonly status: Status;
  readonly datasetNames: readonly string[];
  readonly fieldsMetaMap: Readonly<Record<string, readonly FieldMeta[]>>;
  readonly request: Readonly<Record<string, unknown>>;
}

export interface AplLegacyResult extends AplFacts, Pick<LegacyResult, "buckets" | "matches"> {
  readonly format: "legacy";
}

export interface TableField {
  readonly name: string;
  readonly type: string;
  readonly agg?: { readonly name: string; readonly fields?: readonly string[]; readonly args?: readonly unknown[] };
}

export interface Table {
  readonly name: string;
  readonly sources: readonly { readonly name: string }[];
  readonly fields: readonly TableField[];
  readonly order: readonly { readonly field: string; readonly desc: boolean }[];
  readonly groups: readonly { readonly name: string }[];
  readonly range?: { readonly field: string; readonly start: string; readonly end: string };
  /** The size of a bin of time is in nanoseconds. */
  readonly buckets?: { readonly field: string; readonly size: number };
  /** One list for each field. */
  readonly columns: readonly (readonly unknown[])[];
}

export interface AplTabularResult extends AplFacts {
  readonly format: "tabular";
  readonly tables: readonly Table[];
}

export type AplResult = AplLegacyResult | AplTabularResult;
