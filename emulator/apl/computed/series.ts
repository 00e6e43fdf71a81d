import { type ComputedFunctions, compute, type Json, listOf, numberOf, numbersOf } from "./define";

/** Series are lists of numbers. A value that is not a number becomes null, and so does every result computed from it. */
type Numbers = readonly (number | null)[];

const dropInfinite = (value: number | undefined | null): number | null =>
  value !== undefined && value !== null && Number.isFinite(value) ? value : null;

const mapEach = (run: (x: number) => number) =>
  compute("dynamic", "dynamic", (list: Json) => numbersOf(list).map((x) => (x === null ? null : dropInfinite(run(x)))));

/** Both series element by element; a single number stands for a series of it. */
function pairUp(a: Json, b: Json, length: (a: number, b: number) => number): [number | null, number | null][] {
  const lists = [a, b].map((value) => (Array.isArray(value) ? numbersOf(value) : undefined));
  const [left, right] = lists;
  const size = length(left?.length ?? right?.length ?? 0, right?.length ?? left?.length ?? 0);
  const at = (list: Numbers | undefined, value: Json, i: number) => (list ? (list[i] ?? null) : numberOf(value));
  return Array.from({ length: size }, (_, i) => [at(left, a, i), at(right, b, i)]);
}

const mapPairs = (run: (a: number, b: number) => number, length = Math.min) =>
  compute("any, any", "dynamic", (a: Json, b: Json) =>
    pairUp(a, b, length).map(([x, y]) => (x === null || y === null ? null : dropInfinite(run(x, y)))),
  );

const comparePairs = (run: (a: number, b: number) => boolean) =>
  compute("any, any", "dynamic", (a: Json, b: Json) =>
    pairUp(a, b, Math.min).map(([x, y]) => (x === null || y === null ? null : run(x, y))),
  );

const sum = (list: readonly number[]): number => list.reduce((total, x) => total + x, 0);

const dropNulls = (list: Json): number[] => numbersOf(list).filter((x) => x !== null);

const dotProduct = (a: Json, b: Json): number => sum(pairUp(a, b, Math.min).map(([x, y]) => (x ?? 0) * (y ?? 0)));

const magnitude = (list: Json): number => Math.sqrt(sum(dropNulls(list).map((x) => x * x)));

function cosineSimilarity(a: Json, b: Json): number | null {
  return dropInfinite(dotProduct(a, b) / (magnitude(a) * magnitude(b)));
}

function correlation(a: Json, b: Json): number | null {
  const pairs = pairUp(a, b, Math.min).filter((pair): pair is [number, number] => !pair.includes(null));
  const mean = (i: 0 | 1) => sum(pairs.map((pair) => pair[i])) / pairs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const off = pairs.map(([x, y]) => [x - meanX, y - meanY] as const);
  const spread = Math.sqrt(sum(off.map(([x]) => x * x)) * sum(off.map(([, y]) => y * y)));
  return dropInfinite(sum(off.map(([x, y]) => x * y)) / spread);
}

function statistics(list: Json) {
  const numbers = numbersOf(list);
  const known = dropNulls(list);
  if (known.length === 0)
    return { min: null, min_idx: null, max: null, max_idx: null, avg: null, stdev: null, variance: null };
  const [min, max] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
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

/** Interpolates nulls between two numbers; nulls at the ends take the nearest number. */
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

/** Each number becomes the weighted sum of itself and the numbers before it. */
function filterFinite(list: Json, kernel: Json, normalize = true, center = false): Numbers {
  const [numbers, weights] = [numbersOf(list), dropNulls(kernel)];
  const total = sum(weights);
  const scale = normalize && total !== 0 ? 1 / total : 1;
  const shift = center ? Math.floor(weights.length / 2) : 0;
  return numbers.map((_, i) => dropInfinite(sum(weights.map((w, k) => w * (numbers[i - k + shift] ?? 0))) * scale));
}

function filterInfinite(list: Json, numerator: Json, denominator: Json): Numbers {
  const [input, forward, back] = [numbersOf(list), dropNulls(numerator), dropNulls(denominator)];
  const [lead = 1, ...feedback] = back;
  const output: number[] = [];
  for (const i of input.keys()) {
    const fed = sum(forward.map((w, k) => w * (input[i - k] ?? 0)));
    output.push((fed - sum(feedback.map((w, k) => w * (output[i - k - 1] ?? 0)))) / lead);
  }
  return output.map(dropInfinite);
}

const elementwise = ["abs", "acos", "asin", "atan", "cos", "exp", "floor", "sign", "sin", "tan"] as const;

export const seriesFunctions: ComputedFunctions = {
  ...Object.fromEntries(elementwise.map((name) => [`series_${name}`, mapEach(Math[name])])),
  series_ceiling: mapEach(Math.ceil),
  series_log: mapEach((x) => (x > 0 ? Math.log(x) : Number.NaN)),
  series_add: mapPairs((a, b) => a + b),
  series_subtract: mapPairs((a, b) => a - b, Math.max),
  series_multiply: mapPairs((a, b) => a * b, Math.max),
  series_divide: mapPairs((a, b) => a / b),
  series_pow: mapPairs((a, b) => a ** b),
  series_max: mapPairs(Math.max),
  series_min: mapPairs(Math.min),
  series_equals: comparePairs((a, b) => a === b),
  series_not_equals: comparePairs((a, b) => a !== b),
  series_less: comparePairs((a, b) => a < b),
  series_less_equals: comparePairs((a, b) => a <= b),
  series_greater: comparePairs((a, b) => a > b),
  series_greater_equals: comparePairs((a, b) => a >= b),
  series_sum: compute("dynamic", "real", (list: Json) => sum(dropNulls(list))),
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
