// @ts-check
import fs from "node:fs/promises";
import path from "node:path";

const GRAMMAR = "emulator/apl/apl.peggy";
const PARSER = "emulator/apl/generated/parser.ts";

/**
 * Makes the parser of the query language from its grammar. The compiler, the bundler and the tests read it like a source.
 * @param {string} root
 */
export async function makeParser(root) {
  const { default: peggy } = await import("peggy"); // not installed yet when the first command starts
  const grammar = await fs.readFile(path.join(root, GRAMMAR), "utf8");
  // The cache keeps parsing linear: without it nested parentheses are read again at every level of precedence.
  const parser = `// @ts-nocheck\n${peggy.generate(grammar, { cache: true, output: "source", format: "es" })}`;
  const file = path.join(root, PARSER);
  if ((await fs.readFile(file, "utf8").catch(() => undefined)) === parser) return;
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, parser);
}
