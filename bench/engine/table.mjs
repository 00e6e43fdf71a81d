// @ts-check

/** @typedef {import("../engine.bench.mjs").Report} Report */
/** @typedef {import("../engine.bench.mjs").Result} Result */

/**
 * The results as Markdown: a section for each size and latency, a table for each operation in it.
 * @param {Report} report
 */
export function describeResults({ machine, versions, profile, results }) {
  const lines = [
    `${machine}; ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}; profile ${profile}, file`,
    "backend. Medians. CPU: seconds of the whole process tree. Memory: the most that all its processes were resident with at once,",
    "shared pages counted for each. State: the whole file by the number of tokens. In brackets: against the floor, or the first.",
    "",
  ];
  for (const [title, cell] of Object.entries(Object.groupBy(results, titleOf))) {
    lines.push(`## ${title}`, "", ...describeCell(cell ?? []), "");
  }
  return lines.join("\n");
}

/** @param {Result} result */
const titleOf = ({ tokens, latency, rounds }) =>
  `${tokens} ${tokens === 1 ? "token" : "tokens"}, ${latency} ms latency (${rounds} ${rounds === 1 ? "round" : "rounds"})`;

/** @param {readonly Result[]} cell */
function describeCell(cell) {
  const floor = cell.find(({ variant }) => variant === "floor") ?? cell[0];
  const lines = [
    "| | | wall s | CPU s | peak MiB | requests | state B a token |",
    "|---|---|---:|---:|---:|---:|---:|",
  ];
  const names = /** @type {import("./stack.mjs").Operation[]} */ (Object.keys(cell[0]?.operations ?? {}));
  for (const operation of names) {
    for (const { variant, bytesPerToken, operations } of cell) {
      const [own, least] = [operations[operation], floor?.operations[operation]];
      if (own === undefined) continue;
      const figures = /** @type {const} */ ([
        ["seconds", 1],
        ["cpu", 2],
        ["peakMiB", 0],
      ]).map(([key, digits]) => {
        const ratio = least && variant !== floor?.variant ? ` (${(own[key] / least[key]).toFixed(2)})` : "";
        return `${own[key].toFixed(digits)}${ratio}`;
      });
      lines.push(`| ${operation} | ${variant} | ${figures.join(" | ")} | ${own.requests} | ${bytesPerToken} |`);
    }
  }
  return lines;
}
