/** The engine's requests: the bodies of the two query endpoints. */
export interface AplRequest {
  readonly apl: string;
  readonly startTime?: string;
  readonly endTime?: string;
  readonly cursor?: string;
  readonly includeCursor?: boolean;
  /** Values that the query may use by name. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly queryOptions?: Readonly<Record<string, unknown>>;
}

export interface LegacyAggregation {
  readonly op: string;
  readonly field?: string;
  readonly alias?: string;
  readonly argument?: unknown;
}

export interface LegacyFilter {
  readonly op: string;
  readonly field?: string;
  readonly value?: unknown;
  readonly caseSensitive?: boolean;
  readonly children?: readonly LegacyFilter[];
}

export interface VirtualField {
  readonly alias: string;
  readonly expr: string;
}

export interface LegacyRequest {
  readonly startTime?: string;
  readonly endTime?: string;
  readonly resolution?: string;
  readonly aggregations?: readonly LegacyAggregation[];
  readonly filter?: LegacyFilter;
  readonly groupBy?: readonly string[];
  readonly order?: readonly { readonly field: string; readonly desc?: boolean }[];
  readonly project?: readonly { readonly field: string; readonly alias?: string }[];
  readonly virtualFields?: readonly VirtualField[];
  readonly limit?: number;
  readonly cursor?: string;
  readonly includeCursor?: boolean;
  readonly continuationToken?: string;
  readonly queryOptions?: Readonly<Record<string, unknown>>;
}
