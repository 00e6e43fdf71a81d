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
    "shared pages counted for each. State: the whole file by the number of tokens.",
    "",
    "floor: a dynamic provider of a constant string that makes no request, answers at once and records the declared arguments only.",
    "floor-same-state: the same, recording members of the same names and lengths as ours. In brackets: against the floor, and against",
    "the floor of the same state. The first ratio is what the provider costs beside the engine's own work; the second is that without",
    "the bytes that it records, which the engine writes over and over.",
    "hand-written: a class, stored by its text. bridged: the service's Terraform provider, bridged into Pulumi, a program in Go.",
    "One run differs from the next by up to a fifth, as the processor is shared: compare more than one line.",
    "",
    "Inputs and outputs: of a token, as stored. Own: what of them the program did not declare, so the stored provider, names, the secret",
    "and what is known of it, in inputs and outputs together.",
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
  const floors = ["floor", "floor-same-state"].flatMap((name) => cell.find(({ variant }) => variant === name) ?? []);
  const references = floors.length > 0 ? floors : cell.slice(0, 1);
  const lines = [
    "| | | wall s | CPU s | peak MiB | requests | state B a token |",
    "|---|---|---:|---:|---:|---:|---:|",
  ];
  const names = /** @type {import("./stack.mjs").Operation[]} */ (Object.keys(cell[0]?.operations ?? {}));
  for (const operation of names) {
    for (const { variant, bytesPerToken, operations } of cell) {
      const own = operations[operation];
      if (own === undefined) continue;
      const figures = /** @type {const} */ ([
        ["seconds", 1],
        ["cpu", 2],
        ["peakMiB", 0],
      ]).map(([key, digits]) => {
        const ratios = references.flatMap((reference) => {
          const least = reference.operations[operation];
          return least && variant !== reference.variant ? [(own[key] / least[key]).toFixed(2)] : [];
        });
        return `${own[key].toFixed(digits)}${ratios.length > 0 ? ` (${ratios.join("; ")})` : ""}`;
      });
      lines.push(`| ${operation} | ${variant} | ${figures.join(" | ")} | ${own.requests} | ${bytesPerToken} |`);
    }
  }
  const sized = cell.filter(({ storedPerToken }) => storedPerToken !== undefined);
  if (sized.length > 0) lines.push("", "| | inputs and outputs B a token | own |", "|---|---:|---:|");
  for (const { variant, storedPerToken, ownPerToken } of sized) {
    lines.push(`| ${variant} | ${storedPerToken} | ${ownPerToken} |`);
  }
  return lines;
}
