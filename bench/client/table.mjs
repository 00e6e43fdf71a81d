// @ts-check

import { cpus, release } from "node:os";
import { median } from "../measure.mjs";

/** @typedef {import("../client.bench.mjs").Measured} Measured */
/** @typedef {{ call: string, atOnce: string, client: string, runs: readonly Measured[] }} Result */

const names = { token: "look up a token", annotation: "create an annotation", query: "query, 100 events" };

/** @param {readonly Result[]} results @param {string} publicClient @param {number} rounds */
export function describeClients(results, publicClient, rounds) {
  const rows = results.map((result) => {
    const base = results.find((one) => one.client === "undici" && isSame(one, result)) ?? result;
    const cells = [
      names[/** @type {keyof typeof names} */ (result.call)],
      result.atOnce,
      result.client,
      withRatio(result, base, "perSecond", 0),
      withRatio(result, base, "median", 3),
      withRatio(result, base, "cpu", 0),
      withRatio(result, base, "kilobytes", 1),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "# The client, measured",
    "",
    "Made by `npm run bench -- client --write`; do not edit.",
    "",
    `${cpus().length} cores of ${cpus()[0]?.model}, ${process.platform} ${release()}, node ${process.version}. Medians of ${rounds} rounds, each client in a process`,
    "of its own, one after another; against a service on loopback that does nothing. In brackets: against `undici` alone, which checks",
    "nothing, has no deadline for the whole answer and repeats nothing.",
    "",
    `\`public\` is the service's own JavaScript client, \`${publicClient}\`, given the local address by its option \`url\`. It has no calls for`,
    "tokens. `ours` opens a connection for each create: one that was used before may be closed as the request goes out, and then nobody",
    "knows whether it was carried out. What else the machine does shows in the calls a second and the medians, and hardly in CPU and",
    "memory; `?`: too much was allocated to be counted.",
    "",
    "| call | at once | client | calls/s | median ms | CPU µs a call | kB allocated a call |",
    "| --- | ---: | --- | ---: | ---: | ---: | ---: |",
    ...rows,
    "",
  ].join("\n");
}

/** @param {Result} a @param {Result} b */
const isSame = (a, b) => a.call === b.call && a.atOnce === b.atOnce;

/** @param {Result} result @param {Result} base @param {keyof Measured} figure @param {number} digits */
function withRatio(result, base, figure, digits) {
  const [own, other] = [medianOf(result, figure), medianOf(base, figure)];
  if (own === undefined) return "?";
  return result === base || other === undefined
    ? own.toFixed(digits)
    : `${own.toFixed(digits)} (${(own / other).toFixed(2)})`;
}

/** @param {Result} result @param {keyof Measured} figure */
function medianOf({ runs }, figure) {
  const values = runs.map((one) => one[figure]).filter((value) => value !== undefined);
  return values.length > 0 ? median(values) : undefined;
}
