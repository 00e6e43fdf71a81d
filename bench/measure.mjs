// @ts-check
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

/** The cost of a run, by the column of the table. @typedef {Readonly<Record<string, number>>} Figures */
/** All runs of one variant. @typedef {{ subject: string, variant: string, runs: Figures[] }} Row */

/**
 * Measures each variant once a round. Every second round is in reverse order, so that a drift of the machine favours none.
 * @param {readonly string[]} variants
 * @param {number} rounds
 * @param {(variant: string) => Promise<Readonly<Record<string, Figures>>>} measure returns the figures of each subject
 * @returns {Promise<Row[]>}
 */
export async function measureRounds(variants, rounds, measure) {
  /** @type {Row[]} */
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
      for (const [subject, figures] of Object.entries(await measure(variant)))
        rows.push({ subject, variant, runs: [figures] });
    }
  }
  return mergeRows(rows);
}

/** One row for each subject and variant, those of a subject together. @param {readonly Row[]} rows */
export function mergeRows(rows) {
  /** @type {Map<string, Row>} */
  const merged = new Map();
  for (const row of rows) {
    const name = `${row.subject} ${row.variant}`;
    merged.set(name, { ...row, runs: [...(merged.get(name)?.runs ?? []), ...row.runs] });
  }
  return [...Map.groupBy(merged.values(), ({ subject }) => subject).values()].flat();
}

/**
 * Runs a command to its end and measures it with all that it starts. CPU is exact. The share of each role lacks the time that
 * a process used after it was last seen.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<Figures>}
 */
export async function costOf(command, args, options) {
  const script = path.join(import.meta.dirname, "cost.py");
  const { stdout } = await promisify(execFile)("python3", [script, command, ...args], options);
  return JSON.parse(stdout);
}
