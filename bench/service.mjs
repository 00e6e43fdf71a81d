// @ts-check
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const require = createRequire(import.meta.url);
export const accessToken = "xaat-bench";

/** Our client of a service. @param {string} baseUrl */
export function createClient(baseUrl) {
  const { EventDatasets } = require("../dist/sdk/index.js");
  return new EventDatasets({ baseUrl, accessToken, profile: "extended" });
}

/**
 * Works with an emulator and a temporary folder. The emulator runs in this process, which nobody measures.
 * @template T
 * @param {(places: { emulator: any, folder: string }) => Promise<T>} work
 */
export async function withEmulator(work) {
  const { startEmulator } = require("../emulator/dist/index.js");
  const folder = await mkdtemp(path.join(tmpdir(), "bench-"));
  const dataDir = path.join(folder, "service");
  const emulator = await startEmulator({ dataDir, profile: "extended", rootToken: accessToken });
  try {
    return await work({ emulator, folder });
  } finally {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}
