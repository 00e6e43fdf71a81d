/**
 * Writes debug lines if `EVENT_DATASETS_DEBUG=1`. The lines contain method, path, status, time and trace id. They never contain
 * another header, a body, or the name of a dataset that is a secret argument of a program, so they are safe to publish.
 * @param write default: to standard error
 */
export const makeDebugLog = (
  env: Record<string, string | undefined> = process.env,
  write: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): ((line: string) => void) | undefined => (env.EVENT_DATASETS_DEBUG === "1" ? write : undefined);
