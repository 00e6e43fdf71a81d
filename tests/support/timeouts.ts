import { expect, jest } from "@jest/globals";

/** One command of the engine takes about 3 s, more on a busy machine; a test runs up to a dozen of them. */
const WITH_ENGINE_MS = 240_000;
/** Generous too: it is there to end a test that hangs, not to measure. Some of these tests run the compiler. */
const WITHOUT_ENGINE_MS = 120_000;

const drivesEngine = /\/tests\/(e2e|native\/languages)\//.test(expect.getState().testPath ?? "");
jest.setTimeout(drivesEngine ? WITH_ENGINE_MS : WITHOUT_ENGINE_MS);
