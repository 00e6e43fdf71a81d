// @ts-check
// Runs the benches of this folder, or those named.
//   npm run bench -- [client] [engine] [audit] [emulator] [--rounds 3] [--tokens 1,100,1000] [--write]
// `--tokens` are the sizes of the engine's stacks: all three take 20 minutes. `--write` replaces the tables in RESULTS.md.
import { parseArgs } from "node:util";
import { measureAudit } from "./audit.bench.mjs";
import { measureClient } from "./client.bench.mjs";
import { measureEmulator } from "./emulator.bench.mjs";
import { measureEngine } from "./engine.bench.mjs";
import { describeRows, writeTable } from "./table.mjs";

/** @typedef {{ rounds: number, tokens: readonly number[] }} Options */

const benches = { client: measureClient, engine: measureEngine, audit: measureAudit, emulator: measureEmulator };
const names = Object.keys(benches);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    tokens: { type: "string", default: "1,100,1000" },
    write: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`there is no bench ${unknown}; there are ${names}`);
const [rounds = 0, ...tokens] = [values.rounds, ...values.tokens.split(",")].map(Number);
if (![rounds, ...tokens].every((count) => Number.isInteger(count) && count > 0))
  throw new Error("--rounds and --tokens must be whole numbers from 1");

for (const [name, measure] of Object.entries(benches)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const table = describeRows(await measure({ rounds, tokens }));
  console.log(`\n# ${name}\n\n${table}`);
  if (values.write) await writeTable(name, table);
}
