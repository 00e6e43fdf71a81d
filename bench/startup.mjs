// @ts-check
// Draws where the `up` of one token spends its time: `npm run bench -- startup` writes docs/images/startup.svg. Of several runs
// it draws the one of the median duration.
import { spawn } from "node:child_process";
import { readFileSync, watch } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { listProcesses, roleOf } from "./cost.mjs";
import { operations, plain, withStack } from "./stack.mjs";

const PICTURE = path.join(import.meta.dirname, "../docs/images/startup.svg");
const LOOK_EVERY_MS = 50;

/** @typedef {{ name: string, from: number, to: number, ours?: boolean }} Phase in milliseconds since the start */
/** @typedef {{ phases: Phase[], saves: number[], total: number }} Timeline */
/** @typedef {{ pid: number, name: string, at: number }} Mark */

/** @returns {Promise<Timeline>} */
const takeTimeline = () =>
  withStack("ours", { tokens: 1, latency: 0 }, async ({ cwd, env, log, file, service }) => {
    const probe = path.join(import.meta.dirname, "startupProbe.cjs");
    const marks = `${log}.marks`;
    const booted = Date.now() - Number.parseFloat(readFileSync("/proc/uptime", "utf8")) * 1000;
    /** @type {number[]} */
    const saves = [];
    const watcher = watch(path.dirname(file), (_, name) => {
      if (name === path.basename(file)) saves.push(Date.now());
    });
    const started = Date.now();
    const child = spawn("pulumi", [...operations.up, ...plain], {
      cwd,
      env: { ...env, NODE_OPTIONS: `--require ${probe}`, STARTUP_MARKS: marks },
      stdio: "ignore",
    });
    let host = Number.NaN;
    const looking = setInterval(() => {
      const found = listProcesses().find(({ pid, parent }) => parent === child.pid && roleOf(pid) === "language host");
      if (found) host = booted + found.started * 1000;
    }, LOOK_EVERY_MS);
    const code = await new Promise((resolve) => child.once("close", resolve));
    const ended = Date.now();
    clearInterval(looking);
    watcher.close();
    if (code !== 0) throw new Error(`pulumi up ended with ${code}`);
    const [requested = Number.NaN] = await service.requests();
    const moments = momentsOf(await readFile(marks, "utf8"));
    const since = (/** @type {number} */ at) => Math.round(at - started);
    const phases = phasesOf({ ...moments, started, host, requested, ended }).map((phase) => ({
      ...phase,
      from: since(phase.from),
      to: since(phase.to),
    }));
    return { phases, saves: [...new Set(saves.map(since))], total: since(ended) };
  });

/**
 * The marks of the process that runs the program, and of the one that hosts the provider.
 * @param {string} text
 */
function momentsOf(text) {
  /** @type {Mark[]} */
  const marks = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const runner = marks.find(({ name }) => name === "program begins")?.pid;
  const provider = marks.find(({ pid, name }) => pid !== runner && name === "package begins")?.pid;
  const at = (/** @type {number | undefined} */ process, /** @type {string} */ wanted) =>
    marks.find(({ pid, name }) => pid === process && name === wanted)?.at ?? Number.NaN;
  return {
    program: at(runner, "process"),
    programLoads: at(runner, "program begins"),
    programUses: [at(runner, "package begins"), at(runner, "package ends")],
    provider: at(provider, "process"),
    providerUses: [at(provider, "package begins"), at(provider, "package ends")],
  };
}

/**
 * @param {ReturnType<typeof momentsOf> & Record<"started" | "host" | "requested" | "ended", number>} moments
 * @returns {Phase[]}
 */
function phasesOf({ started, host, program, programLoads, programUses, provider, providerUses, requested, ended }) {
  const [programFrom = 0, programTo = 0] = programUses;
  const [providerFrom = 0, providerTo = 0] = providerUses;
  return [
    { name: "engine: starts", from: started, to: host },
    { name: "language host: starts the program", from: host, to: program },
    { name: "program: Node.js and Pulumi's SDK", from: program, to: programLoads },
    { name: "program: modules of this package", from: programFrom, to: programTo, ours: true },
    { name: "provider host: Node.js and the SDK", from: provider, to: providerFrom },
    { name: "provider host: modules of this package", from: providerFrom, to: providerTo, ours: true },
    { name: "provider host: hooks until the request", from: providerTo, to: requested, ours: true },
    { name: "engine: records the response, ends", from: requested, to: ended },
  ];
}

const [left, right, row] = [300, 700, 28];

/** @param {Timeline} timeline */
function draw({ phases, saves, total }) {
  const x = (/** @type {number} */ at) => Math.round((left + (at / total) * (right - left)) * 10) / 10;
  const bottom = 20 + phases.length * row;
  const bars = phases.map(({ name, from, to, ours }, at) => {
    const y = 20 + at * row;
    const bar = `<rect class="${ours ? "ours" : "box"}" x="${x(from)}" y="${y}" width="${Math.round(Math.max(2, x(to) - x(from)))}" height="18" rx="3"/>`;
    return `  <text x="20" y="${y + 14}">${name}</text>${bar}<text class="small" x="${x(to) + 6}" y="${y + 14}">${to - from} ms</text>`;
  });
  const lines = saves.map((at) => `<path class="save" d="M${x(at)} ${bottom + 6}v12"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${bottom + 40}" role="img" aria-labelledby="t" font-family="system-ui, sans-serif" font-size="14">
  <title id="t">Where the up of one token spends its ${total} ms</title>
  <style>
    .back { fill: #fff; } .box { fill: #d0d7de; } .ours { fill: #0969da; } text { fill: #1f2328; } .small { font-size: 12px; } .save { stroke: #57606a; stroke-width: 2; }
    @media (prefers-color-scheme: dark) {
      .back { fill: #0d1117; } .box { fill: #3d444d; } .ours { fill: #58a6ff; } text { fill: #e6edf3; } .save { stroke: #8b949e; }
    }
  </style>
  <rect class="back" width="760" height="${bottom + 40}" rx="10"/>
${bars.join("\n")}
  <text x="20" y="${bottom + 17}">the state is written</text>${lines.join("")}<text class="small" x="${right + 6}" y="${bottom + 17}">${total} ms</text>
</svg>
`;
}

/** @param {number} rounds */
export async function drawStartup(rounds) {
  /** @type {Timeline[]} */
  const all = [];
  for (let round = 0; round < rounds; round++) all.push(await takeTimeline());
  const timeline = all.sort((a, b) => a.total - b.total)[Math.floor(rounds / 2)];
  if (!timeline) throw new Error("there is no round");
  await writeFile(PICTURE, draw(timeline));
  return timeline;
}
