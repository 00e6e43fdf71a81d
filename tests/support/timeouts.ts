import { expect, jest } from "@jest/globals";

/**
 * The limits only end what hangs: each is many times what a test takes on a machine that runs 16 endless loops beside it.
 * The leak scan runs two dozen commands of the engine, which take 3 s each on a calm machine.
 */
const WITH_ENGINE_MS = 2_400_000;
/** Some of these tests run the compiler. */
const WITHOUT_ENGINE_MS = 900_000;

const drivesEngine = /\/tests\/(e2e|package|native\/languages)\//.test(expect.getState().testPath ?? "");
jest.setTimeout(drivesEngine ? WITH_ENGINE_MS : WITHOUT_ENGINE_MS);
