/** The responses to the emulator's page, under `/_page/`. They need the root token, and are not part of the service's interface. */

/** A request to the service's interface and its outcome, without secrets, headers, bodies and query strings. */
export interface RecentRequest {
  /** RFC 3339. */
  readonly time: string;
  readonly method: string;
  /** Secrets of this service in it are replaced with `[token]`. */
  readonly path: string;
  /** Absent before the response, and if the connection was cut before a response. */
  readonly status?: number;
  /** The reason for a refusal. */
  readonly message?: string;
  /** The sender: the root token, or the name of a token. Absent if the request had no valid token. */
  readonly caller?: { readonly root: true } | { readonly root: false; readonly name: string };
  /** The time from the arrival of the request to the end of the response; absent before that. */
  readonly milliseconds?: number;
}

/** An object in the form of the interface, with any fields that its creator sent. */
export type ShownObject = Readonly<Record<string, unknown>> & { readonly id: string };

export interface ObjectsResponse {
  /** Changes with every write of tokens and annotations, with every new dataset, and with every restart. */
  readonly revision: string;
  readonly profile: string;
  /** The emulator's clock, RFC 3339. */
  readonly now: string;
  readonly tokens: readonly ShownObject[];
  readonly annotations: readonly ShownObject[];
  readonly datasets: readonly string[];
  /** The reason why the datasets cannot be opened. */
  readonly problem?: string;
}

export interface StateResponse {
  /** The last requests, in the order of arrival. */
  readonly requests: readonly RecentRequest[];
  /** Absent if the page has the objects of this revision already. */
  readonly objects?: ObjectsResponse;
}

/** The datasets and their sizes. */
export type DatasetsResponse = readonly {
  readonly shown: ShownObject;
  readonly events: number;
  /** The size of its events as text. */
  readonly bytes: number;
  /** The time of the last event. */
  readonly last?: string;
}[];

export interface QueryTable {
  readonly name: string;
  /** The fields; in a summary, at least one has an aggregation. */
  readonly fields: readonly { readonly name: string; readonly type: string; readonly agg?: object }[];
  /** One list for each field. */
  readonly columns: readonly (readonly unknown[])[];
}

export interface QueryResponse {
  readonly tables: readonly QueryTable[];
  readonly status: {
    /** Microseconds. */
    readonly elapsedTime: number;
    readonly rowsExamined: number;
    readonly isPartial: boolean;
    readonly messages: readonly { readonly priority: string; readonly msg: string }[];
  };
}

/** Every refusal. */
export interface RefusalResponse {
  readonly message: string;
}
