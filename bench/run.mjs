// @ts-check
// Runs the benches of this folder: all of them, or those named.
//   npm run bench -- [client] [engine] [audit] [emulator] [--rounds 3] [--write]
//   npm run bench -- startup [--rounds 3]
// `--write` replaces their tables in RESULTS.md. `engine` takes options of its own: see engine.bench.mjs. `startup` draws
// docs/images/startup.svg, and runs only if it is named.
import { parseArgs } from "node:util";
import * as audit from "./audit.bench.mjs";
import * as client from "./client.bench.mjs";
import * as emulator from "./emulator.bench.mjs";
import * as engine from "./engine.bench.mjs";
import { drawStartup } from "./startup.mjs";
import { describeRows, writeTable } from "./table.mjs";

/**
 * `about` says under the table what its rows are; `run` measures.
 * @typedef {{ about: string, run: (options: Options) => Promise<import("./table.mjs").Row[]> }} Bench
 */
/** @typedef {{ rounds: number, tokens: string, latency: string, variants: string }} Options */

/** @type {Readonly<Record<string, Bench>>} */
const benches = { client, engine, audit, emulator };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    write: { type: "boolean", default: false },
    ...engine.options,
  },
});
const names = [...Object.keys(benches), "startup"];
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`there is no bench ${unknown}; there are ${names}`);
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds must be a whole number from 1");

for (const [name, bench] of Object.entries(benches)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const text = describeRows(await bench.run({ ...values, rounds }), bench.about);
  console.log(`\n# ${name}\n\n${text}`);
  if (values.write) await writeTable(name, text);
}

if (positionals.includes("startup")) console.log(await drawStartup(rounds));
