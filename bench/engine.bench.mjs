// @ts-check
import { programs } from "./programs.mjs";
import { measureStack, operations } from "./stack.mjs";

/** @typedef {import("./programs.mjs").Variant} Variant */
/** @typedef {import("./stack.mjs").Operation} Operation */
/** @typedef {Awaited<ReturnType<typeof measureStack>>} Run */

export const about = `The real engine with a state in a folder. floor: a dynamic provider that makes no request, answers at once
and records only the declared arguments. ours: the dynamic form. native: the plugin. hand-written: a dynamic provider as its
documentation teaches it, up to 100 tokens (for 1,000, the engine writes its large states for 11 minutes). bridged: the service's
Terraform provider, bridged into Pulumi; it needs \`pulumi-resource-axiom\` on the PATH. CPU in seconds, of all processes, and of
each role. Memory: the most that all processes were resident with at once.`;

export const options = /** @type {const} */ ({
  tokens: { type: "string", default: "1,100" },
  latency: { type: "string", default: "50" },
  variants: { type: "string", default: "floor,ours,native,hand-written" },
});

/** @param {string} option @param {string} text */
function numbersOf(option, text) {
  const values = text.split(",");
  if (values.some((value) => !/^\d+$/.test(value)))
    throw new Error(`--${option}: must be whole numbers, not "${text}"`);
  return values.map(Number);
}

/** @param {string} text @returns {Variant[]} */
function variantsOf(text) {
  const values = text.split(",");
  const unknown = values.filter((value) => !Object.hasOwn(programs, value));
  if (unknown.length > 0) throw new Error(`--variants: there is no ${unknown}; there are ${Object.keys(programs)}`);
  return /** @type {Variant[]} */ (values);
}

/** @param {import("./run.mjs").Options} options */
export async function run({ tokens, latency, variants, rounds }) {
  const compared = variantsOf(variants);
  const rows = [];
  const [delay = 0] = numbersOf("latency", latency);
  for (const size of numbersOf("tokens", tokens)) {
    const measured = compared.filter((variant) => size <= 100 || variant !== "hand-written");
    const runs = await measureRounds(measured, rounds, { tokens: size, latency: delay });
    const subject = `${size} ${size === 1 ? "token" : "tokens"}, ${delay} ms`;
    for (const operation of /** @type {Operation[]} */ (Object.keys(operations))) {
      for (const [variant, all] of runs)
        rows.push({ subject: `${operation}, ${subject}`, variant, figures: figuresOf(all, operation, size) });
    }
  }
  return rows;
}

/**
 * Alternates, and every other round goes the other way round: whatever drifts meets first and last alike.
 * @param {readonly Variant[]} variants
 * @param {number} rounds
 * @param {{ tokens: number, latency: number }} stack
 */
async function measureRounds(variants, rounds, stack) {
  const runs = new Map(variants.map((variant) => [variant, /** @type {Run[]} */ ([])]));
  for (let round = 0; round < rounds; round++) {
    for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
      runs.get(variant)?.push(await measureStack(variant, stack));
    }
  }
  return runs;
}

/** @param {readonly Run[]} runs @param {Operation} operation @param {number} tokens */
function figuresOf(runs, operation, tokens) {
  const costs = runs.map((run) => run.operations[operation]);
  const cpuOf = (/** @type {import("./cost.mjs").Role | "other"} */ role) => costs.map(({ roles }) => roles[role] ?? 0);
  return {
    "wall s": costs.map(({ seconds }) => seconds),
    CPU: costs.map(({ cpu }) => cpu),
    engine: cpuOf("engine"),
    "provider host": cpuOf("provider host"),
    program: cpuOf("program"),
    "language host": cpuOf("language host"),
    other: cpuOf("other"),
    "peak MiB": costs.map(({ peakMiB }) => peakMiB),
    requests: costs.map(({ requests }) => requests),
    ...(operation === "up" ? { "state B a token": runs.map(({ bytes }) => bytes / tokens) } : {}),
  };
}
