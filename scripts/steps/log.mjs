// @ts-check

/**
 * @typedef {(line: string) => void} Log
 */

/**
 * Everything these scripts say goes to standard error: standard output belongs to the command that they run.
 * @type {Log}
 */
export const log = (line) => {
  process.stderr.write(`${line}\n`);
};

/**
 * Says what is being done, that it is still being done, and how long it took.
 * @template T
 * @param {{ log: Log, every?: number }} options every: seconds between two signs of life
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
