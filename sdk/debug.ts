/**
 * Where debug lines go: to standard error when `EVENT_DATASETS_DEBUG=1`, else nowhere. The lines hold method, path,
 * status and time, never a header or a body, so they are safe to paste.
 */
export const makeDebugLog = (
  env: Record<string, string | undefined> = process.env,
): ((line: string) => void) | undefined =>
  env.EVENT_DATASETS_DEBUG === "1" ? (line) => process.stderr.write(`${line}\n`) : undefined;
