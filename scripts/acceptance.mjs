// @ts-check
// Checks the facts about the service that this package relies on, where EVENT_DATASETS_BASE_URL says, and prints a table.
//   npm run acceptance                                   a service on this machine, such as the emulator
//   npm run acceptance -- --organization-is-for-tests    another host: in an organization that holds nothing else
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { checkFacts } from "./acceptance/facts.mjs";

/** @type {typeof import("../sdk/index.js")} */
const { EventDatasets, fromEnvironment, requireSettings } = createRequire(import.meta.url)("../dist/sdk/index.js");

try {
  const { values } = parseArgs({ options: { "organization-is-for-tests": { type: "boolean", default: false } } });
  const settings = requireSettings([fromEnvironment()]);
  const { hostname } = new URL(settings.baseUrl);
  const isLoopback = /^(127\.|localhost$|\[::1\]$)/.test(hostname);
  if (!isLoopback && !values["organization-is-for-tests"])
    throw new Error(
      `${hostname} is not this machine. This creates and deletes tokens, annotations and a dataset: run it in an organization for tests only, with --organization-is-for-tests`,
    );
  if (settings.profile !== "extended") throw new Error("set EVENT_DATASETS_PROFILE to extended");
  const connect = (/** @type {string} */ accessToken) => new EventDatasets({ settings: { ...settings, accessToken } });
  const { rows, left } = await checkFacts(settings, connect);
  const differs = rows.filter(({ holds }) => !holds).length;
  const table = [
    ["Fact", "Expected", "Seen", "Result"],
    ...rows.map(({ fact, expected, seen, holds }) => [fact, expected, seen, holds ? "holds" : "DIFFERS"]),
  ];
  for (const row of table) console.log(`| ${row.map((cell, at) => cell.padEnd(widthOf(table, at))).join(" | ")} |`);
  for (const object of left) console.log(`not deleted: ${object}`);
  console.log(`${rows.length - differs} of ${rows.length} facts hold at ${settings.baseUrl}`);
  process.exitCode = differs + left.length > 0 ? 1 : 0;
} catch (failure) {
  console.error(`acceptance: ${failure instanceof Error ? failure.message : failure}`);
  process.exitCode = 2;
}

/** @param {readonly (readonly string[])[]} table @param {number} column */
function widthOf(table, column) {
  return Math.max(...table.map((row) => row[column]?.length ?? 0));
}
