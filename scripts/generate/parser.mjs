// @ts-check
import peggy from "peggy";
import { readSource } from "./sources.mjs";

const HEAD = `// Generated from apl.peggy by npm run generate. Do not edit.
// @ts-nocheck
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
`;

/** The parser of the query language, from its grammar. @type {import("./produce.mjs").Make} */
export async function makeParser(root) {
  const grammar = await readSource(root, "emulator/apl/apl.peggy");
  // The cache keeps parsing linear: without it nested parentheses are read again at every level of precedence.
  const parser = peggy.generate(grammar, { cache: true, output: "source", format: "es" });
  return { "emulator/apl/generated/parser.ts": HEAD + parser.replace(/\n{3,}/g, "\n\n") };
}
