import { expect, jest } from "@jest/globals";
import fc from "fast-check";
import { firstSeed, runsOf } from "../fuzz/random";

// The limits end only tests that hang: each is many times the duration of a test on a busy machine. They are set only here.

/** Some tests run twenty commands of the engine, which take 3 s each on a calm machine; some build the site. */
const forOneRun = 2_400_000;
/** The number of runs is an option. */
const forRandomRuns = 24 * 3_600_000;

const file = expect.getState().testPath ?? "";
const isRandom = /\/tests\/(fuzz|kills)\//.test(file) || process.env.EVENT_DATASETS_FUZZ_RUNS !== undefined;
jest.setTimeout(isRandom ? forRandomRuns : forOneRun);

// As in Node.js. Jest's 100 make every error expensive: a stack is translated line by line, even if nobody prints it.
Error.stackTraceLimit = 10;

// A property has the same inputs in each run of the tests, so that none fails by chance. `npm run fuzz -- --seed` tries others.
fc.configureGlobal({ seed: firstSeed(), numRuns: runsOf(100) });
