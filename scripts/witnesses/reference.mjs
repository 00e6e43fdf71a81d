// @ts-check
// Prints how many queries of the public reference the query language parses and runs. Its text is not part of this project:
//   git clone https://github.com/axiomhq/docs reference && npm run build
//   node scripts/witnesses/reference.mjs "reference/content/docs/(query-reference)/apl"
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openDatasets } from "event-datasets-emulator/apl";

/** A block that starts like a query. The others are signatures, single operators and templates. */
const query = /^(\[['"]|(let|print|union|search|datatable|range|declare|set|externaldata)\b)/;

/** @param {string} folder */
async function queriesIn(folder) {
  const names = await fs.readdir(folder, { recursive: true });
  const pages = await Promise.all(
    names.filter((name) => name.endsWith(".mdx")).map((name) => fs.readFile(path.join(folder, name), "utf8")),
  );
  const blocks = pages.flatMap((page) => [...page.matchAll(/^ *```kusto.*\n([\s\S]*?)^ *```/gm)]);
  return blocks.map(([, block = ""]) => block.trim()).filter((block) => query.test(block));
}

const dir = await fs.mkdtemp(path.join(os.tmpdir(), "reference-"));
const datasets = await openDatasets({ dir });
/** @type {Record<string, number>} by kind of failure */
const counts = { run: 0 };

/** Gives a field to the datasets that a query names. @param {string} apl @param {string} field */
async function addField(apl, field) {
  const named = datasets.names().filter((name) => apl.includes(name));
  // A query of every dataset names none.
  for (const name of named.length > 0 ? named : datasets.names()) await datasets.ingest(name, [{ [field]: 1 }]);
}

/** @param {string} apl @returns {Promise<string>} */
async function outcomeOf(apl, given = new Set()) {
  try {
    await datasets.apl({ apl });
    return "run";
  } catch (failure) {
    const { kind, reason } = /** @type {import("event-datasets-emulator/apl").QueryError} */ (failure);
    const missing = kind === "not-found" && /there is no dataset "(.+?)\*?"/.exec(reason)?.[1];
    // A dataset that was made later lacks the field again.
    const problem = `${reason} ${datasets.names().length}`;
    if (given.has(problem) || !(missing || kind === "field")) return kind;
    if (missing) await datasets.ingest(missing, [{ first: 1 }]);
    else await addField(apl, JSON.parse(reason.slice("invalid field: ".length)));
    return outcomeOf(apl, given.add(problem));
  }
}

const queries = await queriesIn(process.argv[2] ?? ".");
for (const apl of queries) {
  const outcome = await outcomeOf(apl);
  counts[outcome] = (counts[outcome] ?? 0) + 1;
}
console.log(`queries: ${queries.length}`, counts);
await datasets.close();
await fs.rm(dir, { recursive: true });
