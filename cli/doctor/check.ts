/** The result of one check. */
export interface Check {
  /**
   * `advice`: it works, and there is a safer way; `unknown`: it could not be checked; `silent`: the service did not respond, so
   * the result is not complete.
   */
  readonly state: "ok" | "advice" | "problem" | "unknown" | "silent";
  readonly text: string;
}

export const pass = (text: string): Check => ({ state: "ok", text });
export const advise = (text: string): Check => ({ state: "advice", text });
export const fail = (text: string): Check => ({ state: "problem", text });
export const skip = (text: string): Check => ({ state: "unknown", text });
export const missAnswer = (text: string): Check => ({ state: "silent", text });
