/**
 * Writes debug lines to standard error if `EVENT_DATASETS_DEBUG=1`, otherwise nowhere. The lines hold method, path,
 * status and time, never a header or a body, nor the name of a dataset that is a secret argument of a program, so they
 * are safe to publish.
 */
export const makeDebugLog = (
  env: Record<string, string | undefined> = process.env,
): ((line: string) => void) | undefined =>
  env.EVENT_DATASETS_DEBUG === "1" ? (line) => process.stderr.write(`${line}\n`) : undefined;
