// Writes the parser of the query language from its grammar. `--check` only compares.
import { readFileSync, writeFileSync } from "node:fs";
import peggy from "peggy";

const grammar = new URL("../emulator/apl/apl.peggy", import.meta.url);
const target = new URL("../emulator/apl/generated/parser.ts", import.meta.url);
const head = `// Generated from apl.peggy by scripts/grammar.mjs. Do not edit.
// @ts-nocheck
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
`;

/** The parser's source text, as the grammar on disk makes it. */
export function generate() {
  // The cache keeps parsing linear: without it nested parentheses are read again at every level of precedence.
  const parser = peggy.generate(readFileSync(grammar, "utf8"), { cache: true, output: "source", format: "es" });
  return head + parser.replace(/\n{3,}/g, "\n\n");
}

export const current = () => readFileSync(target, "utf8");

if (process.argv[1] === new URL(import.meta.url).pathname) {
  if (!process.argv.includes("--check")) writeFileSync(target, generate());
  else if (generate() !== current()) {
    console.error("emulator/apl/generated/parser.ts is older than apl.peggy: run node scripts/grammar.mjs");
    process.exitCode = 1;
  }
}
