// @ts-check
// Installs the packed package with every package manager, in every form of program, and deploys it with the real engine.
//   npm run matrix                          every combination, about half an hour; writes the table of design/compatibility.md
//   npm run matrix -- --only pnpm,esm       only the combinations that match every word
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureEngine } from "./engine.mjs";
import { formatLikeTheTree } from "./generate/produce.mjs";
import { fillMark } from "./generate/sources.mjs";
import { allCombinations, describeCombination, forms, managers, nodes, sdks } from "./matrix/combinations.mjs";
import { deployCombination } from "./matrix/deploy.mjs";
import { pack } from "./matrix/install.mjs";
import { log } from "./steps/log.mjs";
import { forwardSignals, interruptedCode } from "./steps/run.mjs";

/** @typedef {import("./matrix/combinations.mjs").Combination} Combination */

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const page = path.join(root, "design", "compatibility.md");

forwardSignals();
const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const words = values.only.split(",").filter(Boolean);
const wanted = allCombinations().filter((combination) =>
  words.every((word) => Object.values(combination).includes(word)),
);

const folder = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "event-datasets-matrix-")));
const { startEmulator } = await import(path.join(root, "emulator", "dist", "index.js"));
const service = await startEmulator({ dataDir: path.join(folder, "service") });
/** @type {Combination[]} */
const failed = [];
try {
  const tarball = await pack(root, path.join(folder, "package"));
  const { dir: engine } = await ensureEngine({ log, root });
  for (const [index, combination] of wanted.entries()) {
    if (interruptedCode() !== undefined) break;
    const name = `${index + 1}/${wanted.length} ${describeCombination(combination)}`;
    const started = Date.now();
    const context = { root, folder: path.join(folder, `run-${index}`), tarball, engine, service };
    const problem = await deployCombination(combination, context).then(() => undefined, messageOf);
    if (problem !== undefined) failed.push(combination);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(
      `${name}: ${problem === undefined ? "passed" : "FAILED"} in ${seconds} s${problem ? `\n${problem}` : ""}`,
    );
  }
} finally {
  await service.close();
  await fs.rm(folder, { recursive: true, force: true });
}
console.log(`${wanted.length - failed.length} of ${wanted.length} passed`);
if (failed.length > 0) process.exitCode = 1;
if (interruptedCode() !== undefined) process.exitCode = interruptedCode();
if (words.length === 0 && interruptedCode() === undefined) await writeTable();

/** Rows are package managers and forms; columns are SDKs and versions of Node.js. */
async function writeTable() {
  const columns = sdks.flatMap((sdk) => Object.keys(nodes).map((node) => ({ sdk, node })));
  const rows = Object.entries(managers).flatMap(([manager, { title, tool }]) =>
    Object.entries(forms).map(([form, { title: language, refusedBy = [] }]) => {
      const cells = columns.map(({ sdk, node }) =>
        refusedBy.includes(sdk)
          ? "–"
          : failed.some((one) => one.manager === manager && one.form === form && one.sdk === sdk && one.node === node)
            ? "no"
            : "yes",
      );
      return [`${title}${tool ? ` (${tool.split("@").at(-1)})` : ""}`, language, ...cells];
    }),
  );
  const head = ["Installed with", "Program", ...columns.map(({ sdk, node }) => `SDK ${sdk}, Node.js ${node}`)];
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const text = fillMark(await fs.readFile(page, "utf8"), "matrix", table);
  await fs.writeFile(page, await formatLikeTheTree(root, "design/compatibility.md", text));
}

/** @param {unknown} failure */
function messageOf(failure) {
  return failure instanceof Error ? failure.message : String(failure);
}
