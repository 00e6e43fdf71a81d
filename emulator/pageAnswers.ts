/** The responses to the emulator's page, under `/_page/`. They are no part of the service's interface, and need the root token. */

/** One request to the service's interface, and what became of it. Never a secret, a header, a body or a query string. */
export interface RecentRequest {
  /** Counts up from 1. */
  readonly number: number;
  /** RFC 3339. */
  readonly time: string;
  readonly method: string;
  /** Secrets of this service in it are replaced by `[token]`. */
  readonly path: string;
  /** Absent where the connection was cut before an answer, or there is none yet. */
  readonly status?: number;
  /** Why it was refused. */
  readonly message?: string;
  /** Who sent it: the root token, or the name of a token; absent where it was nobody's. */
  readonly caller?: { readonly root: true } | { readonly root: false; readonly name: string };
  /** From its arrival to the end of the answer; absent while it lasts. */
  readonly milliseconds?: number;
}

export interface RequestsAnswer {
  /** Changes with every write of tokens and annotations, with every new dataset, and with every restart. */
  readonly revision: string;
  /** In the order of arrival, those after the number that was asked for, and those that had not ended then. */
  readonly requests: readonly RecentRequest[];
}

/** An object as the interface shows it; its fields are whatever its creator sent. */
export type ShownObject = Readonly<Record<string, unknown>> & { readonly id: string };

export interface ObjectsAnswer {
  readonly revision: string;
  readonly profile: string;
  /** The emulator's clock, RFC 3339. */
  readonly now: string;
  readonly tokens: readonly ShownObject[];
  readonly annotations: readonly ShownObject[];
  readonly datasets: readonly string[];
  /** Why there are no datasets, where they cannot be opened. */
  readonly problem?: string;
}

export interface QueryTable {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  /** One list for each field. */
  readonly columns: readonly (readonly unknown[])[];
}

export interface QueryAnswer {
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
export interface RefusalAnswer {
  readonly message: string;
}
