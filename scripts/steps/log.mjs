// @ts-check

/**
 * @typedef {(line: string) => void} Log
 */

/**
 * These scripts write to standard error, because standard output belongs to the command that they run.
 * @type {Log}
 */
export const log = (line) => {
  process.stderr.write(`${line}\n`);
};

/**
 * Logs the start of a step, that it still runs, and how long it took.
 * @template T
 * @param {{ log: Log, every?: number }} options every: seconds between two reports that it still runs
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step({ log, every = 15 }, what, work) {
  const started = Date.now();
  const elapsed = () => ((Date.now() - started) / 1000).toFixed(1);
  log(`${what} …`);
  const signsOfLife = setInterval(
    () => log(`${what} … still at it after ${Math.round(Number(elapsed()))} s`),
    every * 1000,
  );
  try {
    const result = await work();
    log(`${what}: done in ${elapsed()} s`);
    return result;
  } catch (failure) {
    log(`${what}: failed after ${elapsed()} s`);
    throw failure;
  } finally {
    clearInterval(signsOfLife);
  }
}
