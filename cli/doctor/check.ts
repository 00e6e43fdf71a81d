/** One thing that was looked at. */
export interface Check {
  /** `unknown`: it could not be looked at; `silent`: the service could not be asked, so the whole is not known. */
  readonly state: "ok" | "problem" | "unknown" | "silent";
  readonly text: string;
}

export const ok = (text: string): Check => ({ state: "ok", text });
export const problem = (text: string): Check => ({ state: "problem", text });
export const unknown = (text: string): Check => ({ state: "unknown", text });
export const silent = (text: string): Check => ({ state: "silent", text });
