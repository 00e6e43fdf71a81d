import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { allCombinations, type Combination, describeCombination } from "../../scripts/matrix/combinations.mjs";
import { deployCombination } from "../../scripts/matrix/deploy.mjs";
import { startTemporaryEmulator } from "../support/deployment";
import { packedPackage } from "../support/packages";
import { CHECKOUT } from "../support/program";

// The combination that differs most from what the other suites install with npm: a strict layout, and the oldest SDK and TypeScript.
// `npm run matrix` runs every combination with the real engine, as this suite does.

const chosen: Combination = { manager: "pnpm", form: "ts59", sdk: "3.216.0", node: "22" };

let folder = "";
let tarball = "";

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "event-datasets-install-")));
  tarball = (await packedPackage()).file;
  // The deployment and the second preview load the same modules.
  process.env.NODE_COMPILE_CACHE = path.join(folder, "compiled");
  // As in support/engine.
  Object.assign(process.env, { GOGC: "off", GOMEMLIMIT: "512MiB" });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("the matrix has every combination once", () => {
  const names = allCombinations().map(describeCombination);
  expect(names.length).toBe(5 * (4 * 2 * 2 - 2)); // the oldest SDK refuses TypeScript 6
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain(describeCombination(chosen));
});

test(`deploys with ${describeCombination(chosen)}, and then finds nothing to do`, async () => {
  await using service = await startTemporaryEmulator();
  // The engine is on PATH: the tests are started with it.
  await deployCombination(chosen, {
    root: CHECKOUT,
    folder: path.join(folder, "chosen"),
    tarball,
    service,
    engine: "",
  });
  expect(service.tokens.list()).toHaveLength(1);
});
