// @ts-check

/** @typedef {(line: string) => void} Log */

/** Standard output belongs to the command that these scripts run, so they write to standard error. @type {Log} */
export const log = (line) => void process.stderr.write(`${line}\n`);

/**
 * Logs the start of a step, a sign of life every 15 seconds, and how long the step took.
 * @template T
 * @param {Log} log
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(log, what, work) {
  const started = Date.now();
  const say = (/** @type {string} */ how) => log(`${what}: ${how} ${Math.round((Date.now() - started) / 1000)} s`);
  log(`${what} …`);
  const signsOfLife = setInterval(say, 15_000, "still at it after");
  try {
    const result = await work();
    say("done in");
    return result;
  } catch (failure) {
    say("failed after");
    throw failure;
  } finally {
    clearInterval(signsOfLife);
  }
}
