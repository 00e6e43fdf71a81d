/** An update that holds a stack: it is running, or it was killed and left its lock. */
export interface RunningUpdate {
  /** When it began, in ISO 8601, if the backend shows it. */
  readonly since?: string;
  /** Its process was on this machine, and has ended. */
  readonly isGone?: true;
}

/** The facts that a backend has about updates of a stack. A state does not have them. */
export type UpdateStatus = RunningUpdate | "none";

/** An update that takes longer has probably been killed. */
const usualTime = 3_600_000;

/** The update in words that follow the name of its stack, with the command for one that was killed. */
export function describeUpdate({ since, isGone }: RunningUpdate, now: number): string {
  const from = since === undefined ? "" : ` since ${since}`;
  const isOld = isGone === true || (since !== undefined && now - Date.parse(since) >= usualTime);
  return isOld ? `is locked${from}; if no update is running, run pulumi cancel` : `is being updated${from}`;
}
