// @ts-check
import { spawn } from "node:child_process";
import path from "node:path";

/** @typedef {{ name: string, seconds: number, peakMiB: number, code: number | null, stderr: string }} Measured */

/**
 * Runs Node in a process of its own and measures it: wall time, start-up included, and the largest resident size.
 * @param {string} name
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Measured>}
 */
export function measure(name, args, env = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const preload = path.join(import.meta.dirname, "peak.cjs");
    const child = spawn(process.execPath, ["--require", preload, ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", "ignore", "pipe", "pipe"],
    });
    let stderr = "";
    let peak = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk) => {
      stderr += chunk;
    });
    child.stdio[3]?.on("data", (chunk) => {
      peak += chunk;
    });
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ name, seconds: (performance.now() - started) / 1000, peakMiB: Number(peak) / 1024, code, stderr });
    });
  });
}

/**
 * The fastest of three runs: what else the machine does makes a run slower, never faster.
 * @param {Parameters<typeof measure>} args
 */
export async function best(...args) {
  const runs = [await measure(...args), await measure(...args), await measure(...args)];
  return runs.reduce((a, b) => (b.seconds < a.seconds ? b : a));
}

/**
 * Prints measurements side by side, each against the first.
 * @param {Measured[]} all
 */
export function compare(all) {
  const [base] = all;
  if (!base) return;
  const width = Math.max(...all.map(({ name }) => name.length));
  for (const { name, seconds, peakMiB } of all) {
    const [time, memory] = [seconds / base.seconds, peakMiB / base.peakMiB].map((ratio) => `${ratio.toFixed(2)}×`);
    console.log(
      `${name.padEnd(width)}  ${seconds.toFixed(2).padStart(6)} s (${time})  ${peakMiB.toFixed(0).padStart(5)} MiB (${memory})`,
    );
  }
}

/**
 * Of an even number the middle between the two in the middle.
 * @param {readonly number[]} values
 */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2;
}
