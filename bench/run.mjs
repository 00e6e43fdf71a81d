// @ts-check
// Runs the benches of this folder: all but `startup`, or those named.
//   npm run bench -- [client] [engine] [audit] [emulator] [startup] [--rounds 3] [--tokens 1,100] [--write]
// `--tokens` are the sizes of the engine's stacks. `--write` replaces the tables in RESULTS.md. `startup` draws a picture for docs.
import { parseArgs } from "node:util";
import { measureAudit } from "./audit.bench.mjs";
import { measureClient } from "./client.bench.mjs";
import { measureEmulator } from "./emulator.bench.mjs";
import { measureEngine } from "./engine.bench.mjs";
import { drawStartup } from "./startup.mjs";
import { describeRows, writeTable } from "./table.mjs";

/** @typedef {{ rounds: number, tokens: readonly number[] }} Options */

const benches = { client: measureClient, engine: measureEngine, audit: measureAudit, emulator: measureEmulator };
const names = [...Object.keys(benches), "startup"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    tokens: { type: "string", default: "1,100" },
    write: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`there is no bench ${unknown}; there are ${names}`);
const [rounds = 0, ...tokens] = [values.rounds, ...values.tokens.split(",")].map(Number);
if (![rounds, ...tokens].every((count) => Number.isInteger(count) && count > 0))
  throw new Error("--rounds and --tokens must be whole numbers from 1");

if (positionals.includes("startup")) await drawStartup();
for (const [name, measure] of Object.entries(benches)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const table = describeRows(await measure({ rounds, tokens }));
  console.log(`\n# ${name}\n\n${table}`);
  if (values.write) await writeTable(name, table);
}
