// @ts-check
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The holder touches its lock regularly. Nobody can ask whether a process of another machine (a shared home folder) is alive, and on
 * this machine a new process may have taken over the holder's number.
 */
const SILENT_FOR_MS = 60_000;
const TOUCH_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 250;

/**
 * Runs the work while no other process holds the same lock file.
 * @template T
 * @param {string} file
 * @param {import("./log.mjs").Log} log
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, log, work) {
  await fs.mkdir(path.dirname(file), { recursive: true });
  const mine = `${JSON.stringify({ pid: process.pid, host: os.hostname(), id: randomUUID() })}\n`;
  let said = false;
  while (!(await take(file, mine))) {
    const holder = await holderOf(file);
    if (holder === undefined) continue;
    if (holder.dead) {
      await removeDead(file, holder.text);
      continue;
    }
    if (!said) log(`waiting for another run to finish (${holder.text.trim()} holds ${file})`);
    said = true;
    await sleep(LOOK_EVERY_MS);
  }
  const touching = setInterval(() => void fs.utimes(file, new Date(), new Date()).catch(() => {}), TOUCH_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    if ((await fs.readFile(file, "utf8").catch(() => "")) === mine) await fs.rm(file, { force: true });
  }
}

/**
 * A link appears together with its content, so nobody reads a lock that does not name its holder yet.
 * @param {string} file
 * @param {string} content
 */
async function take(file, content) {
  const draft = `${file}.${randomUUID()}`;
  await fs.writeFile(draft, content);
  try {
    await fs.link(draft, file);
    return true;
  } catch (failure) {
    if (isCode(failure, "EEXIST")) return false;
    throw failure;
  } finally {
    await fs.rm(draft, { force: true });
  }
}

/** @param {string} file */
async function holderOf(file) {
  try {
    const [text, stat] = await Promise.all([fs.readFile(file, "utf8"), fs.stat(file)]);
    const { pid, host } = parse(text);
    const silent = Date.now() - stat.mtimeMs > SILENT_FOR_MS;
    return { text, dead: silent || (host === os.hostname() && !isAlive(pid)) };
  } catch (failure) {
    if (isCode(failure, "ENOENT")) return undefined;
    throw failure;
  }
}

/**
 * @param {string} text
 * @returns {{ pid?: unknown, host?: unknown }}
 */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** @param {unknown} pid */
function isAlive(pid) {
  if (typeof pid !== "number") return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return isCode(failure, "EPERM");
  }
}

/**
 * Two waiting processes may both find the holder dead. The second must not remove the new lock of the first.
 * @param {string} file
 * @param {string} text
 */
async function removeDead(file, text) {
  const aside = `${file}.${randomUUID()}`;
  try {
    await fs.rename(file, aside);
    if ((await fs.readFile(aside, "utf8")) !== text) await fs.link(aside, file);
  } catch (failure) {
    if (!isCode(failure, "ENOENT") && !isCode(failure, "EEXIST")) throw failure;
  } finally {
    await fs.rm(aside, { force: true });
  }
}

/**
 * @param {unknown} failure
 * @param {string} code
 */
const isCode = (failure, code) => /** @type {NodeJS.ErrnoException | undefined} */ (failure)?.code === code;
