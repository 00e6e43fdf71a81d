// @ts-check
// Runs the measurements of this folder: all of them, or those named.
import { readdir } from "node:fs/promises";
import path from "node:path";

const given = process.argv.slice(2);
// What follows the names is for the bench itself, such as `engine --tokens 100`.
const own = given.findIndex((argument) => argument.startsWith("-"));
const [names, options] = own < 0 ? [given, []] : [given.slice(0, own), given.slice(own)];
const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith(".bench.mjs")).sort();
const known = files.map((file) => file.replace(".bench.mjs", ""));
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`there is no bench ${unknown.join(", ")}; there are ${known.join(", ")}`);

for (const name of names.length > 0 ? names : known) {
  console.log(`\n# ${name}`);
  const { run } = await import(path.join(import.meta.dirname, `${name}.bench.mjs`));
  await run(options);
}
