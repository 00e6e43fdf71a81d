/** Decisions that are the same for the same seed. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32: 32 bits of state, good enough to choose faults with. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
  };
}

/**
 * How many runs of a kind. `npm test` has the same inputs each time, so a few of each kind are enough there: they guard what was found.
 * The search is `npm run fuzz`, with 10,000 runs.
 */
export const runsOf = (few: number): number => Number(process.env.EVENT_DATASETS_FUZZ_RUNS ?? few);

/** The seed to begin with: that of `npm run fuzz -- --seed`, or always the same one. */
export const firstSeed = (): number => Number(process.env.EVENT_DATASETS_FUZZ_SEED ?? 1);
