// @ts-check
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The holder touches its lock. A silent lock belongs to a process that was killed, here or on another machine. */
const [TOUCH_EVERY_MS, SILENT_AFTER_MS, LOOK_EVERY_MS] = [5_000, 30_000, 250];

/**
 * Runs the work while no other process holds the same lock. A lock is a folder, because only one process can make it.
 * @template T
 * @param {string} folder
 * @param {import("./log.mjs").Log} log
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(folder, log, work) {
  await fs.mkdir(path.dirname(folder), { recursive: true });
  for (let looks = 0; !(await take(folder)); looks++) {
    if (looks === 0) log(`waiting for another run to finish (it holds ${folder})`);
    if (await isSilent(folder)) await withLock(`${folder}.silent`, log, () => removeSilent(folder));
    else await sleep(LOOK_EVERY_MS);
  }
  // A process that was silent for too long, as on a laptop that slept, has lost its lock to another one.
  const mine = path.join(folder, randomUUID());
  await fs.writeFile(mine, "");
  const touch = async () => fs.access(mine).then(() => fs.utimes(folder, new Date(), new Date()));
  const touching = setInterval(() => void touch().catch(() => {}), TOUCH_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    const isMine = await fs.rm(mine).then(
      () => true,
      () => false,
    );
    if (isMine) await fs.rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder */
const take = (folder) =>
  fs.mkdir(folder).then(
    () => true,
    (failure) => {
      if (failure.code !== "EEXIST") throw failure;
      return false;
    },
  );

/** @param {string} folder */
const isSilent = (folder) =>
  fs.stat(folder).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > SILENT_AFTER_MS,
    () => false, // it was just released
  );

/** Under a lock of its own, so that nobody removes the new lock of another process that waited. @param {string} folder */
async function removeSilent(folder) {
  if (await isSilent(folder)) await fs.rm(folder, { recursive: true, force: true });
}
