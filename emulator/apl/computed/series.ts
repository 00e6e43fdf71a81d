import { type ComputedFunctions, compute, type Json, listOf, numberOf, numbersOf } from "./define";

/** Series are lists of numbers. A value that is not a number becomes null, and so does every result computed from it. */
type Numbers = readonly (number | null)[];

const finite = (value: number | undefined | null): number | null =>
  value !== undefined && value !== null && Number.isFinite(value) ? value : null;

const each = (run: (x: number) => number) =>
  compute("dynamic", "dynamic", (list: Json) => numbersOf(list).map((x) => (x === null ? null : finite(run(x)))));

/** Both series element by element; a single number stands for a series of it. */
function pairUp(a: Json, b: Json, length: (a: number, b: number) => number): [number | null, number | null][] {
  const lists = [a, b].map((value) => (Array.isArray(value) ? numbersOf(value) : undefined));
  const [left, right] = lists;
  const size = length(left?.length ?? right?.length ?? 0, right?.length ?? left?.length ?? 0);
  const at = (list: Numbers | undefined, value: Json, i: number) => (list ? (list[i] ?? null) : numberOf(value));
  return Array.from({ length: size }, (_, i) => [at(left, a, i), at(right, b, i)]);
}

const both = (run: (a: number, b: number) => number, length = Math.min) =>
  compute("any, any", "dynamic", (a: Json, b: Json) =>
    pairUp(a, b, length).map(([x, y]) => (x === null || y === null ? null : finite(run(x, y)))),
  );

const test = (run: (a: number, b: number) => boolean) =>
  compute("any, any", "dynamic", (a: Json, b: Json) =>
    pairUp(a, b, Math.min).map(([x, y]) => (x === null || y === null ? null : run(x, y))),
  );

const sum = (list: readonly number[]): number => list.reduce((total, x) => total + x, 0);

const present = (list: Json): number[] => numbersOf(list).filter((x) => x !== null);

const dotProduct = (a: Json, b: Json): number => sum(pairUp(a, b, Math.min).map(([x, y]) => (x ?? 0) * (y ?? 0)));

const magnitude = (list: Json): number => Math.sqrt(sum(present(list).map((x) => x * x)));

function cosineSimilarity(a: Json, b: Json): number | null {
  return finite(dotProduct(a, b) / (magnitude(a) * magnitude(b)));
}

function correlation(a: Json, b: Json): number | null {
  const pairs = pairUp(a, b, Math.min).filter((pair): pair is [number, number] => !pair.includes(null));
  const mean = (i: 0 | 1) => sum(pairs.map((pair) => pair[i])) / pairs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const off = pairs.map(([x, y]) => [x - meanX, y - meanY] as const);
  const spread = Math.sqrt(sum(off.map(([x]) => x * x)) * sum(off.map(([, y]) => y * y)));
  return finite(sum(off.map(([x, y]) => x * y)) / spread);
}

function statistics(list: Json) {
  const numbers = numbersOf(list);
  const known = present(list);
  if (known.length === 0)
    return { min: null, min_idx: null, max: null, max_idx: null, avg: null, stdev: null, variance: null };
  const [min, max] = [Math.min(...known), Math.max(...known)];
  const avg = sum(known) / known.length;
  const variance = known.length < 2 ? 0 : sum(known.map((x) => (x - avg) ** 2)) / (known.length - 1);
  const places = { min_idx: numbers.indexOf(min), max_idx: numbers.indexOf(max) };
  return { min, max, ...places, avg, stdev: Math.sqrt(variance), variance };
}

function fillForward(list: Numbers): Numbers {
  let last: number | null = null;
  return list.map((x) => {
    last = x ?? last;
    return last;
  });
}

const fillBackward = (list: Numbers): Numbers => fillForward(list.toReversed()).toReversed();

