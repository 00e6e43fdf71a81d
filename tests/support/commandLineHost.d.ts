/** The request for a run. The command line is the one of the process. */
export interface HostRequest {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: string;
  /** Written to both streams where the run's output ends. */
  readonly mark: string;
}

export type HostAnswer = { readonly code: number } | { readonly failure: string };
