/** What a run is given: the command line that it runs with is the process's. */
export interface HostRequest {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: string;
  /** Written to both streams where the run's output ends. */
  readonly mark: string;
}

export type HostAnswer = { readonly code: number } | { readonly failure: string };