/** Nulls between two numbers lie on the line through them; those at the ends take the nearest number. */
function fillLinear(list: Numbers): Numbers {
  const places = list.map((x, i) => (x === null ? null : i));
  const [before, after] = [fillForward(places), fillBackward(places)];
  return list.map((x, i) => {
    const [from, to] = [before[i] ?? after[i] ?? null, after[i] ?? before[i] ?? null];
    if (x !== null || from === null || to === null) return x;
    const [low, high] = [list[from] ?? 0, list[to] ?? 0];
    return from === to ? low : low + ((high - low) * (i - from)) / (to - from);
  });
}

/** Each number is the weighted sum of those before it, itself included. */
function filterFinite(list: Json, kernel: Json, normalize = true, center = false): Numbers {
  const [numbers, weights] = [numbersOf(list), present(kernel)];
  const total = sum(weights);
  const scale = normalize && total !== 0 ? 1 / total : 1;
  const shift = center ? Math.floor(weights.length / 2) : 0;
  return numbers.map((_, i) => finite(sum(weights.map((w, k) => w * (numbers[i - k + shift] ?? 0))) * scale));
}

function filterInfinite(list: Json, numerator: Json, denominator: Json): Numbers {
  const [input, forward, back] = [numbersOf(list), present(numerator), present(denominator)];
  const [lead = 1, ...feedback] = back;
  const output: number[] = [];
  for (const i of input.keys()) {
    const fed = sum(forward.map((w, k) => w * (input[i - k] ?? 0)));
    output.push((fed - sum(feedback.map((w, k) => w * (output[i - k - 1] ?? 0)))) / lead);
  }
  return output.map(finite);
}

export const seriesFunctions: ComputedFunctions = {
  series_abs: each(Math.abs),
  series_acos: each(Math.acos),
  series_asin: each(Math.asin),
  series_atan: each(Math.atan),
  series_ceiling: each(Math.ceil),
  series_cos: each(Math.cos),
  series_exp: each(Math.exp),
  series_floor: each(Math.floor),
  series_log: each((x) => (x > 0 ? Math.log(x) : Number.NaN)),
  series_sign: each(Math.sign),
  series_sin: each(Math.sin),
  series_tan: each(Math.tan),
  series_add: both((a, b) => a + b),
  series_subtract: both((a, b) => a - b, Math.max),
  series_multiply: both((a, b) => a * b, Math.max),
  series_divide: both((a, b) => a / b),
  series_pow: both((a, b) => a ** b),
  series_max: both(Math.max),
  series_min: both(Math.min),
  series_equals: test((a, b) => a === b),
  series_not_equals: test((a, b) => a !== b),
  series_less: test((a, b) => a < b),
  series_less_equals: test((a, b) => a <= b),
  series_greater: test((a, b) => a > b),
  series_greater_equals: test((a, b) => a >= b),
  series_sum: compute("dynamic", "real", (list: Json) => sum(present(list))),
  series_magnitude: compute("dynamic", "real", magnitude),
  series_dot_product: compute("dynamic, dynamic", "real", dotProduct),
  series_cosine_similarity: compute("dynamic, dynamic", "real", cosineSimilarity),
  series_pearson_correlation: compute("dynamic, dynamic", "real", correlation),
  series_stats: compute("dynamic", "dynamic", (list: Json) => {
    const { min, min_idx, max, max_idx, avg, stdev, variance } = statistics(list);
    return [min, min_idx, max, max_idx, avg, variance, stdev];
  }),
  series_stats_dynamic: compute("dynamic", "dynamic", statistics),
  series_fill_const: compute("dynamic, any", "dynamic", (list: Json, value: Json) =>
    listOf(list).map((x) => x ?? value),
  ),
  series_fill_forward: compute("dynamic", "dynamic", (list: Json) => fillForward(numbersOf(list))),
  series_fill_backward: compute("dynamic", "dynamic", (list: Json) => fillBackward(numbersOf(list))),
  series_fill_linear: compute("dynamic", "dynamic", (list: Json) => fillLinear(numbersOf(list))),
  series_fir: compute("dynamic, dynamic, bool?, bool?", "dynamic", filterFinite),
  series_iir: compute("dynamic, dynamic, dynamic", "dynamic", filterInfinite),
};
