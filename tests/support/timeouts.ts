import { expect, jest } from "@jest/globals";

/** It ends a test that hangs. A command of the engine takes about 3 s, five times that on a busy machine; the leak scan runs two dozen. */
const WITH_ENGINE_MS = 480_000;
/** Generous too: it is there to end a test that hangs, not to measure. Some of these tests run the compiler. */
const WITHOUT_ENGINE_MS = 120_000;

const drivesEngine = /\/tests\/(e2e|native\/languages)\//.test(expect.getState().testPath ?? "");
jest.setTimeout(drivesEngine ? WITH_ENGINE_MS : WITHOUT_ENGINE_MS);
