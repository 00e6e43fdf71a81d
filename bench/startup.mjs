// @ts-check
// Draws where the `up` of one token spends its time into design/images/startup.svg.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { operations, withStack } from "./engine.bench.mjs";

const picture = path.join(import.meta.dirname, "../design/images/startup.svg");
const probe = path.join(import.meta.dirname, "startupProbe.cjs");

/** One after another: the program loads this package before the engine starts the provider host. */
const phases = [
  { name: "engine and language host: start" },
  { name: "program: Node.js and Pulumi's SDK" },
  { name: "program: modules of this package", ours: true },
  { name: "engine: starts the provider host" },
  { name: "provider host: Node.js and the SDK" },
  { name: "provider host: modules of this package", ours: true },
  { name: "provider host: hooks until the request", ours: true },
  { name: "engine: records the response, ends" },
];

export const drawStartup = () =>
  withStack("ours", 1, async ({ folder, pulumi }) => {
    const file = path.join(folder, "moments");
    const started = Date.now();
    await pulumi(operations.up, { NODE_OPTIONS: `--require ${probe}`, STARTUP_MOMENTS: file });
    const ended = Date.now();
    const noted = (await readFile(file, "utf8")).trim().split("\n").map(Number);
    if (noted.length !== phases.length - 1) throw new Error(`the processes noted ${noted.length} moments`);
    const moments = [started, ...noted, ended].map((at) => Math.round(at - started));
    await writeFile(picture, draw(moments));
  });

/** @param {readonly number[]} moments in milliseconds since the start */
function draw(moments) {
  const total = moments.at(-1) ?? 0;
  const x = (/** @type {number} */ at) => 300 + Math.round((at / total) * 400);
  const bars = phases.map(({ name, ours }, n) => {
    const [from = 0, to = 0] = moments.slice(n);
    const y = 20 + n * 28;
    return `  <text x="20" y="${y + 14}">${name}</text>
  <rect class="${ours ? "ours" : "box"}" x="${x(from)}" y="${y}" width="${Math.max(2, x(to) - x(from))}" height="18" rx="3"/>
  <text class="small" x="${x(to) + 6}" y="${y + 14}">${to - from} ms</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 264" role="img" aria-labelledby="t" font-family="system-ui, sans-serif" font-size="14">
  <title id="t">Where the up of one token spends its ${total} ms</title>
  <style>
    .back { fill: #fff; } .box { fill: #d0d7de; } .ours { fill: #0969da; } text { fill: #1f2328; } .small { font-size: 12px; }
    @media (prefers-color-scheme: dark) {
      .back { fill: #0d1117; } .box { fill: #3d444d; } .ours { fill: #58a6ff; } text { fill: #e6edf3; }
    }
  </style>
  <rect class="back" width="760" height="264" rx="10"/>
${bars.join("\n")}
</svg>
`;
}
