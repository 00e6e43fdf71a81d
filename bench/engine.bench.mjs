// @ts-check
// The real engine: this provider, a dynamic provider as people write it by hand, and the floor below which no dynamic
// provider gets (see engine/programs.mjs). Rounds alternate, so that what else the machine does meets all of them alike.
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { capture } from "../scripts/steps/run.mjs";
import { programs } from "./engine/programs.mjs";
import { measureStack, operations } from "./engine/stack.mjs";
import { describeResults } from "./engine/table.mjs";
import { median } from "./measure.mjs";

/** @typedef {import("./engine/stack.mjs").Operation} Operation */
/** @typedef {import("./engine/stack.mjs").Measurement} Measurement */
/** @typedef {{ variant: string, tokens: number, latency: number, bytesPerToken: number, storedPerToken?: number, ownPerToken?: number, rounds: number, operations: Partial<Record<Operation, Measurement>> }} Result medians */
/** @typedef {{ machine: string, versions: Record<string, string>, profile: string, results: Result[] }} Report */

const help = `npm run bench -- engine [--tokens 1,100,1000] [--latency 0,50] [--variants ours,floor,floor-same-state,hand-written,native,bridged]
  [--operations up,preview,refresh,destroy] [--rounds 3] [--profile extended] [--write]

--write puts the medians of each size, when it is measured, into bench/RESULTS.md and bench/engine.json.`;

/** @param {readonly Measurement[]} all @returns {Measurement} */
const medians = (all) => ({
  seconds: median(all.map(({ seconds }) => seconds)),
  cpu: median(all.map(({ cpu }) => cpu)),
  peakMiB: median(all.map(({ peakMiB }) => peakMiB)),
  requests: median(all.map(({ requests }) => requests)),
});

/** @param {string} option @param {string} text @param {readonly string[]} [known] */
function listOf(option, text, known) {
  const values = text.split(",");
  const others = values.filter((value) => (known ? !known.includes(value) : !/^\d+$/.test(value)));
  if (others.length > 0) throw new Error(`--${option}: ${others} is not ${known?.join(", ") ?? "a number"}\n\n${help}`);
  return values;
}

/** @param {string[]} args */
function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      tokens: { type: "string", default: "1,100" },
      latency: { type: "string", default: "50" },
      variants: { type: "string", default: "ours,floor,floor-same-state,hand-written" },
      operations: { type: "string", default: Object.keys(operations).join() },
      rounds: { type: "string", default: "3" },
      profile: { type: "string", default: "extended" },
      write: { type: "boolean", default: false },
    },
  });
  return {
    tokens: listOf("tokens", values.tokens).map(Number),
    latency: listOf("latency", values.latency).map(Number),
    variants: listOf("variants", values.variants, Object.keys(programs)),
    wanted: /** @type {Operation[]} */ (listOf("operations", values.operations, Object.keys(operations))),
    rounds: Number(listOf("rounds", values.rounds)[0]),
    profile: values.profile,
    write: values.write,
  };
}

/** @param {ReturnType<typeof readOptions>} options @param {number} tokens @param {number} latency */
async function measureCell({ variants, rounds, wanted, profile }, tokens, latency) {
  /** @type {Map<string, Awaited<ReturnType<typeof measureStack>>[]>} */
  const runs = new Map(variants.map((variant) => [variant, []]));
  for (let round = 0; round < rounds; round++) {
    // Every other round the other way round: whatever drifts meets first and last alike.
    for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
      runs.get(variant)?.push(await measureStack(variant, { tokens, latency, profile, wanted }));
    }
  }
  return variants.map((variant) => {
    const all = runs.get(variant) ?? [];
    const names = /** @type {Operation[]} */ (Object.keys(all[0]?.operations ?? {}));
    const measured = names.map((name) => [name, medians(all.flatMap((run) => run.operations[name] ?? []))]);
    const perToken = (/** @type {"bytes" | "stored" | "own"} */ key) =>
      Math.round(median(all.map((run) => run[key])) / tokens);
    const sizes = {
      bytesPerToken: perToken("bytes"),
      storedPerToken: perToken("stored"),
      ownPerToken: perToken("own"),
    };
    return { variant, tokens, latency, ...sizes, rounds, operations: Object.fromEntries(measured) };
  });
}

async function describeMachine() {
  const sdk = JSON.parse(
    await readFile(path.join(import.meta.dirname, "../node_modules/@pulumi/pulumi/package.json"), "utf8"),
  );
  const memory = Math.round(totalmem() / 2 ** 30);
  return {
    machine: `${availableParallelism()} cores of ${cpus()[0]?.model.trim()}, ${memory} GiB, ${process.platform} ${release()}`,
    versions: {
      pulumi: (await capture("pulumi", ["version"])).trim(),
      "@pulumi/pulumi": sdk.version,
      node: process.version,
    },
  };
}

/** @param {string[]} args */
export async function run(args = []) {
  if (process.platform !== "linux") throw new Error("the engine bench reads /proc: it runs on Linux only");
  const options = readOptions(args);
  const machine = await describeMachine();
  for (const tokens of options.tokens) {
    for (const latency of options.latency) {
      const cell = await measureCell(options, tokens, latency);
      console.log(describeResults({ ...machine, profile: options.profile, results: cell }));
      if (options.write) await writeResults({ ...machine, profile: options.profile, results: cell });
    }
  }
}

/**
 * Replaces what was measured of the same sizes, and keeps the rest if it is from the same machine and versions.
 * @param {Report} report
 */
async function writeResults(report) {
  const file = path.join(import.meta.dirname, "engine.json");
  const { results, ...where } = report;
  const text = await readFile(file, "utf8").catch(() => undefined);
  const { results: before, ...whereBefore } = text === undefined ? report : JSON.parse(text);
  const isSame = JSON.stringify(where) === JSON.stringify(whereBefore);
  /** @param {Result} old */
  const isReplaced = (old) => results.some(({ tokens, latency }) => tokens === old.tokens && latency === old.latency);
  /** @type {Result[]} */
  const kept = isSame ? before.filter((/** @type {Result} */ old) => !isReplaced(old)) : [];
  const all = [...kept, ...results].sort((a, b) => a.tokens - b.tokens || a.latency - b.latency);
  const whole = { ...where, results: all };
  await writeFile(file, `${JSON.stringify(whole, undefined, 2)}\n`);
  const heading = "# Measured with the real engine\n\nMade by `npm run bench -- engine --write`; do not edit.\n\n";
  await writeFile(path.join(import.meta.dirname, "RESULTS.md"), `${heading}${describeResults(whole)}`);
}
