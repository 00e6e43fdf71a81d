#!/usr/bin/env node
// @ts-check
// Writes what is made of the query language: its parser from the grammar, and the table of what runs in its documentation
// from the compiled code. To run after a change of either:
//   node scripts/grammar.mjs && npm run build && node scripts/grammar.mjs --table && npx biome format --write docs
// `--check` only compares the parser.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import peggy from "peggy";

const grammar = new URL("../emulator/apl/apl.peggy", import.meta.url);
const target = new URL("../emulator/apl/generated/parser.ts", import.meta.url);
const page = new URL("../docs/queryLanguage.md", import.meta.url);
const head = `// Generated from apl.peggy by scripts/grammar.mjs. Do not edit.
// @ts-nocheck
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
`;

/** The parser's source text, as the grammar on disk makes it. */
function generateParser() {
  // The cache keeps parsing linear: without it nested parentheses are read again at every level of precedence.
  const parser = peggy.generate(readFileSync(grammar, "utf8"), { cache: true, output: "source", format: "es" });
  return head + parser.replace(/\n{3,}/g, "\n\n");
}

function writeTable() {
  const { describeLanguage } = createRequire(import.meta.url)("../dist/emulator/apl/language.js");
  const before = readFileSync(page, "utf8");
  const marked = /(<!-- table -->\n)[\s\S]*(?=\n<!-- end of table -->)/;
  writeFileSync(
    page,
    before.replace(marked, (_, start) => `${start}\n${describeLanguage()}`),
  );
}

if (process.argv.includes("--table")) writeTable();
else if (!process.argv.includes("--check")) writeFileSync(target, generateParser());
else if (generateParser() !== readFileSync(target, "utf8")) {
  console.error("emulator/apl/generated/parser.ts is older than apl.peggy: run node scripts/grammar.mjs");
  process.exitCode = 1;
}
